package io.volume4j.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a failure says of the call that it ends. */
class VolumeExceptionTest {
    @ParameterizedTest
    @EnumSource(
            value = FailureKind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNCERTAIN", "DANGLING"})
    void afterAnEffectNothingIsCertain(FailureKind kind) {
        VolumeException failure = VolumeException.of(kind, "no room").withAdvice("make some");

        VolumeException told = failure.afterEffect();

        assertThat(told.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(told)
                .hasMessage("it was done, but then: no room — make some")
                .hasCause(failure);
        assertThat(told.advice()).isEqualTo("make some");
    }

    @Test
    void proofOfAbsenceDoesNotOutliveAnEffect() {
        VolumeException failure = VolumeException.finalFailure("gone").provingAbsence();

        assertThat(failure.afterEffect().provesAbsent()).isFalse();
    }

    @Test
    void whatIsUncertainStaysAsItIs() {
        VolumeException failure = VolumeException.uncertain("no answer");

        assertThat(failure.afterEffect()).isSameAs(failure);
    }

    @Test
    void itsTextCarriesTheAdvice() {
        VolumeException plain = VolumeException.transientFailure("no mount");

        assertThat(plain.withAdvice("run as root"))
                .hasToString("io.volume4j.spi.VolumeException: no mount — run as root")
                .hasMessage("no mount — run as root")
                .extracting(VolumeException::reason)
                .isEqualTo("no mount");
        assertThat(plain).hasToString("io.volume4j.spi.VolumeException: no mount");
    }

    @Test
    void adviceIsSaidOnceHoweverOftenItIsHandedOn() {
        VolumeException inner = VolumeException.transientFailure("no mount").withAdvice("run as root");
        VolumeException outer = VolumeException.transientFailure("cannot set up: " + inner.getMessage())
                .withAdvice(inner.advice())
                .withCause(inner);

        assertThat(outer).hasMessage("cannot set up: no mount — run as root");
    }
}
