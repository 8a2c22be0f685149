package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.Kind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one watch of a {@link KindFeed}. Closing it is the host's code: it may hang or fail. Loop thread only. */
final class FeedWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FeedWatch.class);

    private final Kind kind;
    private final CachePorts ports;
    private @Nullable OpeningWatch current;

    FeedWatch(Kind kind, CachePorts ports) {
        this.kind = kind;
        this.ports = ports;
    }

    /** A watch that a worker opens from now on. */
    OpeningWatch begin() {
        OpeningWatch opening = new OpeningWatch();
        current = opening;
        return opening;
    }

    /** Ends the watch, if there is one. A worker closes it. */
    void end() {
        take().ifPresent(ended -> {
            try {
                ports.worker().execute(() -> close(ended));
            } catch (Throwable noWorker) {
                close(ended);
            }
        });
    }

    /** Ends the watch, if there is one. The caller must run what closes it. */
    Runnable endedBy() {
        Optional<ClusterSource.Watch> ended = take();
        return () -> ended.ifPresent(this::close);
    }

    private Optional<ClusterSource.Watch> take() {
        @Nullable OpeningWatch ended = current;
        current = null;
        return ended == null ? Optional.empty() : ended.end();
    }

    /** Ignores a failure of the source: the watch is over, and others must still be closed. Any thread may call it. */
    void close(ClusterSource.Watch ended) {
        try {
            ended.close();
        } catch (Throwable failure) {
            LOG.atWarn().setCause(failure).addKeyValue("kind", kind).log("closing a watch failed");
        }
    }
}
