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
 * Identifies the root directory and the boot of the machine. The contents of a root belong to the node only if the
 * root has an identity that this library wrote.
 *
 * @param bootId a unique value if the machine does not report one: then each start counts as the first after a boot,
 *     and nothing that an earlier run knew is certain
 */
public record RootIdentity(String rootId, String bootId) {
    private static final Logger LOG = LoggerFactory.getLogger(RootIdentity.class);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Runs work on the root while no other process has it. */
    @FunctionalInterface
    public interface Alone {
        /** @throws VolumeException if another process has the root */
        String run(Supplier<String> work);
    }

    /**
     * Reads the identity. Writes a new one into a root that has none.
     *
     * @param alone for that write: if two processes start on a new root, neither may use an identity that the other
     *     one replaced
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

    /** Two boots must not share an id: the mounts of the first would be certain in the second. */
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
        LOG.atWarn()
                .addKeyValue("file", file)
                .addKeyValue("reason", why)
                .log("boot not known; mounts of earlier runs are verified");
        return ids.get().toString();
    }
}
