package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Measurements of a controller's calls, under the names that the field knows. */
final class ControlMetrics implements Engine.Observer<ObjectKey, BindingStep> {
    private final MetricsSink sink;

    ControlMetrics(MetricsSink sink) {
        this.sink = sink;
    }

    @Override
    public void ended(ObjectKey key, BindingStep step, int attempt, Outcome outcome, Duration took) {
        String plugin = pluginOf(step);
        if (plugin.isEmpty()) {
            return;
        }
        String operation = step.kind().name().toLowerCase(Locale.ROOT);
        sink.time(
                "storage_operation_duration_seconds",
                labels(
                        "operation_name", operation,
                        "status", outcome.succeeded() ? "success" : "fail-unknown",
                        "volume_plugin", plugin),
                took);
        if (!outcome.succeeded()) {
            sink.count("volume_operation_total_errors", labels("operation_name", operation, "plugin_name", plugin), 1);
        }
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

    private static Map<String, String> labels(String... pairs) {
        Map<String, String> labels = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return labels;
    }
}
