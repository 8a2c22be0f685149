package io.volume4j.examples.agent.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.examples.agent.AsRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The agent's processes on several hosts over etcd, with faults between them. All of it runs in namespaces that end with their first
 * process, so that a test which fails, or is killed with its JVM's child, leaves nothing behind. The faults last for 30 seconds, or for
 * {@code -Dvolume4j.hosts.seconds}; 0 leaves these tests out. {@code -Dvolume4j.hosts.seed} begins with other choices.
 */
@ExtendWith(AsRoot.class)
class SeveralHostsTest {
    private static final int SECONDS = Integer.getInteger("volume4j.hosts.seconds", 30);

    private @Nullable Path directory;

    @BeforeEach
    void make() throws IOException, InterruptedException {
        assumeTrue(SECONDS > 0, "-Dvolume4j.hosts.seconds=0");
        assumeTrue(
                System.getProperty("volume4j.hosts.seconds") != null || kernelHasLinks(),
                "this kernel, or its iproute2, has no bridges, pairs of links, or slow links");
        assumeTrue(
                "required".equals(System.getProperty("volume4j.privileged"))
                        || Stream.of(System.getenv("PATH").split(":"))
                                .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd"))),
                "etcd is not installed; Debian's package is etcd-server");
        assumeTrue(
                "required".equals(System.getProperty("volume4j.privileged")) || WallClockTest.canCompile(),
                "there is no C compiler to step clocks; Debian's package is gcc");
        // short: paths of sockets have few bytes
        directory = Files.createTempDirectory(Path.of("/tmp"), "v4j");
    }

    @AfterEach
    void remove() throws IOException {
        if (directory == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Test
    void noVolumeIsWithTwoHostsWhateverFailsAndAllThatIsWantedIsThereInTheEnd() throws Exception {
        run(SECONDS > 60 ? 5 : 3, SECONDS, Long.getLong("volume4j.hosts.seed", 1), true);
        assertThat(read("violations")).isEmpty();
        assertThat(read("missing")).isEmpty();
    }

    @Test
    void theJudgeSeesThatAVolumeIsTakenFromANodeWhoseWatchdogDidNotAct() throws Exception {
        run(3, 0, 1, false);
        assertThat(read("violations")).contains("DETACHED_IN_USE");
    }

    private static boolean kernelHasLinks() throws IOException, InterruptedException {
        String links = "ip link add hub type bridge && ip link add one type veth peer name two"
                + " && tc qdisc add dev one root tbf rate 48kbit burst 4kb latency 3s";
        return new ProcessBuilder("unshare", "--net", "--mount", "--pid", "--fork", "sh", "-c", links)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static String last(Path log, int lines) {
        try {
            List<String> all = Files.readAllLines(log);
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private String read(String what) throws IOException {
        return Files.readString(Objects.requireNonNull(directory).resolve(what));
    }

    private void run(int nodes, int seconds, long seed, boolean watchdogsAct) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--net",
                "--mount",
                "--propagation",
                "private",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                System.getProperty("java.home") + "/bin/java",
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SeveralHosts.class.getName()));
        command.addAll(List.of(
                Objects.requireNonNull(directory).toString(),
                Integer.toString(nodes),
                Integer.toString(seconds),
                Long.toString(seed),
                Boolean.toString(watchdogsAct)));
        Path log = Path.of("target/hosts-" + seed + (watchdogsAct ? "" : "-lie") + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(seconds + 1200L, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(() -> "the end of " + log.toAbsolutePath() + ":\n" + last(log, 30))
                    .isZero();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
