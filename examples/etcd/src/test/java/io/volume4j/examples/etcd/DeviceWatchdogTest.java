package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only a watchdog that resets the machine after this process was killed, and in the time that it promised. Its driver is a directory. */
class DeviceWatchdogTest {
    private static final Duration GIVEN = Duration.ofSeconds(10);

    @TempDir
    private Path root;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            watchdog0 | 10 | 0x8180 | 0
            watchdog0 |  5 | 0x100  | 1
            watchdog0 | 10 | 0x8080 | 1
            watchdog1 | 10 | 0x8180 | 0
            watchdog  | 10 | 0x8180 | 0
            """)
    void isArmedByBeingOpened(String device, String timeout, String options, String nowayout) throws IOException {
        Watchdog watchdog = watchdog(device, timeout, options, nowayout);
        watchdog.arm();
        watchdog.feed();
        watchdog.release();

        assertThat(root.resolve(device)).hasContent("1V");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            11 | 0x8180 | 0 | acts after 11 s, not within the 10 s
            60 | 0x8180 | 1 | give its real time
            0  | 0x8180 | 0 | acts after 0 s
            10 | 0x8080 | 0 | would stop when this process is killed
            10 | 0x8080 | 0 | nowayout=1
            10 | ?      | 0 | options cannot be read
            ?  | 0x8180 | 0 | timeout cannot be read
            """)
    void isNotOpenedIfItMightNotResetTheMachine(String timeout, String options, String nowayout, String why)
            throws IOException {
        Watchdog watchdog = watchdog("watchdog0", timeout, options, nowayout);

        assertThatThrownBy(watchdog::arm)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
        assertThat(root.resolve("watchdog0")).as("was not opened").hasContent("as it was");
    }

    @Test
    void isNotOpenedIfItsDriverShowsNothing() throws IOException {
        Path device = Files.writeString(root.resolve("watchdog0"), "as it was");

        assertThatThrownBy(() -> new DeviceWatchdog(device, GIVEN, root.resolve("sys")).arm())
                .hasMessageContaining("CONFIG_WATCHDOG_SYSFS");
        assertThat(device).hasContent("as it was");
    }

    private Watchdog watchdog(String name, String timeout, String options, String nowayout) throws IOException {
        Path device = Files.writeString(root.resolve(name), "as it was");
        Path driver =
                Files.createDirectories(root.resolve("sys").resolve(name.equals("watchdog") ? "watchdog0" : name));
        Files.writeString(driver.resolve("timeout"), timeout + "\n");
        Files.writeString(driver.resolve("options"), options + "\n");
        Files.writeString(driver.resolve("nowayout"), nowayout + "\n");
        return new DeviceWatchdog(device, GIVEN, root.resolve("sys"));
    }
}
