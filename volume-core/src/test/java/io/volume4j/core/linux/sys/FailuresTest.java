package io.volume4j.core.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.sys.Failures.Effect;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailuresTest {
    @ParameterizedTest
    @CsvSource({
        "EBUSY,  IN_USE,    IN_USE",
        "EPERM,  FINAL,     FINAL",
        "ENODEV, FINAL,     FINAL",
        "EINVAL, FINAL,     FINAL",
        "ELOOP,  FINAL,     FINAL",
        "ENOENT, TRANSIENT, TRANSIENT",
        "EMFILE, TRANSIENT, TRANSIENT",
        "ENOSPC, EXHAUSTED, EXHAUSTED",
        "EIO,    TRANSIENT, UNCERTAIN",
        "ESTALE, TRANSIENT, UNCERTAIN",
        "OTHER,  TRANSIENT, UNCERTAIN",
    })
    void anErrorMeansTheSameEverywhere(Errno errno, FailureKind atomic, FailureKind otherwise) {
        assertThat(Failures.kind(errno, Effect.NONE)).isEqualTo(atomic);
        assertThat(Failures.kind(errno, Effect.POSSIBLE)).isEqualTo(otherwise);
    }

    @ParameterizedTest
    @EnumSource
    void everyErrorHasAKind(Errno errno) {
        assertThat(Failures.kind(errno, Effect.NONE)).isNotEqualTo(FailureKind.DANGLING);
    }

    /** It is what a person can mend; seen without advice when the disk of a node's journal was full. */
    @ParameterizedTest
    @CsvSource({"28, df -h", "122, quota"})
    void aFullDiskIsToldWithAdvice(int errno, String advice) {
        assertThat(Failures.of(new SyscallException(errno, "write 228 bytes for volume"))
                        .advice())
                .contains(advice);
    }

    @Test
    void aFailureNamesTheCallItsOperandsAndTheError() {
        VolumeException failure = Failures.of(new SyscallException(1, "umount2 /x"));
        assertThat(failure).hasMessageStartingWith("umount2 /x: EPERM (operation not permitted)");
        assertThat(failure.advice()).contains("CAP_SYS_ADMIN");
        assertThat(Failures.of(new SyscallException(133, "mount x on /y"))).hasMessage("mount x on /y: errno 133");
    }
}
