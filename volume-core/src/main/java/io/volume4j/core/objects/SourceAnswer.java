package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.Kind;
import org.jspecify.annotations.Nullable;

/** Checks what a host's {@link ClusterSource} returns: its author needs to read what is missing, and from which call. */
public final class SourceAnswer {
    private SourceAnswer() {}

    /** @throws IllegalStateException if there is no listing */
    public static ClusterSource.Listing listing(
            ClusterSource.@Nullable Listing answer, ClusterSource source, Kind kind) {
        return given(answer, source, "list", kind, "a Listing, without objects where there are none");
    }

    /** @throws IllegalStateException if there is no watch */
    public static ClusterSource.Watch watch(ClusterSource.@Nullable Watch answer, ClusterSource source, Kind kind) {
        return given(answer, source, "watch", kind, "a Watch to close");
    }

    private static <T> T given(@Nullable T answer, ClusterSource source, String call, Kind kind, String what) {
        if (answer == null) {
            throw new IllegalStateException(
                    "the host's ClusterSource, " + source.getClass().getName() + ", returned null from " + call + " of "
                            + kind.apiName() + "; it must return " + what);
        }
        return answer;
    }
}
