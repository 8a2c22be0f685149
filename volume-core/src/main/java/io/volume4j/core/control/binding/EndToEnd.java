package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long users wait: from the first provision call until the claim is bound, and from the first delete call until the
 * volume's object is gone. The time includes failed attempts and all steps between. Operations that began in another process are
 * not measured. Loop thread only.
 */
final class EndToEnd {
    /** @param volumeName the volume to which the claim will be bound */
    private record Begun(String uid, String plugin, String volumeName, long at) {}

    private final MetricsSink sink;
    private final EventLoop loop;
    private final Map<ObjectKey, Begun> begun = new HashMap<>();

    EndToEnd(MetricsSink sink, EventLoop loop) {
        this.sink = sink;
        this.loop = loop;
    }

    void started(ObjectKey key, ClusterStep step) {
        if (step instanceof BindingStep.Provision provision) {
            begin(
                    key,
                    provision.claimUid(),
                    provision.intent().plugin(),
                    provision.intent().volumeName());
        } else if (step instanceof BindingStep.Delete delete) {
            begin(key, delete.volume().metadata().uid(), delete.plugin(), key.name());
        }
    }

    private void begin(ObjectKey key, String uid, String plugin, String volumeName) {
        @Nullable Begun known = begun.get(key);
        if (known == null || !known.uid().equals(uid)) {
            begun.put(key, new Begun(uid, plugin, volumeName, loop.nanoTime()));
        }
    }

    void changed(ObjectChange change) {
        @Nullable Begun known = begun.isEmpty() ? null : begun.get(change.key());
        if (known == null) {
            return;
        }
        @Nullable ApiObject after = change.after();
        boolean gone = after == null || !after.metadata().uid().equals(known.uid());
        if (after instanceof PersistentVolumeClaim claim && !gone) {
            if (claim.status().phase() == ClaimPhase.BOUND) {
                begun.remove(change.key());
                if (claim.spec().volumeName().equals(known.volumeName())) {
                    tell("provision", known);
                }
            }
        } else if (gone) {
            begun.remove(change.key());
            // A claim that is deleted before it is bound gives no measurement.
            if (change.key().kind() == Kind.PERSISTENT_VOLUME) {
                tell("delete", known);
            }
        }
    }

    private void tell(String operation, Begun known) {
        sink.time(
                Metric.VOLUME_OPERATION_TOTAL.metricName(),
                OperationMetrics.labels("operation_name", operation, "plugin_name", known.plugin()),
                Duration.ofNanos(loop.nanoTime() - known.at()));
    }
}
