package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.ContentStep;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Measurements of a controller's calls, under the names that the field knows. */
final class ControlMetrics implements Engine.Observer<ObjectKey, BindingStep> {
    private static final List<String> CLASS = List.of("spec", "storageClassName");

    private final MetricsSink sink;
    private final OperationMetrics metrics;
    private final Predicate<String> inTreeClass;

    /** @param inTreeClass whether the storage class of that name names a provisioner of the days before CSI */
    ControlMetrics(MetricsSink sink, Predicate<String> inTreeClass) {
        this.inTreeClass = inTreeClass;
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
        metrics.ended(plugin, operation, outcome.succeeded(), migrated(step), took);
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
        return switch (step.kind()) {
            case CUT -> "create_snapshot";
            case PROBE -> "get_snapshot";
            case DISCARD -> "delete_snapshot";
            default -> step.kind().name().toLowerCase(Locale.ROOT);
        };
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
        if (step instanceof BindingStep.Expand expand) {
            return expand.plugin();
        }
        if (step instanceof BindingStep.Modify modify) {
            return modify.plugin();
        }
        if (step instanceof ContentStep.Cut cut) {
            return cut.plugin();
        }
        if (step instanceof ContentStep.Probe probe) {
            return probe.plugin();
        }
        if (step instanceof ContentStep.Discard discard) {
            return discard.plugin();
        }
        return step instanceof BindingStep.Recycle recycle ? recycle.plugin() : "";
    }

    /** Whether the plugin was told of the volume in other words than those in which it is described. */
    private boolean migrated(BindingStep step) {
        if (step instanceof BindingStep.Provision provision) {
            return inTreeClass.test(provision.intent().storageClass().name());
        }
        if (step instanceof BindingStep.Unmake unmake) {
            return inTreeClass.test(unmake.intent().storageClass().name());
        }
        @Nullable PersistentVolume volume = null;
        if (step instanceof BindingStep.Delete delete) {
            volume = delete.volume();
        } else if (step instanceof BindingStep.Recycle recycle) {
            volume = recycle.volume();
        } else if (step instanceof BindingStep.Expand expand) {
            volume = expand.volume();
        } else if (step instanceof BindingStep.Modify modify) {
            volume = modify.volume();
        }
        return volume != null && CsiMigration.driverFor(volume.spec().source()).isPresent();
    }
}
