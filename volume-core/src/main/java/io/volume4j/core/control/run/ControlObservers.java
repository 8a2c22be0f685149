package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures each step and tells the host of it. */
record ControlObservers(ControlMetrics metrics, EndToEnd endToEnd, Consumer<ObjectTransition> listener)
        implements Engine.Observer<ObjectKey, BindingStep> {
    @Override
    public void started(ObjectKey key, BindingStep step, int attempt) {
        endToEnd.started(key, step);
        tell(key, step, attempt, false, Duration.ZERO, null);
    }

    @Override
    public void ended(ObjectKey key, BindingStep step, int attempt, Outcome outcome, Duration took) {
        metrics.ended(key, step, attempt, outcome, took);
        tell(key, step, attempt, true, took, outcome.failure());
    }

    @Override
    public void returned(ObjectKey key, BindingStep step) {
        metrics.returned(key, step);
    }

    private void tell(
            ObjectKey key,
            BindingStep step,
            int attempt,
            boolean ended,
            Duration took,
            @Nullable VolumeException failure) {
        String action = step.kind().name().toLowerCase(Locale.ROOT);
        listener.accept(new ObjectTransition(key, action, step.describe(), attempt, ended, took, failure));
    }
}
