package io.volume4j.examples.agent.hosts;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One host: a network, a mount and a PID namespace, a link to the others, and one program that is started anew when it ends. The
 * namespaces live as long as their first process.
 */
final class Host {
    final String name;
    final Path directory;
    private final String address;
    private final Setup setup;
    private final List<String> program;
    private final @Nullable WallClock clock;
    private @Nullable Process machine;
    private @Nullable Process running;
    private boolean cut;

    /** What a host has mounted for itself, as commands for a process in it. */
    interface Setup {
        void on(Host host) throws IOException, InterruptedException;
    }

    /** @param clock of the program; null for one that keeps the machine's */
    Host(String name, String address, Path directory, List<String> program, @Nullable WallClock clock, Setup setup) {
        this.name = name;
        this.address = address;
        this.directory = directory;
        this.program = program;
        this.clock = clock;
        this.setup = setup;
    }

    String address() {
        return address;
    }

    /** Switches the machine on, without its program. */
    synchronized void boot() throws IOException, InterruptedException {
        Process made = new ProcessBuilder(
                        "unshare",
                        "--net",
                        "--mount",
                        "--propagation",
                        "slave",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount-proc",
                        "sleep",
                        "infinity")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log("machine")))
                .start();
        machine = made;
        while (first().isEmpty()
                || !"sleep"
                        .equals(first().get()
                                .info()
                                .command()
                                .map(Host::fileName)
                                .orElse(""))) {
            if (made.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IOException("the namespaces of " + name + " cannot be made: see " + log("machine"));
            }
        }
        String first = Long.toString(first().orElseThrow().pid());
        run("ip", "link", "add", link(), "type", "veth", "peer", "name", "eth0", "netns", first);
        run("ip", "link", "set", link(), "master", "hub");
        run("ip", "link", "set", link(), cut ? "down" : "up");
        inside("ip", "address", "add", address + "/24", "dev", "eth0");
        inside("ip", "link", "set", "lo", "up");
        inside("ip", "link", "set", "eth0", "up");
        setup.on(this);
    }

    /** Switches the machine off as a loss of power does. */
    synchronized void powerOff() throws IOException, InterruptedException {
        if (machine != null) {
            first().ifPresent(ProcessHandle::destroyForcibly);
            machine.destroyForcibly().waitFor();
            machine = null;
            // the kernel takes a network down some time after its last process; the next one's link has the same name
            new ProcessBuilder("ip", "link", "delete", link()).start().waitFor();
        }
        if (running != null) {
            running.destroyForcibly().waitFor();
            running = null;
        }
    }

    synchronized boolean on() {
        return machine != null;
    }

    /** Starts the program if the machine is on and the program does not run. */
    synchronized void supervise() throws IOException {
        if (machine != null && (running == null || !running.isAlive())) {
            running = start(log("program"), program.toArray(String[]::new));
        }
    }

    /** A process on the host. */
    synchronized Process start(File output, String... command) throws IOException {
        return new ProcessBuilder(entering(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                .start();
    }

    File log(String what) {
        return directory.resolve(what + ".log").toFile();
    }

    synchronized void signalProgram(String signal) throws IOException, InterruptedException {
        if (running == null) {
            return;
        }
        for (ProcessHandle each : running.children().toList()) {
            kill(signal, each.pid());
        }
        if (signal.equals("CONT")) {
            // nsenter stops itself with its program, and would not notice any more that the program ended
            kill(signal, running.pid());
        }
    }

    /** The program's wall clock is wrong by so much from now on. */
    synchronized void stepClock(Duration wrongBy) throws IOException {
        Objects.requireNonNull(clock).step(wrongBy);
    }

    private static void kill(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    synchronized boolean isCut() {
        return cut;
    }

    /** No packet comes or goes. */
    synchronized void cut(boolean down) throws IOException, InterruptedException {
        cut = down;
        if (machine != null) {
            run("ip", "link", "set", link(), down ? "down" : "up");
        }
    }

    /** Packets to the other host are lost, those from it arrive. */
    synchronized void cutTo(Host other, boolean lost) throws IOException, InterruptedException {
        if (machine != null) {
            List<String> command =
                    new ArrayList<>(List.of("ip", "route", lost ? "replace" : "delete", "blackhole", other.address));
            // a machine that was switched on anew has no such route
            new ProcessBuilder(entering(command.toArray(String[]::new))).start().waitFor();
        }
    }

    /**
     * Packets wait in a queue, in both directions: what takes a millisecond takes up to some seconds, and what does not fit is lost. A
     * machine that is switched on anew has a link that is as fast as before.
     */
    synchronized void slow(boolean slow) throws IOException, InterruptedException {
        if (machine == null) {
            return;
        }
        if (slow) {
            run(queue("replace", link(), "tbf", "rate", "48kbit", "burst", "4kb", "latency", "3s"));
            inside(queue("replace", "eth0", "tbf", "rate", "48kbit", "burst", "4kb", "latency", "3s"));
        } else {
            // a machine that was switched on anew has no such queue
            new ProcessBuilder(queue("delete", link())).start().waitFor();
            new ProcessBuilder(entering(queue("delete", "eth0"))).start().waitFor();
        }
    }

    private static String[] queue(String verb, String device, String... how) {
        return Stream.concat(Stream.of("tc", "qdisc", verb, "dev", device, "root"), Stream.of(how))
                .toArray(String[]::new);
    }

    synchronized void inside(String... command) throws IOException, InterruptedException {
        run(entering(command).toArray(String[]::new));
    }

    private List<String> entering(String... command) {
        String first = Long.toString(first().orElseThrow().pid());
        List<String> entering = new ArrayList<>(List.of("nsenter", "-t", first, "-m", "-n", "-p", "--"));
        entering.addAll(List.of(command));
        return entering;
    }

    private Optional<ProcessHandle> first() {
        return machine == null ? Optional.empty() : machine.children().findFirst();
    }

    private String link() {
        return "to-" + name;
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }
}
