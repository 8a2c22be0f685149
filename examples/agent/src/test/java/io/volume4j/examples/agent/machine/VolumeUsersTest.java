package io.volume4j.examples.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.agent.AsRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Which processes are users of the volumes below a root, on the real kernel. */
@ExtendWith(AsRoot.class)
class VolumeUsersTest {
    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private Path root;
    private Path volume;
    private VolumeUsers users;

    @BeforeEach
    void mount() throws Exception {
        root = Files.createDirectories(directory.resolve("root"));
        volume = Files.createDirectories(root.resolve("pods/p/data"));
        run("mount", "-t", "tmpfs", "volume4j-test", volume.toString());
        Files.writeString(volume.resolve("file"), "content");
        users = new VolumeUsers(root, Duration.ofMillis(500));
    }

    @AfterEach
    void unmount() throws Exception {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
        new ProcessBuilder("umount", "-q", volume.toString()).start().waitFor();
    }

    @Test
    void aProcessWithAnOpenFileAndOneThatWorksThereAreUsers() throws Exception {
        Process reads = start(directory, "tail", "-f", volume.resolve("file").toString());
        Process stands = start(volume, "sleep", "1000");
        Process other = start(directory, "sleep", "1000");
        awaitOpen(reads);
        untilEnded(reads, users::stopThoseHere);
        untilEnded(stands, users::stopThoseHere);
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void aProcessThatDoesNotEndWhenItIsAskedIsKilled() throws Exception {
        Process ignores = start(volume, "env", "--ignore-signal=TERM", "sleep", "1000");
        awaitCommand(ignores, "sleep");
        untilEnded(ignores, users::stopThoseHere);
        assertThat(ignores.exitValue()).isEqualTo(128 + 9);
    }

    @Test
    void aProcessHasItsGraceByTimeThatOnlyGrows() throws Exception {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
        users = new VolumeUsers(Path.of("/proc"), root, Duration.ofSeconds(2), nanos::get);
        Process ignores = start(volume, "env", "--ignore-signal=TERM", "sleep", "1000");
        awaitCommand(ignores, "sleep");
        users.stopThoseHere();
        nanos.addAndGet(1_999_999_999);
        users.stopThoseHere();
        assertThat(ignores.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        nanos.addAndGet(1);
        untilEnded(ignores, users::stopThoseHere);
        assertThat(ignores.exitValue()).isEqualTo(128 + 9);
    }

    /** Such as a container: it has nothing open, but its own mount of the volume outlives the unmount here. */
    @Test
    void aProcessWhoseNamespaceHasTheVolumeStillIsAUserAfterTheUnmount() throws Exception {
        Process contained = start(directory, "unshare", "--mount", "--propagation", "private", "sleep", "1000");
        awaitCommand(contained, "sleep");
        users.stopThoseHere();
        run("umount", volume.toString());
        assertThat(users.stopThoseElsewhere()).isPresent();
        untilEnded(contained, () -> {
            var unused = users.stopThoseElsewhere();
        });
        assertThat(users.stopThoseElsewhere()).isEmpty();
    }

    /** A hostPath of the whole machine would make a user of each process on it. */
    @Test
    void whatTheMachineHasMountedItselfIsNoVolume() throws Exception {
        Path own = Files.createDirectories(directory.resolve("own"));
        run("mount", "--bind", volume.toString(), own.toString());
        try {
            Process stands = start(volume, "sleep", "1000");
            awaitCommand(stands, "sleep");
            users.stopThoseHere();
            users.stopThoseHere();
            assertThat(stands.waitFor(1, TimeUnit.SECONDS)).isFalse();
        } finally {
            run("umount", "--lazy", own.toString());
        }
    }

    /** Another one of the machine has nothing to do with the volumes, and must not keep the node from giving them up. */
    @Test
    void aProcessThatMapsAFileWithALetterThatTheLocaleDoesNotHaveIsNoObstacle() throws Exception {
        Path proc = Files.createDirectories(directory.resolve("proc"));
        for (String process : List.of("self", "999999999")) {
            Path made = Files.createDirectories(proc.resolve(process));
            Files.createDirectories(made.resolve("fdinfo"));
            Files.createSymbolicLink(Files.createDirectories(made.resolve("ns")).resolve("mnt"), Path.of("mnt:[1]"));
            Files.writeString(made.resolve("mountinfo"), "40 1 0:50 / " + volume + " rw - tmpfs tmpfs rw\n");
            Files.writeString(made.resolve("maps"), "7f00-7f01 r--p 0 00:2a 7 /usr/share/m\u00fcnze\n");
        }
        ProcessBuilder agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GivesUp.class.getName(),
                        proc.toString(),
                        root.toString())
                .redirectErrorStream(true);
        agent.environment().put("LC_ALL", "C");
        Process gaveUp = agent.start();
        started.add(gaveUp);

        String said = new String(gaveUp.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gaveUp.waitFor()).as(said).isZero();
        assertThat(said).endsWith("ANSI_X3.4-1968\n");
    }

    /** A program that gives up its volumes, in a locale of its own. */
    static final class GivesUp {
        private GivesUp() {}

        public static void main(String[] words) {
            new VolumeUsers(Path.of(words[0]), Path.of(words[1]), Duration.ofSeconds(1), System::nanoTime)
                    .stopThoseHere();
            System.out.println(System.getProperty("sun.jnu.encoding"));
        }
    }

    private void untilEnded(Process process, Runnable stop) throws InterruptedException {
        for (int looks = 0; !process.waitFor(100, TimeUnit.MILLISECONDS); looks++) {
            assertThat(looks).isLessThan(300);
            stop.run();
        }
    }

    private Process start(Path where, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .start();
        started.add(process);
        return process;
    }

    private static void awaitOpen(Process process) throws Exception {
        // its first line comes after it opened the file
        assertThat(process.getInputStream().read()).isPositive();
    }

    private static void awaitCommand(Process process, String program) throws Exception {
        Path name = Path.of("/proc", Long.toString(process.pid()), "comm");
        for (int looks = 0; !Files.readString(name).strip().equals(program); looks++) {
            assertThat(looks).isLessThan(600);
            assertThat(process.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
