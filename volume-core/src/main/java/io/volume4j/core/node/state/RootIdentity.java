package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which root directory and which boot of the machine this is. What lies below a root is ours only if the root carries an
 * identity that we wrote.
 *
 * @param bootId where the machine does not tell, a unique one: then each start counts as the first after a boot,
 *     and nothing that an earlier run knew is certain
 */
public record RootIdentity(String rootId, String bootId) {
    private static final Logger LOG = LoggerFactory.getLogger(RootIdentity.class);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Runs work on the root while no other owner does. */
    @FunctionalInterface
    public interface Alone {
        /** @throws VolumeException if another process has the root now */
        String run(Supplier<String> work);
    }

    /**
     * Reads the identity, writing a new one into a root that has none.
     *
     * @param alone for that writing: of two processes that start on a new root, neither may end with an identity that the
     *     other's has taken the place of
     * @param ids for a new root
     * @throws VolumeException if the root cannot be used
     */
    public static RootIdentity of(PluginHost host, Alone alone, Supplier<UUID> ids) {
        return of(host, alone, ids, BOOT_ID);
    }

    static RootIdentity of(PluginHost host, Alone alone, Supplier<UUID> ids, Path bootIdFile) {
        if (!host.root().isAbsolute()) {
            throw VolumeException.finalFailure("the root directory must be absolute: " + host.root());
        }
        String rootId = host.mounts()
                .map(machine -> onMachine(host.root(), machine, alone, ids))
                .orElseGet(() -> "unmounted-" + host.nodeName());
        return new RootIdentity(rootId, bootId(bootIdFile, ids));
    }

    private static String onMachine(Path root, MountBackend machine, Alone alone, Supplier<UUID> ids) {
        HostFiles files = machine.files();
        files.createRoot(root);
        RootedPath place = new NodeLayout(root).rootId();
        String found = read(files, place);
        return found.isEmpty() ? alone.run(() -> readOrMake(files, place, ids)) : found;
    }

    private static String readOrMake(HostFiles files, RootedPath place, Supplier<UUID> ids) {
        String found = read(files, place);
        if (!found.isEmpty()) {
            return found;
        }
        String made = ids.get().toString();
        files.writeAtomically(place, (made + "\n").getBytes(StandardCharsets.UTF_8), 0600);
        return made;
    }

    private static String read(HostFiles files, RootedPath place) {
        return files.read(place, 128)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8).trim())
                .orElse("");
    }

    /** Two boots that share an id would make mounts of the first certain in the second. */
    private static String bootId(Path file, Supplier<UUID> ids) {
        String why = "it is empty";
        try {
            String text = Files.readString(file).trim();
            if (!text.isEmpty()) {
                return text;
            }
        } catch (IOException unreadable) {
            why = unreadable.toString();
        }
        LOG.warn("boot not known file={} reason=\"{}\" consequence=\"mounts of earlier runs are verified\"", file, why);
        return ids.get().toString();
    }
}
