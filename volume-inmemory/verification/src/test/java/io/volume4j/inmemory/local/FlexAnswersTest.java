package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver says is believed as far as it can be true. */
class FlexAnswersTest extends FlexBench {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ok",
                "{}",
                "{\"status\":\"Failed\"}",
                "{\"status\":\"Success\"} and more",
                "[\"Success\"]",
                "{\"status\":\"Success\"",
            })
    void whatIsNoAnswerIsAFailureThatMayHaveHadAnEffect(String output) {
        plugin();
        driver.says("attach", output);

        VolumeException failure = catchThrowableOfType(VolumeException.class, this::attach);

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessageContaining("flexvolume driver example.com/disk attach");
    }

    @Test
    void successWithABadExitCodeIsTheDriversBugAndAFailure() {
        plugin();
        driver.ends("attach", new Outcome(Ending.EXITED, 3, "{\"status\":\"Success\",\"device\":\"/dev/x\"}", false));

        assertThat(catchThrowableOfType(VolumeException.class, this::attach))
                .hasMessageContaining("it says Success and ended with exit code 3");
    }

    @Test
    void aDriverThatTakesTooLongOrPrintsTooMuchIsAFailure() {
        plugin();
        driver.ends("attach", new Outcome(Ending.OVERDUE, 0, "", false));
        assertThat(catchThrowableOfType(VolumeException.class, this::attach)).hasMessageContaining("attach: timeout");

        driver.ends("attach", new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", true));
        assertThat(catchThrowableOfType(VolumeException.class, this::attach)).hasMessageContaining("printed more");
    }

    @Test
    void aDriverThatSaysMountedAndDidNotIsNotBelieved() {
        plugin();
        AttachResult attached = attach();
        driver.says("mountdevice", "{\"status\":\"Success\" }");
        machine.install(
                ScriptedFlexDriver.PROGRAM, call -> new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", false));

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> mountDevice(attached));

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessageContaining("nothing is mounted there");
    }

    @Test
    void aDriverThatSaysUnmountedAndDidNotIsHelped() {
        supports("mountdevice");
        mountDevice(attach());
        machine.install(
                ScriptedFlexDriver.PROGRAM, call -> new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", false));

        unmountDevice();

        assertThat(machine.table().at(DEVICE.absolute())).isEmpty();
    }
}
