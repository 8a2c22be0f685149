package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.FileNames;
import io.volume4j.core.plugins.common.JsonFields;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The data of a volume that the library needs after its objects are deleted: the driver's own name for it and the
 * options, without secrets. Written before the attach, removed at the detach. Thread-safe.
 */
final class FlexRecords {
    private static final int LARGEST = 1 << 20;
    private static final String NAME = "name";
    private static final String OPTIONS = "options";

    private final MountBackend backend;
    private final RootedPath directory;

    FlexRecords(PluginHost host, MountBackend backend, String driver) {
        this.backend = backend;
        Path own = host.root().relativize(host.pluginDirectory(driver));
        this.directory = new RootedPath(host.root(), own.resolve("volumes"));
    }

    /**
     * The recorded data.
     *
     * @param name the driver's own
     * @param options as JSON
     */
    record Known(String name, String options) {}

    void write(String volume, Known known) {
        RootedPath file = file(volume);
        backend.files().createDirectory(directory, 0700);
        Map<String, String> fields = new TreeMap<>(Map.of(NAME, known.name(), OPTIONS, known.options()));
        backend.files().writeAtomically(file, JsonFields.write(fields).getBytes(StandardCharsets.UTF_8), 0600);
    }

    Optional<Known> read(String volume) {
        return backend.files()
                .read(file(volume), LARGEST)
                .flatMap(JsonFields::read)
                .map(fields -> new Known(fields.getOrDefault(NAME, volume), fields.getOrDefault(OPTIONS, "{}")));
    }

    void remove(String volume) {
        backend.files().removeFile(file(volume));
    }

    private RootedPath file(String volume) {
        // In a control plane's process, no node has created it.
        backend.files().createRoot(directory.root());
        return directory.resolve(FileNames.checked("volume", volume) + ".json");
    }
}
