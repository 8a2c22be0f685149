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
 * @param mountDeadline for calls that mount and unmount
 * @param deviceDeadline for calls that mount a device or make one larger, of plugins that may run programs for it: mkfs, fsck,
 *     resize2fs. Each of those has a limit of its own besides, and is killed at what comes first
 * @param ownershipDeadline for one walk over a volume's files; what was done until then is not done again
 * @param statsDeadline for one answer about how full a volume is
 * @param watchInterval how often the node asks how full volumes of claims are and how volumes are; zero for never
 * @param resyncPerSecond volumes looked at per second though nothing announced a change
 * @param dryRun whether no step is ever taken, so that one can look at what would be done
 */
public record NodeOptions(
        AttachMode attachMode,
        boolean keepTerminatedPodVolumes,
        Duration attachDeadline,
        Duration mountDeadline,
        Duration deviceDeadline,
        Duration ownershipDeadline,
        Duration statsDeadline,
        Duration watchInterval,
        Backoff backoff,
        OperationExecutor.Limits limits,
        int resyncPerSecond,
        boolean dryRun) {

    private static final Duration STATS = Duration.ofMinutes(1);

    /** With one deadline for all calls that mount, and a minute for figures. */
    public NodeOptions(
            AttachMode attachMode,
            boolean keepTerminatedPodVolumes,
            Duration attachDeadline,
            Duration mountDeadline,
            Duration ownershipDeadline,
            Backoff backoff,
            OperationExecutor.Limits limits,
            int resyncPerSecond,
            boolean dryRun) {
        this(
                attachMode,
                keepTerminatedPodVolumes,
                attachDeadline,
                mountDeadline,
                mountDeadline,
                ownershipDeadline,
                STATS,
                Duration.ZERO,
                backoff,
                limits,
                resyncPerSecond,
                dryRun);
    }

    /**
     * Attached by the control plane; 2 minutes for attaching, 10 for mounting, an hour for devices and for ownership, a minute for
     * figures; 100 volumes looked at per second.
     */
    public static NodeOptions standard() {
        return new NodeOptions(
                AttachMode.CONTROLLER,
                false,
                Duration.ofMinutes(2),
                Duration.ofMinutes(10),
                Duration.ofHours(1),
                Duration.ofHours(1),
                STATS,
                Duration.ZERO,
                Backoff.standard(),
                OperationExecutor.Limits.standard(),
                100,
                false);
    }

    public NodeOptions withAttachMode(AttachMode mode) {
        return new NodeOptions(
                mode,
                keepTerminatedPodVolumes,
                attachDeadline,
                mountDeadline,
                deviceDeadline,
                ownershipDeadline,
                statsDeadline,
                watchInterval,
                backoff,
                limits,
                resyncPerSecond,
                dryRun);
    }

    public NodeOptions withMountDeadline(Duration deadline) {
        return new NodeOptions(
                attachMode,
                keepTerminatedPodVolumes,
                attachDeadline,
                deadline,
                deviceDeadline,
                ownershipDeadline,
                statsDeadline,
                watchInterval,
                backoff,
                limits,
                resyncPerSecond,
                dryRun);
    }

    public NodeOptions withWatchInterval(Duration interval) {
        return new NodeOptions(
                attachMode,
                keepTerminatedPodVolumes,
                attachDeadline,
                mountDeadline,
                deviceDeadline,
                ownershipDeadline,
                statsDeadline,
                interval,
                backoff,
                limits,
                resyncPerSecond,
                dryRun);
    }

    public NodeOptions withDryRun(boolean dry) {
        return new NodeOptions(
                attachMode,
                keepTerminatedPodVolumes,
                attachDeadline,
                mountDeadline,
                deviceDeadline,
                ownershipDeadline,
                statsDeadline,
                watchInterval,
                backoff,
                limits,
                resyncPerSecond,
                dry);
    }
}
