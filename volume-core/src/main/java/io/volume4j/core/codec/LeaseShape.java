package io.volume4j.core.codec;

import io.volume4j.spi.model.Lease;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code Lease}. */
final class LeaseShape {
    private LeaseShape() {}

    static Lease.Spec read(Fields spec) {
        @Nullable Long seconds = spec.number("leaseDurationSeconds");
        @Nullable Long transitions = spec.number("leaseTransitions");
        return new Lease.Spec(
                spec.text("holderIdentity"),
                seconds == null ? 0 : seconds,
                spec.instant("acquireTime"),
                spec.instant("renewTime"),
                transitions == null ? 0 : transitions);
    }

    static Written write(Lease lease) {
        Lease.Spec spec = lease.spec();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .text("holderIdentity", spec.holderIdentity())
                                .number("leaseDurationSeconds", spec.leaseDurationSeconds())
                                .text("acquireTime", text(spec.acquireTime()))
                                .text("renewTime", text(spec.renewTime()))
                                .number("leaseTransitions", spec.leaseTransitions()));
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : Lease.timeText(time);
    }
}
