package io.volume4j.core.control.host;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures each step and reports it to the features and the caller's listener. */
record ControlObservers(ControlMetrics metrics, List<Feature<?, ?>> features, Consumer<ObjectTransition> listener)
        implements Engine.Observer<ObjectKey, ClusterStep> {
    @Override
    public void started(ObjectKey key, ClusterStep step, int attempt) {
        features.forEach(feature -> feature.started(key, step));
        tell(key, step, attempt, false, Duration.ZERO, null);
    }

    @Override
    public void ended(ObjectKey key, ClusterStep step, int attempt, Outcome outcome, Duration took) {
        features.forEach(feature -> feature.ended(key, step, outcome));
        metrics.ended(step, outcome, took);
        tell(key, step, attempt, true, took, outcome.failure());
    }

    @Override
    public void returned(ObjectKey key, ClusterStep step) {
        metrics.returned(step);
    }

    private void tell(
            ObjectKey key,
            ClusterStep step,
            int attempt,
            boolean ended,
            Duration took,
            @Nullable VolumeException failure) {
        String action = step.kind().name().toLowerCase(Locale.ROOT);
        listener.accept(new ObjectTransition(key, action, step.describe(), attempt, ended, took, failure));
    }
}
