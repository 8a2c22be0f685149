package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;

/** What a caller is told when the machine, or an executor, has no thread for its work. */
public final class NoThread {
    private NoThread() {}

    /**
     * The work was not begun; it may be tried again.
     *
     * @param what cannot be done, such as {@code "cannot start the event loop"}
     * @param cause what the executor or the thread threw
     */
    public static VolumeException because(String what, Throwable cause) {
        return VolumeException.transientFailure(what + ": there is no thread for it (" + cause + ")")
                .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some, and try again")
                .withCause(cause);
    }
}
