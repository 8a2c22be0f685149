package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a detach will need, kept on disk from before an attach is sent until it was undone: if the answer is lost, and the
 * process with it, nobody else remembers which secret the attachment was made with. Names of secrets only. In a process
 * without a machine there is no place for notes; there the PersistentVolume outlives the attachment.
 */
final class AttachNotes {
    private static final int MODE = 0600;
    private static final int DIRECTORY_MODE = 0700;
    private static final int MOST_BYTES = 8192;

    private final Supplier<PluginHost> host;
    private final String driver;

    AttachNotes(Supplier<PluginHost> host, String driver) {
        this.host = host;
        this.driver = driver;
    }

    void keep(String volume, String node, PluginState state) {
        host.get().mounts().map(MountBackend::files).ifPresent(files -> {
            files.createDirectory(directory(), DIRECTORY_MODE);
            StringBuilder text = new StringBuilder(state.version() + "\n");
            state.values()
                    .forEach((key, value) ->
                            text.append(key).append('=').append(value).append('\n'));
            files.writeAtomically(note(volume, node), text.toString().getBytes(StandardCharsets.UTF_8), MODE);
        });
    }

    PluginState find(String volume, String node) {
        Optional<HostFiles> files = host.get().mounts().map(MountBackend::files);
        return files.flatMap(found -> found.read(note(volume, node), MOST_BYTES))
                .map(AttachNotes::parse)
                .orElse(PluginState.none());
    }

    void drop(String volume, String node) {
        host.get().mounts().map(MountBackend::files).ifPresent(files -> {
            files.removeFile(note(volume, node));
            if (files.status(directory()).isPresent() && files.list(directory()).isEmpty()) {
                files.removeDirectory(directory());
            }
        });
    }

    private static PluginState parse(byte[] content) {
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
        Map<String, String> values = new TreeMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return new PluginState(Integer.parseInt(lines[0]), values);
    }

    private RootedPath note(String volume, String node) {
        return directory().resolve(Handles.digest(volume.length() + ":" + volume + "@" + node));
    }

    private RootedPath directory() {
        PluginHost known = host.get();
        return new RootedPath(
                known.root(),
                known.root().relativize(known.pluginDirectory(driver).resolve("attachments")));
    }
}
