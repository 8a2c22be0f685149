package io.volume4j.examples.agent.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WallClockTest {
    @TempDir
    Path directory;

    /** Answers each byte with its wall clock in milliseconds, and by how many milliseconds time grew while it waited for one. */
    static final class Program {
        private Program() {}

        public static void main(String[] words) throws IOException {
            while (System.in.read() >= 0) {
                long began = System.nanoTime();
                LockSupport.parkUntil(System.currentTimeMillis() + 1);
                System.out.println(System.currentTimeMillis() + " " + (System.nanoTime() - began) / 1_000_000);
            }
        }
    }

    @Test
    void theWallClockOfARunningJvmIsSteppedAndTimeThatOnlyGrowsIsNot() throws Exception {
        assumeTrue(
                "required".equals(System.getProperty("volume4j.privileged")) || canCompile(),
                "there is no C compiler; Debian's package is gcc");
        WallClock clock = new WallClock(WallClock.library(directory), directory.resolve("clock"));
        Process program = new ProcessBuilder(clock.around(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader answers = program.inputReader();
                OutputStream asks = program.getOutputStream()) {
            for (Duration wrongBy :
                    List.of(Duration.ZERO, Duration.ofHours(5), Duration.ofMinutes(-7), Duration.ofDays(-2))) {
                clock.step(wrongBy);
                asks.write('\n');
                asks.flush();
                String[] answer = answers.readLine().split(" ");
                assertThat(Long.parseLong(answer[0]) - System.currentTimeMillis() - wrongBy.toMillis())
                        .as("%s", wrongBy)
                        .isBetween(-30_000L, 30_000L);
                assertThat(Long.parseLong(answer[1])).as("%s", wrongBy).isBetween(0L, 30_000L);
            }
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    static boolean canCompile() {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, "cc")));
    }
}
