package io.volume4j.core.control.run;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Health;
import io.volume4j.core.objects.GoneWaiters;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler of claims and volumes, put together. It owns the state of one loop and answers with futures; its methods
 * may be called from anywhere and return at once.
 */
public final class BindingAgent {
    /** How often it is looked for what was made for a claim that was removed by force. */
    private static final int SWEEPS = 10;

    private static final Duration SWEEP_PAUSE = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final ObjectReconciler reconciler;
    private final BoundWaiters waiters;
    private final GoneWaiters goneWaiters;
    private final VolumeCare care;
    private final Orphans orphans;
    private final String finalizer;
    private @Nullable BindingFeature binding;
    private int sweeps;
    private boolean sweeping;
    private boolean sweepAgain;
    private EventLoop.Timer nextSweep = () -> {};

    /** An agent that does nothing before {@link #start}. */
    public BindingAgent(ControlPorts ports, ControlOptions options) {
        this(ports, options, transition -> {});
    }

    /**
     * The same with a listener of every step.
     *
     * @param listener called on the loop; must not block
     */
    public BindingAgent(ControlPorts ports, ControlOptions options, Consumer<ObjectTransition> listener) {
        this(ports, options, Duty.binding(), listener);
    }

    /** The same for another duty. */
    public BindingAgent(ControlPorts ports, ControlOptions options, Duty duty, Consumer<ObjectTransition> listener) {
        this(ports, options, duty, listener, Seams.none());
    }

    /** Of a binding controller, with something between the engine and its parts. */
    public BindingAgent(
            ControlPorts ports,
            ControlOptions options,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, ObjectView, ClusterStep> seams) {
        this(ports, options, Duty.binding(), listener, seams);
    }

    /** The same for any duty. */
    public BindingAgent(
            ControlPorts ports,
            ControlOptions options,
            Duty duty,
            Consumer<ObjectTransition> listener,
            Seams<ObjectKey, ObjectView, ClusterStep> seams) {
        this.loop = ports.loop();
        this.finalizer = duty.finalizer();
        List<Feature.Factory> features = new ArrayList<>();
        features.add(host -> binding(host, duty));
        duty.tasks().forEach(task -> features.addAll(task.features(duty)));
        this.reconciler = new ObjectReconciler(
                ports,
                options,
                new ObjectReconciler.Identity(duty.name(), duty.only(), duty.finalizer()),
                features,
                listener,
                seams);
        Host host = reconciler.host();
        this.waiters = new BoundWaiters(host.objects(), ports.workers());
        this.goneWaiters = new GoneWaiters(host.objects(), ports.workers());
        this.care = new VolumeCare(ports.source(), ports.writer(), binding().live(), host.plugins(), this::stored);
        this.orphans = new Orphans(ports.source(), ports.writer(), host.plugins(), this::stored);
        reconciler.listener(waiters);
        reconciler.listener(goneWaiters);
        reconciler.listener(new ClusterCounts(ports.metrics(), loop));
    }

    private Feature<?, ?> binding(Host host, Duty duty) {
        BindingFeature made = new BindingFeature(host, duty, this::abandoned);
        binding = made;
        return made;
    }

    private BindingFeature binding() {
        return Objects.requireNonNull(binding, "the features are made with the reconciler");
    }

    private void stored(ApiObject object) {
        reconciler.onLoop(() -> reconciler.host().objects().applyOwnWrite(object));
    }

    /** Has another listener told of the same objects, and of those of more kinds. Before {@link #start} only. */
    public void share(Set<Kind> more, ObjectListener listener) {
        reconciler.watch(more);
        reconciler.listener(listener);
    }

    /** Begins to list, watch and reconcile. */
    public void start() {
        reconciler.start();
    }

    /** Completes with the volume when the claim is bound; the claim need not be known yet. */
    public CompletableFuture<PersistentVolume> whenBound(ObjectKey claim) {
        CompletableFuture<PersistentVolume> future = new CompletableFuture<>();
        loop.execute(() -> waiters.await(claim, future));
        var unused = future.whenComplete((volume, failure) -> {
            if (failure != null) {
                loopTask(() -> waiters.forget(claim, future));
            }
        });
        return future;
    }

    /** Completes when there certainly is no such claim or volume any more. */
    public CompletableFuture<ObjectKey> whenGone(ObjectKey object) {
        CompletableFuture<ObjectKey> future = new CompletableFuture<>();
        loop.execute(() -> goneWaiters.await(object, future));
        var unused = future.whenComplete((key, failure) -> {
            if (failure != null) {
                loopTask(() -> goneWaiters.forget(object, future));
            }
        });
        return future;
    }

    /** Why the object is as it is. */
    public CompletableFuture<Explanation> explain(ObjectKey key) {
        return reconciler.explain(key);
    }

    /** What reconciles; its questions may be asked from any thread. */
    public ObjectReconciler reconciler() {
        return reconciler;
    }

    /** Whether enough is known to decide, and whether this process leads; on the loop. */
    public Health health() {
        return reconciler.health();
    }

    /** What would be done now about every object that is not as it should be. */
    public CompletableFuture<Map<ObjectKey, Plan<ClusterStep>>> plan() {
        return reconciler.plan();
    }

    /** Ends reconciling and cancels what is under way; completes with the calls whose threads have not come back. */
    public CompletableFuture<List<String>> close() {
        return CompletableFuture.supplyAsync(this::end, loop);
    }

    /** The same at once; on the loop. */
    public List<String> end() {
        List<String> left = reconciler.end();
        waiters.close();
        goneWaiters.close();
        return left;
    }

    /** Looks at the object now, whether anything happened to it or not; for simulators. */
    public void visit(ObjectKey key) {
        loopTask(() -> reconciler.host().visits().now(key));
    }

    /** Whether nothing is dirty, under way or put off; for tests and simulators, on the loop. */
    public boolean quiet() {
        return reconciler.quiet();
    }

    /**
     * Gives a retained volume to a claim that fits.
     *
     * @param claim reserves it for the claim of that name instead; null for any claim
     */
    public CompletableFuture<PersistentVolume> release(String volume, @Nullable ObjectKey claim) {
        return onWorker("release", context -> care.release(volume, claim, context));
    }

    /** Lets a lost claim begin anew. */
    public CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim) {
        return onWorker("repair", context -> care.repairLost(claim, context));
    }

    /** What the backends hold that no object of the cluster tells of. */
    public CompletableFuture<List<OrphanedStorage>> orphans() {
        return onWorker("orphans", orphans::find);
    }

    /**
     * Gives an orphan an object: kept for the claim that gets it, or released, to be deleted like every other volume.
     *
     * @param policy Retain or Delete
     */
    public CompletableFuture<PersistentVolume> adopt(String plugin, String handle, ReclaimPolicy policy) {
        return onWorker("adopt", context -> orphans.adopt(plugin, handle, policy, finalizer, context));
    }

    /**
     * What is only remembered is lost with the process, so it is looked for at once. A call for the claim that is still under
     * way does no harm: it keeps the volume from being deleted until it has returned, and what it says then is news.
     */
    private void abandoned(Abandoned lost) {
        if (!binding().state().abandon(lost)) {
            return;
        }
        sweeps = SWEEPS;
        if (sweeping) {
            sweepAgain = true;
        } else {
            sweepAfter(Duration.ZERO);
        }
    }

    private void sweepAfter(Duration pause) {
        nextSweep.cancel();
        nextSweep = loop.schedule(pause, this::sweep);
    }

    /** A backend's list may be behind what was made, so it is asked some times before the rest is left to people. */
    private void sweep() {
        List<Abandoned> lost = binding().state().abandoned();
        if (lost.isEmpty() || sweeps == 0) {
            binding().state().settled(lost);
            sweeps = 0;
            return;
        }
        sweeps--;
        sweeping = true;
        var unused = onWorker("sweep", context -> orphans.sweep(lost, finalizer, context))
                .whenComplete((settled, failure) -> loopTask(() -> {
                    if (settled != null) {
                        binding().state().settled(settled);
                    } else {
                        sweeps++; // it failed as a whole and found out nothing
                    }
                    sweeping = false;
                    sweepAfter(sweepAgain ? Duration.ZERO : SWEEP_PAUSE);
                    sweepAgain = false;
                }));
    }

    private <T> CompletableFuture<T> onWorker(String what, Function<CallContext, T> call) {
        return reconciler.onWorker(what, call);
    }

    private void loopTask(Runnable task) {
        reconciler.onLoop(task);
    }
}
