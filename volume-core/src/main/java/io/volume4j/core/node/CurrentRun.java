package io.volume4j.core.node;

import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/** The agent's run, if it was started: before that it knows nothing, and does nothing. Begun on the loop. */
final class CurrentRun {
    private final String nodeName;
    private @Nullable NodeRun run;

    CurrentRun(String nodeName) {
        this.nodeName = nodeName;
    }

    void begin(NodeRun begun) {
        run = begun;
    }

    /** Null before the start. */
    @Nullable
    NodeRun now() {
        return run;
    }

    /** @throws VolumeException before the start */
    NodeRun require() {
        if (run == null) {
            throw VolumeException.transientFailure(notStarted()).withAdvice("call start()");
        }
        return run;
    }

    String notStarted() {
        return "the volume manager of node " + nodeName + " was not started";
    }
}
