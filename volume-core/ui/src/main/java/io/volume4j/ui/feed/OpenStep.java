package io.volume4j.ui.feed;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import org.jspecify.annotations.Nullable;

/** A step that has not ended, or whose call has not returned. Thread-safe. */
public final class OpenStep implements Instrumentation.Step {
    /** The progress of a step. */
    public enum State {
        QUEUED,
        RUNNING,
        /** Past its deadline; the thread of the call has not returned. */
        WRITTEN_OFF
    }

    private final StepFeed feed;
    private final String id;
    private final String kind;
    private final Object key;
    private final int attempt;
    private final long began;
    private volatile boolean calling;
    private volatile boolean ended;

    OpenStep(StepFeed feed, Instrumentation.StepStart start, long began) {
        this.feed = feed;
        this.id = start.operation();
        this.kind = start.kind();
        this.key = start.key();
        this.attempt = start.attempt();
        this.began = began;
    }

    public String id() {
        return id;
    }

    public String kind() {
        return kind;
    }

    public Object key() {
        return key;
    }

    public int attempt() {
        return attempt;
    }

    /** The start of the step, by the feed's ticker. */
    public long beganNanos() {
        return began;
    }

    public State state() {
        return ended ? State.WRITTEN_OFF : calling ? State.RUNNING : State.QUEUED;
    }

    @Override
    public Instrumentation.Scope call() {
        calling = true;
        return () -> {
            calling = false;
            if (ended) {
                feed.returned(this);
            }
        };
    }

    @Override
    public void ended(@Nullable VolumeException failure) {
        ended = true;
        feed.ended(this, failure == null ? "" : String.valueOf(failure.getMessage()), !calling);
    }
}
