package io.volume4j.examples.quickstart;

import io.volume4j.csi.CsiEndpoint;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of all commands that start the orchestrator. */
final class Options {
    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description =
                    "manifests (YAML or JSON, several documents a file); may be repeated. Without it: a StorageClass, a claim of"
                            + " 64Mi and two pods that share it")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--root",
            paramLabel = "DIR",
            converter = Root.class,
            description =
                    "where volumes and mounts live; a second run finds there what the first left (${DEFAULT-VALUE})")
    private Path root = defaultRoot();

    @Option(names = "--tools", paramLabel = "DIR", description = "look for mkfs and fsck here first; may be repeated")
    private List<Path> tools = new ArrayList<>();

    @Option(
            names = "--in-memory",
            description =
                    "touch nothing on this machine, even with the right to mount; NFS exports that manifests name are there")
    private boolean inMemory;

    @Option(
            names = "--csi",
            paramLabel = "unix:///PATH",
            converter = Endpoint.class,
            description = "the socket of a CSI driver for this node and its controller; may be repeated")
    private List<CsiEndpoint> csi = new ArrayList<>();

    @Option(
            names = "--ui",
            paramLabel = "127.0.0.1:PORT",
            converter = Loopback.class,
            description = "serve a live view there while it runs, best with 'shell'; only this machine's loopback")
    private @Nullable InetSocketAddress ui;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "60",
            description = "how long to wait for each volume (${DEFAULT-VALUE})")
    private Duration timeout = Duration.ofSeconds(60);

    /** Manifests to read; empty for the manifests in the program. */
    List<Path> files() {
        return List.copyOf(files);
    }

    Path root() {
        return root.toAbsolutePath().normalize();
    }

    /** Directories in which to look for tools first, before the usual ones. */
    List<Path> tools() {
        return tools.stream().map(Path::toAbsolutePath).toList();
    }

    boolean inMemory() {
        return inMemory;
    }

    List<CsiEndpoint> csi() {
        return List.copyOf(csi);
    }

    Duration timeout() {
        return timeout;
    }

    /** The address of the live view; null for no live view. */
    @Nullable
    InetSocketAddress ui() {
        return ui;
    }

    static Path defaultRoot() {
        String user = System.getProperty("user.name", "user");
        return user.equals("root")
                ? Path.of("/var/lib/volume4j-quickstart")
                : Path.of(System.getProperty("java.io.tmpdir"), "volume4j-quickstart-" + user);
    }

    /** Converts the directory of the program. It must be none that others use too. */
    static final class Root implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            Path root = Path.of(text);
            if (text.isEmpty() || root.toAbsolutePath().normalize().getParent() == null) {
                throw new TypeConversionException(
                        "is a directory for this program alone, such as " + defaultRoot() + ", not \"" + text + "\"");
            }
            return root;
        }
    }

    /** Converts a whole number of seconds. */
    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.matches("[1-9][0-9]{0,8}")) {
                throw new TypeConversionException("needs a whole number of seconds, at least 1, not " + text);
            }
            return Duration.ofSeconds(Long.parseLong(text));
        }
    }

    /** Converts an address of the loopback interface with a port. */
    static final class Loopback implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            String port = text.substring(text.lastIndexOf(':') + 1);
            if (!text.matches("(127\\.0\\.0\\.1|localhost|\\[::1\\]):[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
                throw new TypeConversionException("is 127.0.0.1:PORT, such as 127.0.0.1:8990, not " + text);
            }
            return new InetSocketAddress(text.substring(0, text.lastIndexOf(':')), Integer.parseInt(port));
        }
    }

    /** Converts the address of a socket. */
    static final class Endpoint implements ITypeConverter<CsiEndpoint> {
        @Override
        public CsiEndpoint convert(String text) {
            try {
                return CsiEndpoint.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(String.valueOf(wrong.getMessage()));
            }
        }
    }
}
