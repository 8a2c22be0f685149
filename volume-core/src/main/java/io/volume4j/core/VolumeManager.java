package io.volume4j.core;

import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.node.NodeAgent;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the volumes of one machine match what its pods want, and keeps doing so. Pods, claims and volumes are read from the
 * host's {@link io.volume4j.spi.host.ClusterSource}; nothing has to be called when they change.
 *
 * <p>Thread-safe. One manager for each root directory: a second one, also in another process, refuses to start. Closing
 * leaves every mount as it is; the next start finds them again.
 */
public final class VolumeManager implements AutoCloseable {
    private final NodeAgent agent;
    private final ThreadEventLoop loop;
    private final @Nullable ExecutorService ownWorkers;
    private final ExecutorService journalWriter;
    private final Duration closeTimeout;

    VolumeManager(
            NodeAgent agent,
            ThreadEventLoop loop,
            @Nullable ExecutorService ownWorkers,
            ExecutorService journalWriter,
            Duration closeTimeout) {
        this.agent = agent;
        this.loop = loop;
        this.ownWorkers = ownWorkers;
        this.journalWriter = journalWriter;
        this.closeTimeout = closeTimeout;
    }

    /** Begins a manager; see the builder for what it needs. */
    public static VolumeManagerBuilder builder() {
        return new VolumeManagerBuilder();
    }

    /**
     * Finds out what an earlier run left and begins to reconcile. Returns when that is known; blocks for the disk and the
     * mount table until then.
     *
     * @throws VolumeException if the journal or the machine cannot be read, with what to do about it
     */
    public void start() {
        await(agent.start(), closeTimeout.plus(Duration.ofMinutes(1)), "the start");
    }

    /**
     * Completes when all volumes that the pod's containers use are mounted, with where they are. Fails with a {@link
     * VolumeException} as soon as something happened that will not mend itself; everything else is waited out, because it
     * may. The pod need not be known yet. Cancelling the future changes nothing but the future.
     */
    public CompletableFuture<MountedPod> whenMounted(String podUid) {
        return agent.whenMounted(podUid);
    }

    /**
     * The same, blocking for at most the timeout. The reconciling goes on after it.
     *
     * @throws VolumeException as the future fails; after the timeout uncertain, with the {@linkplain #explainPod
     *     explanation} of what is missing
     */
    public MountedPod awaitMounted(String podUid, Duration timeout) {
        return awaitPod(whenMounted(podUid), podUid, timeout, "mounted");
    }

    /** Completes when no volume is mounted for the pod any more, and none may be, and it wants none. */
    public CompletableFuture<String> whenUnmounted(String podUid) {
        return agent.whenUnmounted(podUid);
    }

    /**
     * The same, blocking for at most the timeout.
     *
     * @throws VolumeException as {@link #awaitMounted}
     */
    public void awaitUnmounted(String podUid, Duration timeout) {
        awaitPod(whenUnmounted(podUid), podUid, timeout, "unmounted");
    }

    /** Completes when no volume is, or may be, attached or mounted on this node. */
    public CompletableFuture<Boolean> whenEmpty() {
        return agent.whenEmpty();
    }

    /** Why the pod's volumes are as they are: what is done, what comes next, what is waited for, the last errors. */
    public CompletableFuture<Explanation> explainPod(String podUid) {
        return agent.explainPod(podUid, "pod " + podUid);
    }

    /** The same for a pod by its name; not known if no pod of this node has it. */
    public CompletableFuture<Explanation> explainPod(String namespace, String name) {
        String subject = "pod " + namespace + "/" + name;
        return agent.podUid(namespace, name).thenCompose(uid -> agent.explainPod(uid, subject));
    }

    /** Why the volume is as it is on this node. */
    public CompletableFuture<Explanation> explainVolume(VolumeId volume) {
        return agent.explainVolume(volume);
    }

    /** Volumes that are, or may be, attached or mounted here. */
    public CompletableFuture<List<VolumeId>> present() {
        return agent.present();
    }

    /**
     * Stops reconciling, cancels what is under way, and returns within the close timeout whatever storage does. Mounts stay
     * as they are. Again is nothing.
     */
    @Override
    public void close() {
        closeReportingLeft();
    }

    /** Closes and returns the operations that did not end in time, by id and plugin. */
    public List<String> closeReportingLeft() {
        List<String> left;
        try {
            left = agent.close().get(closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            left = List.of();
        } catch (ExecutionException | TimeoutException late) {
            left = List.of("closing the journal");
        }
        loop.close();
        journalWriter.shutdown();
        if (ownWorkers != null) {
            ownWorkers.shutdownNow();
        }
        return left;
    }

    private <T> T awaitPod(CompletableFuture<T> future, String podUid, Duration timeout, String what) {
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(false);
            String reason = await(explainPod(podUid), Duration.ofSeconds(5), "the explanation")
                    .text();
            throw VolumeException.uncertain(
                    "volumes of pod " + podUid + " not " + what + " within " + timeout.toMillis() + " ms; " + reason);
        } catch (ExecutionException failed) {
            throw unwrap(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for pod " + podUid);
        }
    }

    private static <T> T await(CompletableFuture<T> future, Duration timeout, String what) {
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw VolumeException.uncertain(what + " took longer than " + timeout.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw unwrap(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for " + what);
        }
    }

    private static VolumeException unwrap(ExecutionException failed) {
        return failed.getCause() instanceof VolumeException classified
                ? classified
                : VolumeException.uncertain(String.valueOf(failed.getCause())).withCause(failed);
    }
}
