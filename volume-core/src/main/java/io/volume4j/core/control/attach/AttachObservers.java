package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Step;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.steplog.ControlLog;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/** Report each step to the host, and measure the calls to drivers. */
final class AttachObservers {
    private AttachObservers() {}

    static Engine.Observer<AttachKey, AttachStep> ofSteps(
            String controller, EventLoop loop, Consumer<ObjectTransition> listener) {
        return ControlLog.steps(controller, loop, AttachObservers::named, new OfSteps(listener));
    }

    static Engine.Observer<ObjectKey, RecordStep> ofRecords(
            String controller, EventLoop loop, Consumer<ObjectTransition> listener, OperationMetrics metrics) {
        return ControlLog.steps(
                controller,
                loop,
                (line, key, step) -> line.addKeyValue("object", key).addKeyValue("volume", step.volume()),
                new OfRecords(listener, metrics));
    }

    private static LoggingEventBuilder named(LoggingEventBuilder line, AttachKey key, AttachStep step) {
        if (key instanceof AttachKey.Pair pair) {
            return line.addKeyValue("volume", pair.volume()).addKeyValue("node", pair.node());
        }
        return key instanceof AttachKey.OfNode node
                ? line.addKeyValue("node", node.node())
                : line.addKeyValue("object", key);
    }

    /** Steps on pairs, nodes and drivers. */
    record OfSteps(Consumer<ObjectTransition> listener) implements Engine.Observer<AttachKey, AttachStep> {
        @Override
        public void started(AttachKey key, AttachStep step, int attempt) {
            listener.accept(transition(object(key, step), step, attempt, false, Duration.ZERO, null));
        }

        @Override
        public void ended(AttachKey key, AttachStep step, int attempt, Outcome outcome, Duration took) {
            listener.accept(transition(object(key, step), step, attempt, true, took, outcome.failure()));
        }

        static ObjectKey object(AttachKey key, AttachStep step) {
            if (step instanceof AttachStep.Claim claim) {
                return ObjectKey.attachment(claim.record());
            }
            if (step instanceof AttachStep.DeleteRecord delete) {
                return ObjectKey.attachment(delete.record());
            }
            if (key instanceof AttachKey.Pair pair) {
                return ObjectKey.node(pair.node());
            }
            return ObjectKey.node(key instanceof AttachKey.OfNode node ? node.node() : key.toString());
        }
    }

    /** Steps that carry VolumeAttachments out. */
    private record OfRecords(Consumer<ObjectTransition> listener, OperationMetrics metrics)
            implements Engine.Observer<ObjectKey, RecordStep> {
        @Override
        public void started(ObjectKey key, RecordStep step, int attempt) {
            listener.accept(transition(key, step, attempt, false, Duration.ZERO, null));
        }

        @Override
        public void ended(ObjectKey key, RecordStep step, int attempt, Outcome outcome, Duration took) {
            String operation = operation(step);
            if (!operation.isEmpty()) {
                metrics.ended(driver(step), operation, outcome.succeeded(), took);
                if (outcome.writtenOff()) {
                    metrics.writtenOff(driver(step), operation);
                }
            }
            listener.accept(transition(key, step, attempt, true, took, outcome.failure()));
        }

        @Override
        public void returned(ObjectKey key, RecordStep step) {
            if (!operation(step).isEmpty()) {
                metrics.returned(driver(step));
            }
        }

        private static String driver(RecordStep step) {
            return VolumeId.parse(step.volume()).plugin();
        }

        /** Kubernetes' name for a call to the driver, {@code ""} for a call to the cluster. */
        private static String operation(RecordStep step) {
            return switch (step.kind()) {
                case ATTACH -> "volume_attach";
                case DETACH -> "volume_detach";
                default -> "";
            };
        }
    }

    private static ObjectTransition transition(
            ObjectKey object, Step step, int attempt, boolean ended, Duration took, @Nullable VolumeException failure) {
        String action = step.kind().name().toLowerCase(Locale.ROOT);
        return new ObjectTransition(object, action, step.describe(), attempt, ended, took, failure);
    }
}
