package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.csidriver.CsiDriver;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same with real processes and real SIGKILL. */
@Timeout(240)
class LifecycleProcessTest {
    private static final int KILLED = 137;

    private final Ground ground = new Ground();
    private final List<Process> processes = new ArrayList<>();
    private int logs;

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            // asked first, so that mounts go with the driver
            process.destroy();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        ground.close();
    }

    @Test
    void aWholeLifeAgainstADriverThatEndsInOrder() throws Exception {
        Process driver = driver();

        String out = finish(lifecycle("--ephemeral", "--mutable", "iops=1"), 0);

        assertThat(out).contains("wrote and read", "nothing is left", "passed in");
        assertThat(command("leaks")).isEmpty();
        assertThat(command("violations")).isEmpty();
        driver.destroy();
        assertThat(driver.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(driver.exitValue()).isZero();
        assertThat(ground.socket()).doesNotExist();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1))
                .doesNotContain(ground.path().toString());
    }

    @Test
    void aClientThatIsKilledWhileADriverWorksForIt() throws Exception {
        driver();
        for (String fault :
                List.of("CreateVolume after hang", "NodePublishVolume after hang", "DeleteVolume before hang")) {
            String rpc = fault.split(" ")[0];
            long before = command("calls").stream()
                    .filter(call -> call.startsWith(rpc + " "))
                    .count();
            command("fault " + fault);
            Process client = lifecycle();
            assertThat(command("await " + rpc + " " + (before + 1))).containsExactly("ok");
            if (fault.startsWith("NodePublish")) {
                while (command("inventory").stream().noneMatch(line -> line.contains(" published on "))) {
                    Thread.onSpinWait();
                }
            }
            client.destroyForcibly().waitFor();
            command("no-faults");

            finish(lifecycle("--clean"), 0);

            assertThat(command("leaks")).as(fault).isEmpty();
            assertThat(command("inventory").stream().filter(line -> line.startsWith("born")))
                    .as(fault)
                    .allMatch(line -> line.startsWith("born 1 "));
        }
    }

    @Test
    void aDriverThatIsKilledAndStartedAgain() throws Exception {
        for (String fault : List.of("CreateVolume call=1 after crash", "NodeStageVolume call=1 before crash")) {
            Process dying = driver("--fault", fault);
            Process client = lifecycle();
            assertThat(dying.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(dying.exitValue()).isEqualTo(KILLED);

            Process next = driver();
            finish(client, 0);

            assertThat(command("leaks")).as(fault).isEmpty();
            assertThat(command("violations")).as(fault).isEmpty();
            assertThat(command("inventory").stream().filter(line -> line.startsWith("born")))
                    .as(fault)
                    .allMatch(line -> line.startsWith("born 1 "));
            next.destroy();
            assertThat(next.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A JVM is started for each of the calls, so a busy machine needs minutes. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void aProgramOfTheUsersKillsTheDriverWhichIsStartedAgain() throws Exception {
        Path pid = ground.path().resolve("pid");
        Path script = Files.writeString(
                ground.path().resolve("kill.sh"),
                // The driver answers before its new number is written.
                "until kill -9 $(cat " + pid + ") 2>/dev/null; do sleep 0.1; done\n");
        Process living = driver();
        Files.writeString(pid, Long.toString(living.pid()));
        Process client = lifecycle(
                "--focus", "kill-after", "--focus", "expand", "--kill=/bin/sh", "--kill=" + script, "--timeout=100");
        int number = processes.indexOf(client) + 1;
        int killed = 0;
        while (client.isAlive()) {
            if (living.waitFor(20, TimeUnit.MILLISECONDS)) {
                killed++;
                living = driver();
                Files.writeString(pid, Long.toString(living.pid()));
            }
        }

        String out = Files.readString(ground.path().resolve("log-" + number));
        assertThat(client.exitValue()).as(out).isZero();
        assertThat(killed).as(out).isGreaterThan(10);
        assertThat(command("leaks")).isEmpty();
    }

    private Process driver(String... more) throws Exception {
        Files.deleteIfExists(control());
        List<String> words = new ArrayList<>(List.of(
                "--endpoint",
                "unix://" + ground.socket(),
                "--state-dir",
                ground.path().resolve("driver").toString(),
                "--control",
                "unix://" + control(),
                "--mounts",
                Ground.mayMount() ? "binds" : "links"));
        words.addAll(List.of(more));
        Process process = start(CsiDriver.class.getName(), words);
        while (!Files.exists(control())) {
            assertThat(process.waitFor(20, TimeUnit.MILLISECONDS))
                    .as("it starts")
                    .isFalse();
        }
        return process;
    }

    private Process lifecycle(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "--endpoint",
                "unix://" + ground.socket(),
                "--state",
                ground.state().toString(),
                "--size",
                "1Mi"));
        words.addAll(List.of(more));
        return start(CsiLifecycle.class.getName(), words);
    }

    private Process start(String main, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // its log belongs to what is looked through for secrets
                "-Dbasedir=" + System.getProperty("basedir", "."),
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(words);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ground.path().resolve("log-" + ++logs).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private String finish(Process process, int code) throws Exception {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        String out = Files.readString(ground.path().resolve("log-" + (processes.indexOf(process) + 1)));
        assertThat(process.exitValue()).as(out).isEqualTo(code);
        return out;
    }

    private Path control() {
        return ground.path().resolve("control.sock");
    }

    private List<String> command(String line) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(control()));
            Channels.newOutputStream(channel).write((line + "\n").getBytes(StandardCharsets.UTF_8));
            byte[] answer = Channels.newInputStream(channel).readAllBytes();
            return new String(answer, StandardCharsets.UTF_8).lines().toList();
        }
    }
}
