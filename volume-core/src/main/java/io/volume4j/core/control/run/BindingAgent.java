package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingFeature;
import io.volume4j.core.control.binding.VolumeRequests;
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
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler of claims and volumes, put together. It owns the state of one loop and answers with futures; its methods
 * may be called from anywhere and return at once.
 */
public final class BindingAgent {
    private final EventLoop loop;
    private final ObjectReconciler reconciler;
    private final BoundWaiters waiters;
    private final GoneWaiters goneWaiters;
    private @Nullable BindingFeature binding;

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
        reconciler.listener(waiters);
        reconciler.listener(goneWaiters);
        reconciler.listener(new ClusterCounts(ports.metrics(), loop));
    }

    private Feature<?, ?> binding(Host host, Duty duty) {
        BindingFeature made = new BindingFeature(host, duty.settings());
        binding = made;
        return made;
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

    /** What people may ask for by name. */
    public VolumeRequests requests() {
        return Objects.requireNonNull(binding, "the features are made with the reconciler")
                .requests();
    }

    private void loopTask(Runnable task) {
        reconciler.onLoop(task);
    }
}
