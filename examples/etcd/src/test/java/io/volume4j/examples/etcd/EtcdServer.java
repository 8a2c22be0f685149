package io.volume4j.examples.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A member of etcd on loopback, in a directory of its own. Tests that need it are skipped where etcd is not installed, unless the
 * build asks for all of them ({@code VOLUME4J_PRIVILEGED=required}, as CI does).
 */
final class EtcdServer implements AutoCloseable {
    private final Path directory;
    private final String scheme;
    private final int clientPort;
    private final int peerPort;
    private final String name;
    private final List<String> options;
    private String members = "";
    private @Nullable Process process;

    private EtcdServer(Path directory, String scheme, int clientPort, int peerPort, String name, List<String> options) {
        this.directory = directory;
        this.scheme = scheme;
        this.clientPort = clientPort;
        this.peerPort = peerPort;
        this.name = name;
        this.options = options;
    }

    static EtcdServer start(String... options) {
        return start("http", List.of(options));
    }

    /** One that clients reach by TLS only. */
    static EtcdServer startSecure(String... options) {
        return start("https", List.of(options));
    }

    private static EtcdServer start(String scheme, List<String> options) {
        requireInstalled();
        try {
            Path directory = Files.createTempDirectory("volume4j-etcd");
            List<Integer> ports = FreePorts.find(2);
            EtcdServer made = new EtcdServer(directory, scheme, ports.get(0), ports.get(1), "one", options);
            try {
                made.members = "one=" + made.peer();
                made.process = made.launch();
                made.awaitListening();
                return made;
            } catch (IOException failed) {
                made.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Members of one cluster. */
    static List<EtcdServer> startMembers(int count) {
        requireInstalled();
        List<EtcdServer> made = new ArrayList<>();
        try {
            List<Integer> ports = FreePorts.find(2 * count);
            for (int i = 0; i < count; i++) {
                made.add(new EtcdServer(
                        Files.createTempDirectory("volume4j-etcd"),
                        "http",
                        ports.get(2 * i),
                        ports.get(2 * i + 1),
                        "member-" + i,
                        List.of("--heartbeat-interval=100", "--election-timeout=1000")));
            }
            String members =
                    made.stream().map(each -> each.name + "=" + each.peer()).collect(Collectors.joining(","));
            for (EtcdServer each : made) {
                each.members = members;
                each.process = each.launch();
            }
            for (EtcdServer each : made) {
                each.awaitListening();
            }
            return made;
        } catch (IOException failed) {
            made.forEach(EtcdServer::close);
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
        return URI.create(scheme + "://127.0.0.1:" + clientPort);
    }

    private String peer() {
        return "http://127.0.0.1:" + peerPort;
    }

    /** Its calls may take a minute: on a slow machine the member may be away for long when it starts again. */
    EtcdClient client() {
        return EtcdClient.builder()
                .endpoints(List.of(uri()))
                .callTimeout(Duration.ofMinutes(1))
                .build();
    }

    /** Ends the process as a crash does, and starts it again on what it had stored. */
    void crashAndRestart() {
        crash();
        try {
            process = launch();
            awaitListening();
            awaitHealthy();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** It listens before it has read its log and found its leader. */
    private void awaitHealthy() throws IOException {
        if (scheme.equals("https")) {
            return;
        }
        URL health = uri().resolve("/health").toURL();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (((HttpURLConnection) health.openConnection()).getResponseCode() != 200) {
            if (ended(Objects.requireNonNull(process)) || System.nanoTime() > end) {
                throw new IOException("etcd is not healthy: " + Files.readString(directory.resolve("log")));
            }
        }
    }

    void crash() {
        Process running = Objects.requireNonNull(process);
        running.destroyForcibly();
        try {
            running.waitFor();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Stops the process where it is: it answers nothing, and its connections stay. Returns when all its threads stand. */
    void pause() {
        signal("STOP");
        // The signal is sent when kill(1) ends, and a thread on another processor may still answer.
        while (!stands()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private boolean stands() {
        Path threads =
                Path.of("/proc", Long.toString(Objects.requireNonNull(process).pid()), "task");
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(EtcdServer::threadStands);
        } catch (IOException | UncheckedIOException ended) {
            return false;
        }
    }

    /** The state is the first word behind the name, which stands in brackets. */
    private static boolean threadStands(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            return line.startsWith("T", line.lastIndexOf(')') + 2);
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String which) {
        try {
            Process kill = new ProcessBuilder(
                            "kill",
                            "-" + which,
                            Long.toString(Objects.requireNonNull(process).pid()))
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("cannot send SIG" + which);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + uri(),
                "--advertise-client-urls=" + uri(),
                "--listen-peer-urls=" + peer(),
                "--initial-advertise-peer-urls=" + peer(),
                "--initial-cluster=" + members));
        command.addAll(options);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
    }

    private void awaitListening() throws IOException {
        try {
            awaitListening(Objects.requireNonNull(process), clientPort);
        } catch (IOException silent) {
            throw new IOException("etcd does not listen: " + Files.readString(directory.resolve("log")), silent);
        }
    }

    /** Waits until the process listens on the port of loopback; ends it if it does not. */
    static void awaitListening(Process started, int port) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (open.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                if (ended(started) || System.nanoTime() > end) {
                    started.destroyForcibly();
                    throw notYet;
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

    @Override
    public void close() {
        try {
            if (process != null) {
                crash();
            }
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
