package io.volume4j.examples.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One member of etcd on loopback, in a directory of its own. Tests that need it are skipped where etcd is not installed, unless the
 * build asks for all of them ({@code VOLUME4J_PRIVILEGED=required}, as CI does).
 */
final class EtcdServer implements AutoCloseable {
    private final Path directory;
    private final List<String> options;
    private final int clientPort;
    private final int peerPort;
    private Process process;

    private EtcdServer(Path directory, List<String> options) throws IOException {
        this.directory = directory;
        this.options = options;
        clientPort = freePort();
        peerPort = freePort();
        process = launch();
    }

    static EtcdServer start(String... options) {
        requireInstalled();
        try {
            return new EtcdServer(Files.createTempDirectory("volume4j-etcd"), List.of(options));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void requireInstalled() {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "etcd")));
        if (!"required".equals(System.getProperty("volume4j.privileged"))) {
            assumeTrue(installed, "etcd is not installed; Debian's package is etcd-server");
        } else if (!installed) {
            throw new IllegalStateException("etcd is not installed; Debian's package is etcd-server");
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + clientPort);
    }

    EtcdClient client() {
        return EtcdClient.builder().endpoints(List.of(uri())).build();
    }

    /** Ends the process as a crash does, and starts it again on what it had stored. */
    void crashAndRestart() {
        process.destroyForcibly();
        try {
            process.waitFor();
            process = launch();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private Process launch() throws IOException {
        String client = "http://127.0.0.1:" + clientPort;
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                "etcd",
                "--name=one",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=one=" + peer));
        command.addAll(options);
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        awaitListening(started);
        return started;
    }

    private void awaitListening(Process started) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), clientPort)) {
                if (open.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                if (ended(started) || System.nanoTime() > end) {
                    started.destroyForcibly();
                    throw new IOException(
                            "etcd does not listen: " + Files.readString(directory.resolve("log")), notYet);
                }
            }
        }
    }

    /** Waits a moment for the end of the process, which is the pause between two looks. */
    private static boolean ended(Process started) {
        try {
            return started.waitFor(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
