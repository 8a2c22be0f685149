package io.volume4j.core.node;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.PluginHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Which root directory and which boot of the machine this is. What lies below a root is ours only if the root carries an
 * identity that we wrote.
 */
public record RootIdentity(String rootId, String bootId) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /**
     * Reads the identity, writing a new one into a root that has none.
     *
     * @param ids for a new root
     * @throws VolumeException if the root cannot be used
     */
    public static RootIdentity of(PluginHost host, Supplier<UUID> ids) {
        if (!host.root().isAbsolute()) {
            throw VolumeException.finalFailure("the root directory must be absolute: " + host.root());
        }
        String rootId = host.mounts()
                .map(machine -> onMachine(host.root(), machine, ids))
                .orElseGet(() -> "unmounted-" + host.nodeName());
        return new RootIdentity(rootId, readBootId());
    }

    private static String onMachine(Path root, MountBackend machine, Supplier<UUID> ids) {
        HostFiles files = machine.files();
        files.createRoot(root);
        NodeLayout layout = new NodeLayout(root);
        Optional<byte[]> found = files.read(layout.rootId(), 128);
        if (found.isPresent()) {
            String text = new String(found.get(), StandardCharsets.UTF_8).trim();
            if (!text.isEmpty()) {
                return text;
            }
        }
        String made = ids.get().toString();
        files.writeAtomically(layout.rootId(), (made + "\n").getBytes(StandardCharsets.UTF_8), 0600);
        return made;
    }

    private static String readBootId() {
        try {
            return Files.readString(BOOT_ID).trim();
        } catch (IOException notLinux) {
            return "unknown";
        }
    }
}
