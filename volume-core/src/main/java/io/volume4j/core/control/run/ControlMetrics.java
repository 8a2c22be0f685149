package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.Locale;

/** Measurements of a controller's calls, under the names that the field knows. */
final class ControlMetrics implements Engine.Observer<ObjectKey, BindingStep> {
    private final OperationMetrics metrics;

    ControlMetrics(MetricsSink sink) {
        metrics = new OperationMetrics(sink);
    }

    @Override
    public void ended(ObjectKey key, BindingStep step, int attempt, Outcome outcome, Duration took) {
        String plugin = pluginOf(step);
        if (plugin.isEmpty()) {
            return;
        }
        String operation = operation(step);
        metrics.ended(plugin, operation, outcome.succeeded(), took);
        if (outcome.writtenOff()) {
            metrics.writtenOff(plugin, operation);
        }
    }

    @Override
    public void returned(ObjectKey key, BindingStep step) {
        String plugin = pluginOf(step);
        if (!plugin.isEmpty()) {
            metrics.returned(plugin);
        }
    }

    private static String operation(BindingStep step) {
        return step.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String pluginOf(BindingStep step) {
        if (step instanceof BindingStep.Provision provision) {
            return provision.intent().plugin();
        }
        if (step instanceof BindingStep.Unmake unmake) {
            return unmake.intent().plugin();
        }
        if (step instanceof BindingStep.Delete delete) {
            return delete.plugin();
        }
        return step instanceof BindingStep.Recycle recycle ? recycle.plugin() : "";
    }
}
