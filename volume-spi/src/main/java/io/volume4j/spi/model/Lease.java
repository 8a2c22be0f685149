package io.volume4j.spi.model;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which of several processes leads, as {@code coordination.k8s.io} keeps it.
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

    /** A time as a Lease's fields hold it: with six digits of a second. API servers refuse any other number of them. */
    public static String timeText(Instant time) {
        return MICRO.format(time);
    }

    /**
     * Who holds it.
     *
     * @param holderIdentity {@code ""} if the last holder gave it back
     * @param leaseDurationSeconds how long after the last renewal that it sees another process waits before it takes the lease
     * @param acquireTime when the holder took it, by the holder's clock; for people
     * @param renewTime when the holder renewed it last, by the holder's clock; only a change of it says something
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
