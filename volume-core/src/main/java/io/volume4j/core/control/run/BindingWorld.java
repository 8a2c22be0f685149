package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims and volumes as the engine sees them: gives views out of {@link BindingState}, has {@link BindingCalls} make calls out
 * of steps, and {@link BindingOutcomes} take over how they ended. Loop thread only.
 */
final class BindingWorld implements World<ObjectKey, BindingView, BindingStep> {
    private final ObjectCache cache;
    private final BindingState state;
    private final BindingViews views;
    private final TaskViews tasks;
    private final BindingCalls calls;
    private final BindingOutcomes outcomes;
    private final List<Kind> kinds;

    BindingWorld(
            ObjectCache cache,
            BindingState state,
            BindingViews views,
            TaskViews tasks,
            BindingCalls calls,
            BindingOutcomes outcomes,
            List<Kind> kinds) {
        this.cache = cache;
        this.state = state;
        this.views = views;
        this.tasks = tasks;
        this.calls = calls;
        this.outcomes = outcomes;
        this.kinds = kinds;
    }

    @Override
    public @Nullable BindingView view(ObjectKey key) {
        return views.deciding() ? tasks.of(key, views.view(key)) : null;
    }

    @Override
    public Iterator<ObjectKey> keys() {
        return kinds.stream()
                .flatMap(kind -> new ArrayList<>(cache.all(kind)).stream())
                .map(ApiObject::key)
                .iterator();
    }

    @Override
    public void taken(ObjectKey key, BindingStep step) {
        if (step instanceof BindingStep.Write write && !write.reserves().isEmpty()) {
            state.promise(key, write.reserves());
        }
    }

    @Override
    public void abandoned(ObjectKey key, BindingStep step) {
        endPromise(key, step);
    }

    @Override
    public Call call(ObjectKey key, BindingStep step) {
        return calls.call(key, step);
    }

    @Override
    public void completed(ObjectKey key, BindingStep step, Outcome outcome) {
        endPromise(key, step);
        outcomes.completed(key, step, outcome);
    }

    private void endPromise(ObjectKey key, BindingStep step) {
        if (step instanceof BindingStep.Write write && !write.reserves().isEmpty()) {
            state.endPromise(key, write.reserves());
        }
    }
}
