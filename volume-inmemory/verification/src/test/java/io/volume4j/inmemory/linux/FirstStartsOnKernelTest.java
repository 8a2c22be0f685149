package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several processes begin at the same moment on one root that is new, again and again. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FirstStartsOnKernelTest {
    private static final int PROCESSES = 4;
    private static final int ROUNDS = 25;

    @TempDir
    Path directory = Path.of("");

    @Test
    void oneSucceedsEachTimeAndTheOthersShareItsIdentityOrAreToldThatTheRootIsInUse() throws Exception {
        List<Process> starters = new ArrayList<>();
        try {
            List<BufferedReader> answers = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                Process starter = start();
                starters.add(starter);
                answers.add(
                        new BufferedReader(new InputStreamReader(starter.getInputStream(), StandardCharsets.UTF_8)));
            }
            for (BufferedReader each : answers) {
                assertThat(each.readLine()).isEqualTo("ready");
            }
            for (int round = 0; round < ROUNDS; round++) {
                Path root = directory.toRealPath().resolve("root-" + round);
                for (Process starter : starters) {
                    OutputStream to = starter.getOutputStream();
                    to.write((root + "\n").getBytes(StandardCharsets.UTF_8));
                    to.flush();
                }
                Set<String> identities = new TreeSet<>();
                for (BufferedReader each : answers) {
                    String said = String.valueOf(each.readLine());
                    if (said.startsWith("identity ")) {
                        identities.add(said);
                    } else {
                        assertThat(said).startsWith("TRANSIENT").contains(root + " is in use by another");
                    }
                }
                assertThat(identities).as("of round %s", round).hasSize(1);
                assertThat(unfinished(root)).isEmpty();
            }
        } finally {
            for (Process starter : starters) {
                starter.destroyForcibly().waitFor();
            }
        }
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        KilledAgentTest.classPath(),
                        FirstStarter.class.getName())
                // Warnings of the JVM go to its error stream, and are no answers.
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<Path> unfinished(Path root) throws IOException {
        try (Stream<Path> all = Files.list(root)) {
            return all.filter(path -> path.getFileName().toString().contains("unfinished"))
                    .toList();
        }
    }
}
