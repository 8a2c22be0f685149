package io.volume4j.core.node.call;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Programs of the machine that calls of an earlier process started, such as {@code mkfs}. They continue to run when
 * that process is killed, and could change a device that a call of this process uses. So the start ends them. The
 * kernel ends no program whose device does not answer. Then the calls of plugins that may run programs wait for it,
 * and each attempt tries to end it again. No other volume waits. Thread-safe.
 */
public final class LeftoverTools {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverTools.class);
    private static final Duration AT_START = Duration.ofSeconds(10);
    private static final Duration LATER = Duration.ofSeconds(1);

    private final @Nullable MountBackend machine;
    private final String operationPrefix;
    private final ReentrantLock lock = new ReentrantLock();
    /** Why calls wait; null if no program is known to run. */
    private volatile @Nullable VolumeException left;

    /**
     * Creates the object, and ends nothing yet.
     *
     * @param machine null for a node that runs no programs
     * @param operationPrefix the prefix of the names of all operations of this node, also in earlier processes
     */
    public LeftoverTools(@Nullable MountBackend machine, String operationPrefix) {
        this.machine = machine;
        this.operationPrefix = operationPrefix;
    }

    /** Blocks until the programs have ended, or do not end within ten seconds. The start calls this before any call. */
    public void endAtStart() {
        end(AT_START);
        @Nullable VolumeException running = left;
        if (running != null) {
            LOG.atWarn()
                    .addKeyValue("error", running.getMessage())
                    .addKeyValue("advice", running.advice())
                    .log("programs of an earlier run cannot be ended; only volumes of plugins that run programs wait");
        }
    }

    /**
     * Called by each call before it has any effect. Tries to end programs that still run.
     *
     * @param plugin the plugin of the call, null if it is not known
     * @throws VolumeException transient, while such a program runs and the plugin may run programs
     */
    void mustHaveEnded(@Nullable VolumePlugin plugin) {
        @Nullable VolumeException running = left;
        if (running == null || (plugin != null && !plugin.runsPrograms())) {
            return;
        }
        if (!lock.tryLock()) {
            throw running;
        }
        try {
            // Not twice: the programs of a call that has begun meanwhile have the same prefix.
            if (left != null) {
                end(LATER);
            }
            running = left;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            throw running;
        }
    }

    private void end(Duration patience) {
        if (machine == null) {
            return;
        }
        try {
            machine.endLeftovers(operationPrefix, patience);
            left = null;
        } catch (VolumeException stillRunning) {
            left = stillRunning;
        }
    }
}
