package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measurements of a controller's calls, under the names that the field knows. */
final class ControlMetrics implements Engine.Observer<ObjectKey, BindingStep> {
    private static final List<String> CLASS = List.of("spec", "storageClassName");

    private final MetricsSink sink;
    private final OperationMetrics metrics;

    ControlMetrics(MetricsSink sink) {
        this.sink = sink;
        metrics = new OperationMetrics(sink);
    }

    @Override
    public void ended(ObjectKey key, BindingStep step, int attempt, Outcome outcome, Duration took) {
        if (givesClass(step)) {
            String counter =
                    outcome.succeeded() ? "retroactive_storageclass_total" : "retroactive_storageclass_errors_total";
            sink.count(counter, Map.of(), 1);
        }
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

    /** Whether the step gives a claim a class that said nothing about one. */
    private static boolean givesClass(BindingStep step) {
        if (step instanceof BindingStep.Write write && write.writes().size() == 1) {
            for (FieldChange change : write.writes().get(0).changes()) {
                if (change.path().equals(CLASS)) {
                    return true;
                }
            }
        }
        return false;
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
