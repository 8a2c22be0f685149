package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;

/** The failure for work for which the machine, or an executor, has no thread. */
public final class NoThread {
    private NoThread() {}

    /**
     * A transient failure: the work did not begin.
     * @param what the failed action, such as {@code "cannot start the event loop"}
     * @param cause the exception of the executor or thread
     */
    public static VolumeException because(String what, Throwable cause) {
        return VolumeException.transientFailure(what + ": there is no thread for it (" + cause + ")")
                .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some, and try again")
                .withCause(cause);
    }
}
