package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts about a call that must survive a lost answer and a crash of the process: the node id and the secret of an attachment that
 * the node makes itself, and the parameters of a modification. On disk from before the call until the detach, or until the outcome
 * of the modification is known. They contain names of secrets, never values. A process without a machine has no place for notes;
 * there the caller's objects have these facts: the VolumeAttachment, and the claim. Thread-safe.
 */
final class Notes {
    private static final Logger LOG = LoggerFactory.getLogger(Notes.class);
    private static final int MODE = 0600;
    private static final int DIRECTORY_MODE = 0700;
    private static final int MOST_BYTES = 64 << 10;

    /** A directory that one thread removes must not vanish under another one's write. */
    private final Object lock = new Object();

    private final Supplier<PluginHost> host;
    private final String driver;
    private final String about;

    /** @param about the directory of the notes */
    Notes(Supplier<PluginHost> host, String driver, String about) {
        this.host = host;
        this.driver = driver;
        this.about = about;
    }

    void keep(String key, PluginState state) {
        files().ifPresent(files -> {
            StringBuilder text = new StringBuilder(state.version() + "\n");
            state.values()
                    .forEach((name, value) -> text.append(quoted(name))
                            .append('=')
                            .append(quoted(value))
                            .append('\n'));
            synchronized (lock) {
                files.createDirectory(directory(), DIRECTORY_MODE);
                files.writeAtomically(note(key), text.toString().getBytes(StandardCharsets.UTF_8), MODE);
            }
        });
    }

    /** The facts about the call; none also if the note is damaged, as if its write had been lost. */
    PluginState find(String key) {
        return files().flatMap(found -> found.read(note(key), MOST_BYTES))
                .map(content -> parsed(key, content))
                .orElse(PluginState.none());
    }

    private PluginState parsed(String key, byte[] content) {
        try {
            return parse(content);
        } catch (IllegalArgumentException damaged) {
            LOG.atWarn()
                    .addKeyValue("driver", driver)
                    .addKeyValue("path", note(key))
                    .log("note about a call of a CSI driver is not readable; the call goes on without it");
            return PluginState.none();
        }
    }

    void drop(String key) {
        files().ifPresent(files -> {
            synchronized (lock) {
                files.removeFile(note(key));
                if (files.status(directory()).isPresent()
                        && files.list(directory()).isEmpty()) {
                    files.removeDirectory(directory());
                }
            }
        });
    }

    private Optional<HostFiles> files() {
        return host.get().mounts().map(MountBackend::files);
    }

    /** Values may contain line ends. */
    private static String quoted(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static PluginState parse(byte[] content) {
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
        Map<String, String> values = new TreeMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(
                        URLDecoder.decode(line.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(line.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return new PluginState(Integer.parseInt(lines[0]), values);
    }

    private RootedPath note(String key) {
        return directory().resolve(Handles.digest(key));
    }

    private RootedPath directory() {
        PluginHost known = host.get();
        return new RootedPath(
                known.root(),
                known.root().relativize(known.pluginDirectory(driver).resolve(about)));
    }
}
