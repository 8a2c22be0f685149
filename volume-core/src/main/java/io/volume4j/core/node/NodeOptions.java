package io.volume4j.core.node;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.volumes.AttachMode;
import java.time.Duration;

/**
 * The options of a node agent.
 *
 * @param keepTerminatedPodVolumes whether volumes of ended pods stay until the pod's object is deleted
 * @param attachDeadline deadline of attach and detach calls
 * @param mountDeadline deadline of calls that mount and unmount
 * @param deviceDeadline deadline of calls that mount or expand a device, for plugins that may run programs (mkfs,
 *     fsck, resize2fs). Each program also has its own limit; the backend kills it at the limit that comes first
 * @param ownershipDeadline deadline of one walk over a volume's files; the next walk does not repeat what is done
 * @param statsDeadline deadline of one query for a volume's usage
 * @param watchInterval how often the node queries the usage and health of volumes; zero for never
 * @param resyncPerSecond volumes that the resync visits per second
 * @param dryRun whether the agent only plans and takes no steps
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

    /** Options with one deadline for all calls that mount, and one minute for usage queries. */
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
     * The defaults: the control plane attaches; 2 minutes to attach, 10 to mount, one hour for devices and for
     * ownership, one minute for usage queries; the resync visits 100 volumes per second.
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
