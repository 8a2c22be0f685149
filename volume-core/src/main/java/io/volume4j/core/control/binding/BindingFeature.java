package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.binding.plan.BindingView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Binds claims to volumes, and provisions and deletes volumes. Loop thread only. */
public final class BindingFeature implements Feature<BindingView, BindingStep> {
    private static final Set<Kind> ALWAYS = Set.of(
            Kind.STORAGE_CLASS,
            Kind.NODE,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.POD,
            Kind.VOLUME_ATTACHMENT);
    private static final List<String> CLASS = List.of("spec", "storageClassName");

    private final Host host;
    private final BindingSettings settings;
    private final BindingState state;
    private final BindingViews views;
    private final BindingCalls calls;
    private final BindingOutcomes outcomes;
    private final BindingEvents changes;
    private final EndToEnd endToEnd;
    private final VolumeRequests requests;
    private final BoundClaims bound;
    private final Planner<BindingView, ClusterStep> planner;

    /** The feature of a controller with these settings. */
    public BindingFeature(Host host, BindingSettings settings) {
        this.host = host;
        this.settings = settings;
        Storage storage = new Storage(host.plugins().migration());
        this.state = new BindingState(
                host.objects(), host.uses().volumesByClaim(), host.liveReads(), storage, host.visits()::now);
        LiveCheck live = new LiveCheck(host.live(), storage);
        this.requests = new VolumeRequests(
                host.care(),
                new VolumeCare(host.care(), live, host.plugins()),
                new Orphans(host.care(), host.live(), host.plugins()));
        AbandonedSweep sweep = new AbandonedSweep(host.loop(), state, requests);
        this.bound = new BoundClaims(host);
        this.endToEnd = new EndToEnd(host.metrics(), host.loop());
        this.planner = settings.planner();
        PluginDirectory directory = new PluginDirectory(host.plugins());
        if (settings.dataSources()) {
            host.sources().readRules();
        }
        this.outcomes = new BindingOutcomes(host, state, sweep::abandoned);
        this.views = new BindingViews(host, state, directory, settings.matches(), settings.attributes());
        this.calls = new BindingCalls(host, state, new PluginCalls(host, live));
        this.changes = new BindingEvents(host, state, outcomes::stored, sweep::abandoned);
    }

    /** Operations that users request by name. */
    public VolumeRequests requests() {
        return requests;
    }

    /** Completes with the volume when the claim is bound. The claim need not exist yet. Any thread. */
    public CompletableFuture<PersistentVolume> whenBound(ObjectKey claim) {
        return bound.await(claim);
    }

    @Override
    public Set<Kind> watches() {
        Set<Kind> kinds = EnumSet.copyOf(ALWAYS);
        if (settings.attributes()) {
            kinds.add(Kind.VOLUME_ATTRIBUTES_CLASS);
        }
        if (settings.dataSources()) {
            kinds.add(Kind.REFERENCE_GRANT);
            kinds.add(Kind.VOLUME_POPULATOR);
        }
        return kinds;
    }

    @Override
    public List<Kind> decides() {
        // Volumes before claims, because claims look for available ones.
        return List.of(Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public @Nullable BindingView view(ObjectKey key) {
        return views.view(key);
    }

    @Override
    public Planner<BindingView, ClusterStep> planner() {
        return planner;
    }

    @Override
    public Class<BindingStep> steps() {
        return BindingStep.class;
    }

    @Override
    public Call call(ObjectKey key, BindingStep step) {
        return calls.call(step);
    }

    @Override
    public void completed(ObjectKey key, BindingStep step, Outcome outcome) {
        outcomes.completed(step, outcome);
    }

    @Override
    public void changed(ObjectChange change) {
        changes.changed(change);
        endToEnd.changed(change);
        bound.changed(change);
    }

    @Override
    public void complete(Kind kind) {
        changes.complete(kind);
    }

    @Override
    public void taken(ObjectKey key, ClusterStep step) {
        if (step instanceof ClusterWork.Write write && !write.reserves().isEmpty()) {
            state.promise(key, write.reserves());
        }
    }

    @Override
    public void released(ObjectKey key, ClusterStep step) {
        if (step instanceof ClusterWork.Write write && !write.reserves().isEmpty()) {
            state.endPromise(key, write.reserves());
        }
    }

    @Override
    public void closed() {
        bound.close();
    }

    @Override
    public boolean visitsLater(ObjectKey key) {
        return state.beingBound(key);
    }

    @Override
    public void started(ObjectKey key, ClusterStep step) {
        endToEnd.started(key, step);
    }

    @Override
    public void ended(ObjectKey key, ClusterStep step, Outcome outcome) {
        if (givesClass(step)) {
            Metric counted = outcome.succeeded() ? Metric.DEFAULT_CLASSES : Metric.DEFAULT_CLASS_ERRORS;
            host.metrics().count(counted.metricName(), Map.of(), 1);
        }
    }

    /** Whether the step sets the class of a claim that has no class field. */
    private static boolean givesClass(ClusterStep step) {
        if (step instanceof ClusterWork.Write write && write.writes().size() == 1) {
            for (FieldChange change : write.writes().get(0).changes()) {
                if (change.path().equals(CLASS)) {
                    return true;
                }
            }
        }
        return false;
    }
}
