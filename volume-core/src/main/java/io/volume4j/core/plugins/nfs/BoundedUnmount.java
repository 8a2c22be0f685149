package io.volume4j.core.plugins.nfs;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Unmounts within bounded time, also if the server is dead and the unmount hangs in the kernel.
 *
 * <p>It first tries a normal unmount, because a forced one discards unwritten data. If that hangs, it aborts the calls
 * that wait for the server ({@code MNT_FORCE}), which also ends the first try. If the mount is still there, it
 * detaches the mount from the directory tree ({@code MNT_DETACH}), but only from the third attempt of the step on: the
 * server may return before. If the server answers and the mount is only busy, it forces nothing and reports that.
 */
public final class BoundedUnmount {
    private static final int LAZY_FROM_ATTEMPT = 3;

    private final Executor threads;
    private final Duration patience;

    public BoundedUnmount(Executor threads, Duration patience) {
        this.threads = threads;
        this.patience = patience;
    }

    /** @param unwatched completes when the library's own query of the target ends, which makes the mount busy */
    void run(MountBackend backend, RootedPath target, CompletableFuture<Void> unwatched, CallContext context) {
        Duration slice = smaller(patience, context.remaining().dividedBy(6));
        if (gently(backend, target, unwatched, slice)) {
            return;
        }
        context.progress("the server of " + target + " does not answer: aborting what waits for it");
        CompletableFuture<Void> forced = start(backend, target, UnmountMode.FORCE);
        @Nullable VolumeException stillThere = null;
        try {
            if (ended(forced, slice)) {
                return;
            }
        } catch (VolumeException e) {
            stillThere = e;
        }
        if (context.attempt() >= LAZY_FROM_ATTEMPT) {
            context.progress("taking " + target + " out of sight; the kernel removes it when no process uses it");
            if (ended(start(backend, target, UnmountMode.LAZY), slice)) {
                return;
            }
        }
        VolumeException failure = VolumeException.uncertain(
                        "unmounting " + target + " hangs, even after aborting what waits for its server")
                .withAdvice("bring the server back; attempt " + LAZY_FROM_ATTEMPT
                        + " removes the mount from the directory tree");
        throw stillThere == null ? failure : failure.withCause(stillThere);
    }

    /**
     * Tries a normal unmount. Returns false if the server does not answer.
     *
     * @throws VolumeException if another process uses the mount
     */
    private boolean gently(MountBackend backend, RootedPath target, CompletableFuture<Void> unwatched, Duration slice) {
        boolean watched = !unwatched.isDone();
        try {
            return ended(start(backend, target, UnmountMode.NORMAL), slice);
        } catch (VolumeException busy) {
            if (!watched || busy.kind() != FailureKind.IN_USE) {
                throw busy;
            }
        }
        // A usage query of this process waits for the server as well.
        return ended(unwatched, slice) && ended(start(backend, target, UnmountMode.NORMAL), slice);
    }

    private CompletableFuture<Void> start(MountBackend backend, RootedPath target, UnmountMode mode) {
        try {
            return CompletableFuture.runAsync(() -> backend.unmount(target, mode), threads);
        } catch (RuntimeException | Error noThread) {
            // No fallback to this thread: it could hang in the kernel, and other calls need it.
            return CompletableFuture.failedFuture(VolumeException.transientFailure(
                            "cannot unmount " + target + ": there is no thread for it (" + noThread + ")")
                    .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some")
                    .withCause(noThread));
        }
    }

    /**
     * Whether the work ended in time.
     *
     * @throws VolumeException if the work failed
     */
    private static boolean ended(CompletableFuture<Void> work, Duration patience) {
        try {
            work.get(Math.max(1, patience.toMillis()), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while unmounting").withCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof VolumeException failure) {
                throw failure;
            }
            throw VolumeException.uncertain("unmounting failed: " + MessageText.reason(e))
                    .withCause(e);
        }
    }

    private static Duration smaller(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
