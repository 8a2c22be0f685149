package io.volume4j.core.node;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.volumes.AttachMode;
import java.time.Duration;

/**
 * How a node agent behaves.
 *
 * @param keepTerminatedPodVolumes whether volumes of ended pods stay until the pod object goes
 * @param attachDeadline for attach and detach calls
 * @param mountDeadline for calls that mount and unmount, mkfs included
 * @param resyncPerSecond volumes looked at per second though nothing announced a change
 */
public record NodeOptions(
        AttachMode attachMode,
        boolean keepTerminatedPodVolumes,
        Duration attachDeadline,
        Duration mountDeadline,
        Backoff backoff,
        OperationExecutor.Limits limits,
        int resyncPerSecond) {

    /** Attached by the control plane; 2 minutes for attaching, 10 for mounting; 100 volumes looked at per second. */
    public static NodeOptions standard() {
        return new NodeOptions(
                AttachMode.CONTROLLER,
                false,
                Duration.ofMinutes(2),
                Duration.ofMinutes(10),
                Backoff.standard(),
                OperationExecutor.Limits.standard(),
                100);
    }

    public NodeOptions withAttachMode(AttachMode mode) {
        return new NodeOptions(
                mode, keepTerminatedPodVolumes, attachDeadline, mountDeadline, backoff, limits, resyncPerSecond);
    }

    public NodeOptions withMountDeadline(Duration deadline) {
        return new NodeOptions(
                attachMode, keepTerminatedPodVolumes, attachDeadline, deadline, backoff, limits, resyncPerSecond);
    }
}
