package io.volume4j.csi.driver;

import io.volume4j.csi.driver.oracle.Inventory;
import io.volume4j.csi.driver.server.PrivateDirectory;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A socket with which a test in another process controls and queries the driver. The test sends one line with a command;
 * the driver answers with lines and closes the connection. The command {@code help} lists the commands. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ControlSocket implements Closeable {
    static final String HELP = """
            fault RULE                  adds a fault
            no-faults                   forgets all faults
            calls                       the calls that have ended
            await RPC N                 waits until N calls of that name have come in
            inventory                   what exists
            leaks [ID]...               what exists besides what belongs to these
            violations                  what the caller did wrong
            secrets-in FILE             the numbers of the lines that hold a secret which was sent
            registrations               what node agents answered
            reboot NODE                 that node's mounts vanish
            abnormal ID, healthy ID     of a volume, as everyone sees it
            health ID VIEWER [STATUS REASON [MESSAGE]]   of a volume, as "controller", a node or "*" sees it
            storage-health NODE [STATUS REASON [MESSAGE]]
            not-ready N                 so many probes
            replace-sockets             as a driver that is replaced
            crash, crash-losing-state   as SIGKILL
            """;

    private final CsiTestDriver driver;
    private final Path path;
    private final ServerSocketChannel listener;
    private final Thread thread;

    /**
     * Listens until it is closed.
     *
     * @param path of the socket; replaces the socket of a dead process
     * @throws IOException if it cannot listen, if the path exists and is not a socket, or if another user could exchange the socket
     */
    public ControlSocket(CsiTestDriver driver, Path path) throws IOException {
        this.driver = driver;
        this.path = path;
        PrivateDirectory.prepare(path);
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        thread = new Thread(this::listen, "csi-driver-control");
        thread.setDaemon(true);
        boolean listens = false;
        try {
            thread.start();
            listens = true;
        } finally {
            if (!listens) {
                listener.close();
            }
        }
    }

    private void listen() {
        while (listener.isOpen()) {
            try (SocketChannel peer = listener.accept()) {
                BufferedReader in = new BufferedReader(Channels.newReader(peer, StandardCharsets.UTF_8));
                String line = in.readLine();
                if (line != null) {
                    StringBuilder answer = new StringBuilder();
                    answer(line.strip()).forEach(each -> answer.append(each).append('\n'));
                    Channels.newOutputStream(peer).write(answer.toString().getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException closedOrPeerGone) {
                // wait for the next peer, or leave the loop after close
            }
        }
    }

    /** The answer to one command; for a failure it is a line that begins with {@code error:}. */
    List<String> answer(String line) {
        String[] words = line.split("\\s+", 2);
        String rest = words.length > 1 ? words[1] : "";
        try {
            return run(words[0], rest);
        } catch (RuntimeException | IOException | Error wrong) {
            // Also an Error, such as a failed start of a thread: without an answer the peer would wait for ever.
            return List.of("error: " + wrong.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of("error: interrupted");
        }
    }

    private List<String> run(String command, String rest) throws IOException, InterruptedException {
        switch (command) {
            case "help" -> {
                return HELP.lines().toList();
            }
            case "fault" -> driver.faults().add(rest);
            case "no-faults" -> driver.faults().clear();
            case "calls" -> {
                return driver.calls().records().stream()
                        .map(call -> "%s %s %s".formatted(call.rpc(), call.subject(), call.outcome()))
                        .toList();
            }
            case "await" -> {
                String[] what = rest.split("\\s+");
                if (what.length != 2) {
                    throw new IllegalArgumentException("await RPC N");
                }
                if (!driver.calls().awaitBegun(what[0], Long.parseLong(what[1]), Duration.ofSeconds(60))) {
                    throw new IllegalStateException("not within a minute");
                }
            }
            case "inventory" -> {
                return lines(driver.inventory());
            }
            case "leaks" -> {
                return driver.inventory().leaks(rest.isEmpty() ? List.of() : List.of(rest.split("\\s+")));
            }
            case "violations" -> {
                return driver.oracle().violations().stream()
                        .map(Object::toString)
                        .toList();
            }
            case "secrets-in" -> {
                return driver.oracle().linesWithSecrets(Path.of(rest)).stream()
                        .map(Object::toString)
                        .toList();
            }
            case "registrations" -> {
                return driver.registrations();
            }
            case "reboot" -> driver.reboot(rest);
            case "abnormal" -> driver.setAbnormal(rest, true);
            case "healthy" -> driver.setAbnormal(rest, false);
            case "health" -> {
                String[] words = rest.split("\\s+", 3);
                if (words.length < 2) {
                    throw new IllegalArgumentException("health ID VIEWER [STATUS REASON [MESSAGE]]");
                }
                driver.setHealth(words[0], words[1], finding(words.length > 2 ? words[2] : ""));
            }
            case "storage-health" -> {
                String[] words = rest.split("\\s+", 2);
                driver.setStorageHealth(words[0], finding(words.length > 1 ? words[1] : ""));
            }
            case "not-ready" -> driver.notReadyFor(Integer.parseInt(rest));
            case "replace-sockets" -> driver.replaceSockets();
            case "crash" -> driver.dies(false);
            case "crash-losing-state" -> driver.dies(true);
            default -> throw new IllegalArgumentException("no command is called \"" + command + "\"; try help");
        }
        return List.of("ok");
    }

    private static HealthFinding[] finding(String text) {
        if (text.isEmpty()) {
            return new HealthFinding[0];
        }
        String[] words = text.split("\\s+", 3);
        if (words.length < 2) {
            throw new IllegalArgumentException("a status needs a reason");
        }
        return new HealthFinding[] {HealthFinding.of(words[0], words[1], words.length > 2 ? words[2] : "")};
    }

    private static List<String> lines(Inventory inventory) {
        List<String> lines = new ArrayList<>();
        inventory.volumes().forEach(id -> lines.add("volume " + id));
        inventory.snapshots().forEach(id -> lines.add("snapshot " + id));
        inventory.groups().forEach(id -> lines.add("group " + id));
        inventory.attachments().forEach(each -> lines.add("attached " + each));
        lines.addAll(inventory.uses());
        lines.addAll(inventory.mounts());
        inventory.born().forEach((name, times) -> lines.add("born " + times + " " + name));
        return lines;
    }

    /** Stops listening and removes the socket. The driver continues. Idempotent. */
    @Override
    public void close() throws IOException {
        listener.close();
        Files.deleteIfExists(path);
        try {
            thread.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
