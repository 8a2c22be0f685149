package io.volume4j.core.node.report;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.NodeStep;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs what becomes of steps. Each step that begins or ends is a DEBUG line. A step that fails is a WARN line at its first try, and
 * then at the 2nd, 4th, 8th and so on, with advice and the time of the next try; that it works again is an INFO line. At most
 * {@value #MOST} WARN lines are written in ten seconds; how many were left out stands in the next one. Failures come here without
 * secrets. Loop thread only.
 */
final class StepLog {
    static final int MOST = 20;
    private static final long WINDOW = Duration.ofSeconds(10).toNanos();
    private static final Logger LOG = LoggerFactory.getLogger(StepLog.class);

    private final EventLoop loop;
    private long windowBegan;
    private int written;
    private long leftOut;

    StepLog(EventLoop loop) {
        this.loop = loop;
        this.windowBegan = loop.nanoTime();
    }

    void started(VolumeId id, NodeStep step, int attempt) {
        if (LOG.isDebugEnabled()) {
            about(LOG.atDebug(), id, step, attempt).log("step begins");
        }
    }

    void succeeded(VolumeId id, NodeStep step, int attempt, Duration took) {
        if (attempt > 1) {
            took(about(LOG.atInfo(), id, step, attempt), took).log("step works again");
        } else if (LOG.isDebugEnabled()) {
            took(about(LOG.atDebug(), id, step, attempt), took).log("step done");
        }
    }

    void withdrawn(VolumeId id, NodeStep step, int attempt, Duration took) {
        if (LOG.isDebugEnabled()) {
            took(about(LOG.atDebug(), id, step, attempt), took).log("step withdrawn: it is no longer wanted");
        }
    }

    void decided(VolumeId id, NodeStep step) {
        if (LOG.isDebugEnabled()) {
            about(LOG.atDebug(), id, step, 1).log("step done");
        }
    }

    /** @param nextTry from now on */
    void failed(VolumeId id, NodeStep step, int attempt, VolumeException failure, Duration nextTry) {
        boolean warn = Integer.bitCount(attempt) == 1 && mayWarn();
        if (!warn && !LOG.isDebugEnabled()) {
            return;
        }
        LoggingEventBuilder line = about(warn ? LOG.atWarn() : LOG.atDebug(), id, step, attempt)
                .addKeyValue("kind", failure.kind())
                .addKeyValue("reason", failure.getMessage());
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

    private static LoggingEventBuilder about(LoggingEventBuilder line, VolumeId id, NodeStep step, int attempt) {
        LoggingEventBuilder about = line.addKeyValue("action", step.kind()).addKeyValue("volume", id);
        if (!step.podUid().isEmpty()) {
            about = about.addKeyValue("pod", step.podUid());
        }
        return about.addKeyValue("attempt", attempt);
    }

    private static LoggingEventBuilder took(LoggingEventBuilder line, Duration took) {
        return line.addKeyValue("tookMs", took.toMillis());
    }
}
