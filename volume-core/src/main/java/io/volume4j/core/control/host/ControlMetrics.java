package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterStep.Measured;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.VolumeSource;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Measurements of a controller's calls, with Kubernetes' metric names. */
final class ControlMetrics {
    private final OperationMetrics metrics;
    private final CsiMigration migration;
    private final Predicate<String> inTreeClass;

    /** @param inTreeClass whether the storage class with that name has an in-tree provisioner */
    ControlMetrics(MetricsSink sink, CsiMigration migration, Predicate<String> inTreeClass) {
        this.migration = migration;
        this.inTreeClass = inTreeClass;
        metrics = new OperationMetrics(sink);
    }

    void ended(ClusterStep step, Outcome outcome, Duration took) {
        @Nullable Measured measured = step.measured();
        if (measured == null) {
            return;
        }
        metrics.ended(measured.plugin(), measured.operation(), outcome.succeeded(), migrated(measured), took);
        if (outcome.writtenOff()) {
            metrics.writtenOff(measured.plugin(), measured.operation());
        }
    }

    void returned(ClusterStep step) {
        @Nullable Measured measured = step.measured();
        if (measured != null) {
            metrics.returned(measured.plugin());
        }
    }

    /** Removes the gauges. */
    void close() {
        metrics.close();
    }

    /** Whether the plugin got a translation of the volume's in-tree description. */
    private boolean migrated(Measured measured) {
        @Nullable VolumeSource source = measured.source();
        return source != null
                ? migration.driverFor(source).isPresent()
                : !measured.className().isEmpty() && inTreeClass.test(measured.className());
    }
}
