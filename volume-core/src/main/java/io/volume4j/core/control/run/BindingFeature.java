package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingView;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Claims and volumes, and the tasks of a controller that are not features of their own yet. Loop thread only. */
final class BindingFeature implements Feature<BindingView, BindingStep> {
    private static final List<String> CLASS = List.of("spec", "storageClassName");

    private final Host host;
    private final Duty duty;
    private final BindingState state;
    private final BindingViews views;
    private final BindingCalls calls;
    private final BindingOutcomes outcomes;
    private final BindingEvents changes;
    private final EndToEnd endToEnd;
    private final LiveCheck live;
    private final Planner<BindingView, ClusterStep> planner;

    /** @param abandoned told of claims that were removed by force while a volume was being made for them */
    BindingFeature(Host host, Duty duty, Consumer<Abandoned> abandoned) {
        this.host = host;
        this.duty = duty;
        Storage storage = new Storage(host.plugins().migration());
        this.state = new BindingState(
                host.objects(), host.uses().volumesByClaim(), host.liveReads(), storage, host.visits()::now);
        this.live = new LiveCheck(host.live(), storage);
        this.endToEnd = new EndToEnd(host.metrics(), host.loop());
        this.planner = duty.planner();
        PluginDirectory directory = new PluginDirectory(host.plugins());
        if (duty.has(Task.DATA_SOURCES)) {
            host.sources().readRules();
        }
        this.outcomes = new BindingOutcomes(host, state, abandoned);
        this.views = new BindingViews(host, state, directory, duty.matches(), DutyKinds.attributes(duty));
        this.calls = new BindingCalls(host, state, new PluginCalls(host, live));
        this.changes = new BindingEvents(host, state, duty, outcomes::stored, abandoned);
    }

    BindingState state() {
        return state;
    }

    LiveCheck live() {
        return live;
    }

    @Override
    public Set<Kind> watches() {
        return DutyKinds.watched(duty).keySet();
    }

    @Override
    public List<Kind> decides() {
        return DutyKinds.visited(duty);
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

    /** Whether the step gives a claim a class that said nothing about one. */
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
