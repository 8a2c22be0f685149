package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;
import static io.volume4j.csi.internal.proto.NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.NodeExpandVolumeRequest;
import io.volume4j.csi.internal.proto.NodeExpandVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.VolumeUsage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.HealthReporter.HealthRequest;
import io.volume4j.spi.plugin.HealthReporter.SeenBy;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandResult;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The usage of volumes, and their expansion on the node. */
public final class UsageSide {
    private final Driver driver;
    private final Secrets secrets;
    private final HealthSide health;
    private final NodePaths paths;
    /** Staged volumes that the driver refused to expand while a pod uses them. */
    private final OfflineOnly offlineOnly = new OfflineOnly();

    public UsageSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
        this.health = new HealthSide(driver, this, secrets);
        this.paths = new NodePaths(() -> driver.host().mounts(), driver.policy().pathPrefixes());
    }

    /** The driver knows a path of a raw device only after it was published for a pod. */
    public NodeExpander expander(VolumeSpec spec) {
        return new NodeExpander() {
            @Override
            public NodeExpandResult expand(NodeExpandRequest request, CallContext context) {
                return UsageSide.this.expand(request, context);
            }

            /** CSI has no capability for it. The answer is yes until the driver refuses for this volume. */
            @Override
            public boolean online() {
                String handle = Handles.source(spec).volumeHandle();
                return !offlineOnly.contains(handle)
                        && !driver.growsAfterUnpublish().contains(handle);
            }

            @Override
            public boolean beforePods() {
                return spec.volumeMode() == VolumeMode.FILESYSTEM;
            }
        };
    }

    private NodeExpandResult expand(NodeExpandRequest request, CallContext context) {
        RootedPath staging = request.deviceMountPath();
        boolean block = request.spec().volumeMode() == VolumeMode.BLOCK;
        RootedPath path = request.podPath() != null || block ? request.podPath() : staging;
        if (path == null) {
            throw VolumeException.transientFailure(
                            "volume " + request.volume().name() + " grows on the node when a pod has it")
                    .withAdvice("start a pod that uses the volume");
        }
        driver.learnNode(context);
        CsiSource source = Handles.source(request.spec());
        NodeExpandVolumeRequest.Builder expand = NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(Handles.volumeId(request.volume()))
                .setVolumePath(paths.there(path))
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(request.newBytes()))
                .setVolumeCapability(AttachSide.access(request.spec())
                        .capability(AttachSide.modes(request.spec()), driver.has(SINGLE_NODE_MULTI_WRITER)));
        if (staging != null && driver.has(STAGE_UNSTAGE_VOLUME)) {
            expand.setStagingTargetPath(paths.there(staging));
        }
        NodeExpandVolumeResponse expanded = driver.nodeLanes()
                .one(
                        expand.getVolumeId(),
                        context,
                        () -> secrets.with(
                                source.nodeExpandSecretRef(),
                                values -> expand(
                                        expand.clone().putAllSecrets(values).build(), context)));
        offlineOnly.remove(expand.getVolumeId());
        // Zero means that the driver does not know the size. A smaller value may be the size of the filesystem. The
        // expansion has succeeded in both cases.
        return new NodeExpandResult(Math.max(expanded.getCapacityBytes(), request.newBytes()));
    }

    /**
     * While a pod uses the volume, CSI forbids to repeat the call. The library can repeat it without a pod for a staged filesystem
     * only. For other volumes it repeats it after a pod has given the volume up, also if another pod still has it.
     */
    private NodeExpandVolumeResponse expand(NodeExpandVolumeRequest expand, CallContext context) {
        try {
            return driver.node().node().nodeExpandVolume(expand, context);
        } catch (CsiException e) {
            boolean staged = !expand.getStagingTargetPath().isEmpty();
            boolean published = !expand.getVolumePath().equals(expand.getStagingTargetPath());
            if (e.answered(Code.FAILED_PRECONDITION) && published) {
                boolean growsWithoutPods =
                        staged && !expand.getVolumeCapability().hasBlock();
                (growsWithoutPods ? offlineOnly : driver.growsAfterUnpublish()).add(expand.getVolumeId());
            }
            throw e;
        }
    }

    /** The health of volumes and of the storage. */
    public HealthReporter health() {
        return health;
    }

    NodePaths paths() {
        return paths;
    }

    public Stats stats(StatsRequest request, CallContext context) {
        // the driver knows a raw device by the path at which it published it
        Path path = request.mapPath() != null ? request.mapPath() : request.path();
        NodeGetVolumeStatsResponse told =
                Driver.translated(() -> ask(request.volume(), path, request.deviceMountPath(), context));
        VolumeUsage bytes = usage(told, VolumeUsage.Unit.BYTES);
        VolumeUsage inodes = usage(told, VolumeUsage.Unit.INODES);
        Stats stats = new Stats(
                bytes == null ? -1 : bytes.getTotal(),
                bytes == null ? -1 : bytes.getAvailable(),
                bytes == null ? -1 : bytes.getUsed(),
                inodes == null ? -1 : inodes.getTotal(),
                inodes == null ? -1 : inodes.getAvailable(),
                inodes == null ? -1 : inodes.getUsed());
        Health seen = driver.has(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH)
                ? health.ofNode(new HealthRequest(request.volume(), path, request.deviceMountPath()), context)
                : HealthSide.condition(SeenBy.UNSAID, told.hasVolumeCondition(), told.getVolumeCondition());
        return seen.reported() && driver.saysHealthOnNode() ? stats.withCondition(seen) : stats;
    }

    NodeGetVolumeStatsResponse ask(VolumeId volume, Path path, @Nullable Path staging, CallContext context) {
        NodeGetVolumeStatsRequest.Builder ask = NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(Handles.volumeId(volume))
                .setVolumePath(paths.there(path));
        if (staging != null && driver.has(STAGE_UNSTAGE_VOLUME)) {
            ask.setStagingTargetPath(paths.there(staging));
        }
        return driver.questionLanes()
                .together(
                        context,
                        () -> driver.nodeLanes()
                                .together(
                                        context, () -> driver.node().node().nodeGetVolumeStats(ask.build(), context)));
    }

    /** Negative figures are those of a filesystem that does not know its own. They say nothing of the other unit. */
    private static @Nullable VolumeUsage usage(NodeGetVolumeStatsResponse told, VolumeUsage.Unit unit) {
        return told.getUsageList().stream()
                .filter(usage -> usage.getUnit() == unit)
                .filter(usage -> usage.getTotal() >= 0 && usage.getUsed() >= 0 && usage.getAvailable() >= 0)
                .findFirst()
                .orElse(null);
    }
}
