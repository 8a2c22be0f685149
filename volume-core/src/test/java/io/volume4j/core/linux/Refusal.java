package io.volume4j.core.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a call was refused with. */
public final class Refusal {
    private Refusal() {}

    public static VolumeException of(FailureKind kind, ThrowingCallable call) {
        VolumeException refusal = catchThrowableOfType(VolumeException.class, call);
        assertThat(refusal).as("nothing was refused").isNotNull();
        assertThat(refusal.kind()).as(refusal.getMessage()).isEqualTo(kind);
        return refusal;
    }
}
