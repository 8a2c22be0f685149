package io.volume4j.spi.model;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says which of several processes is the leader, in the form of {@code coordination.k8s.io}.
 *
 * @since 0.1.0
 */
public record Lease(ObjectMeta metadata, Spec spec, Unmodeled unmodeled) implements ApiObject {
    private static final DateTimeFormatter MICRO = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    public Lease {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? new Spec("", 0, null, null, 0) : spec;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.LEASE;
    }

    /**
     * A time in the format of a Lease: with six decimal digits of the second. API servers refuse any other number of
     * digits.
     */
    public static String timeText(Instant time) {
        return MICRO.format(time);
    }

    /**
     * The holder of the lease.
     *
     * @param holderIdentity {@code ""} if the last holder released the lease
     * @param leaseDurationSeconds how long another process waits after it has seen the last renewal, before it takes
     *     the lease
     * @param acquireTime when the holder took the lease, by the holder's clock; for people
     * @param renewTime when the holder last renewed the lease, by the holder's clock. Other processes use only the fact
     *     that it changed
     * @param leaseTransitions how often the holder has changed
     */
    public record Spec(
            String holderIdentity,
            long leaseDurationSeconds,
            @Nullable Instant acquireTime,
            @Nullable Instant renewTime,
            long leaseTransitions) {
        public Spec {
            holderIdentity = Copies.text(holderIdentity);
        }
    }
}
