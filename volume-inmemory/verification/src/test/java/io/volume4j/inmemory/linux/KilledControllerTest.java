package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.inmemory.linux.KilledController.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A JVM with a controller is killed while a flexvolume driver works for it. The driver lives on; the next controller runs the
 * driver again only when the first one is gone. Needs no rights.
 */
class KilledControllerTest {
    @TempDir
    Path directory = Path.of("");

    private Path driver = Path.of("");
    private Path root = Path.of("");

    @BeforeEach
    void installDriver() throws IOException {
        directory = directory.toRealPath();
        root = directory.resolve("root");
        driver = Files.writeString(
                directory.resolve("disk"),
                // The first call with an effect says who it is and never ends; the next one looks whether it lives. A
                // process that has ended and that its parent has not waited for is no more than its number.
                """
                #!/bin/sh
                cd '%s'
                effect() {
                  if mkdir first 2>/dev/null; then
                    echo $$ > pid.new
                    mv pid.new pid
                    exec sleep 100000
                  fi
                  if grep -q '^State:[[:space:]]*[^ZX]' "/proc/$(cat pid)/status" 2>/dev/null
                  then echo lives > verdict.new
                  else echo gone > verdict.new
                  fi
                  mv verdict.new verdict
                }
                case $1 in
                init) echo '{"status":"Success","capabilities":{"attach":true}}' ;;
                attach) effect; echo '{"status":"Success","device":"/dev/null"}' ;;
                expandvolume) effect; echo '{"status":"Success","volumeNewSize":"2147483648"}' ;;
                *) echo '{"status":"Not supported"}' ;;
                esac
                """.formatted(directory));
        Files.setPosixFilePermissions(driver, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void endDriver() throws IOException {
        if (Files.exists(directory.resolve("pid"))) {
            ProcessHandle.of(first()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void theNextControllerRunsADriverOnlyWhenWhatTheKilledOneLeftIsGone(Role role) throws Exception {
        Path log = directory.resolve("log");
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        KilledAgentTest.classPath(),
                        KilledController.class.getName(),
                        root.toString(),
                        driver.toString(),
                        role.name())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                assertThat(killed.isAlive()).as("%s", Files.readString(log)).isTrue();
                return Files.exists(directory.resolve("pid"));
            });
        } finally {
            killed.destroyForcibly().waitFor();
        }
        // While the driver turns into another program, no process can read its environment.
        await("it outlives the controller")
                .atMost(Duration.ofMinutes(1))
                .until(() -> environment(first()).contains("VOLUME4J_OPERATION="));

        try (KilledController next = new KilledController(root, driver, role)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(directory.resolve("verdict")));
            assertThat(next).isNotNull();
        }

        assertThat(directory.resolve("verdict")).hasContent("gone");
    }

    private long first() throws IOException {
        return Long.parseLong(Files.readString(directory.resolve("pid")).trim());
    }

    private static String environment(long process) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process), "environ"));
    }
}
