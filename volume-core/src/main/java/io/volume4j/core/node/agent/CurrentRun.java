package io.volume4j.core.node.agent;

import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * The agent's run, once it has found out what an earlier one left: before that it knows nothing, and does nothing. Begun on the
 * loop.
 */
final class CurrentRun {
    private final String nodeName;
    private @Nullable NodeRun run;
    /** Why the last start failed; set by the thread that starts. */
    private volatile @Nullable Throwable failed;

    CurrentRun(String nodeName) {
        this.nodeName = nodeName;
    }

    void begin(NodeRun begun) {
        run = begun;
        failed = null;
    }

    /** What is mounted stays unknown, and the next question is told why. From any thread. */
    void startFailed(Throwable why) {
        failed = why;
    }

    /** Null before the start. */
    @Nullable
    NodeRun now() {
        return run;
    }

    /** @throws VolumeException while it is not known what is mounted */
    NodeRun require() {
        if (run == null) {
            throw VolumeException.transientFailure(notStarted())
                    .withAdvice(
                            failed == null
                                    ? "ask when start() has returned"
                                    : "remove the cause and call start() again; what is mounted stays as it is meanwhile");
        }
        return run;
    }

    String notStarted() {
        String subject = "the volume manager of node " + nodeName;
        Throwable why = failed;
        return why == null
                ? subject + " was not started: it does not know yet what is mounted"
                : subject + " could not start and does not know what is mounted: " + why.getMessage();
    }
}
