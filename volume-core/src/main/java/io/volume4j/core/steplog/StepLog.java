package io.volume4j.core.steplog;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Step;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs the steps of one reconciler. Each begin and end of a step is a DEBUG line. A failure is a WARN line at the
 * first try, and then at the 2nd, 4th, 8th and so on, with advice and the time of the next try. The next success is an
 * INFO line. At most {@value #MOST} WARN lines are written in ten seconds; the next one contains the number of omitted
 * lines. Failures contain no secrets here. Loop thread only.
 */
public final class StepLog<K, S extends Step> {
    static final int MOST = 20;
    private static final long WINDOW = Duration.ofSeconds(10).toNanos();

    private final Logger logger;
    private final EventLoop loop;
    private final Names<K, S> names;
    private long windowBegan;
    private int written;
    private long leftOut;

    /** The pairs of keys and values that identify the step's objects in a line. */
    public interface Names<K, S> {
        LoggingEventBuilder name(LoggingEventBuilder line, K key, S step);
    }

    public StepLog(Logger logger, EventLoop loop, Names<K, S> names) {
        this.logger = logger;
        this.loop = loop;
        this.names = names;
        this.windowBegan = loop.nanoTime();
    }

    public void started(K key, S step, int attempt) {
        if (logger.isDebugEnabled()) {
            about(Level.DEBUG, key, step, attempt).log("step begins");
        }
    }

    public void succeeded(K key, S step, int attempt, Duration took) {
        if (attempt > 1) {
            took(about(Level.INFO, key, step, attempt), took).log("step works again");
        } else if (logger.isDebugEnabled()) {
            took(about(Level.DEBUG, key, step, attempt), took).log("step done");
        }
    }

    public void withdrawn(K key, S step, int attempt, Duration took) {
        if (logger.isDebugEnabled()) {
            took(about(Level.DEBUG, key, step, attempt), took).log("step withdrawn: it is no longer wanted");
        }
    }

    public void decided(K key, S step) {
        if (logger.isDebugEnabled()) {
            about(Level.DEBUG, key, step, 1).log("step done");
        }
    }

    /** @param nextTry the delay from now */
    public void failed(K key, S step, int attempt, VolumeException failure, Duration nextTry) {
        boolean warn = Integer.bitCount(attempt) == 1 && mayWarn();
        if (!warn && !logger.isDebugEnabled()) {
            return;
        }
        LoggingEventBuilder line = about(warn ? Level.WARN : Level.DEBUG, key, step, attempt)
                .addKeyValue("kind", failure.kind())
                .addKeyValue("reason", failure.reason());
        if (!failure.advice().isEmpty()) {
            line = line.addKeyValue("advice", failure.advice());
        }
        if (warn && leftOut > 0) {
            line = line.addKeyValue("failuresLeftOut", leftOut);
            leftOut = 0;
        }
        line.addKeyValue("nextTryMs", nextTry.toMillis()).log("step failed");
    }

    private boolean mayWarn() {
        long now = loop.nanoTime();
        if (now - windowBegan >= WINDOW) {
            windowBegan = now;
            written = 0;
        }
        if (written >= MOST) {
            leftOut++;
            return false;
        }
        written++;
        return true;
    }

    private LoggingEventBuilder about(Level level, K key, S step, int attempt) {
        LoggingEventBuilder line = logger.atLevel(level).addKeyValue("action", step.kind());
        return names.name(line, key, step).addKeyValue("attempt", attempt);
    }

    private static LoggingEventBuilder took(LoggingEventBuilder line, Duration took) {
        return line.addKeyValue("tookMs", took.toMillis());
    }
}
