package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;
import static io.volume4j.csi.internal.proto.NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME;
import static io.volume4j.csi.internal.proto.NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountResult;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stages volumes on the node and publishes them to pods, as files or as devices, and reverts both. */
public final class NodeSide implements BlockMapper, BlockUnmapper {
    private final Driver driver;
    private final Secrets secrets;
    private final NodePaths paths;

    public NodeSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
        this.paths = new NodePaths(() -> driver.host().mounts(), driver.policy().pathPrefixes());
    }

    public DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        driver.learnNode(context);
        AccessTypes access = AttachSide.access(request.spec())
                .withGroup(delegatesGroup() ? request.fsGroup() : null)
                .withFlag(driver.settings(request.spec()).seLinuxMount() ? request.seLinuxMountOption() : "");
        stage(
                request.spec(),
                request.volume(),
                request.metadata(),
                request.target(),
                capability(request.spec(), access),
                context);
        return DeviceMountResult.mounted();
    }

    /** Unstages a volume, but only if neither journal nor kernel show a pod that uses it. */
    public void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        unstage(request.volume(), request.target(), context);
    }

    public MountResult mount(MountRequest request, CallContext context) {
        driver.learnNode(context);
        boolean ephemeral = request.volume().privateToPod();
        if (request.deviceMountPath() == null && staged(request.volume())) {
            throw VolumeException.transientFailure("volume " + Handles.volumeId(request.volume())
                            + " is not staged, and driver " + driver.name() + " stages volumes since it was updated")
                    .withAdvice("the node stages the volume first");
        }
        CsiSource source = Handles.source(request.spec());
        AccessTypes access = AttachSide.access(request.spec())
                .withGroup(
                        delegatesGroup()
                                ? request.pod().spec().securityContext().fsGroup()
                                : null)
                .withFlag(driver.settings(request.spec()).seLinuxMount() ? request.seLinuxMountOption() : "");
        publish(
                request.spec(),
                request.volume(),
                request.pod(),
                request.metadata(),
                ephemeral ? null : request.deviceMountPath(),
                request.target(),
                capability(request.spec(), access),
                request.readOnly() || source.readOnly(),
                context);
        return MountResult.mounted();
    }

    public void unmount(UnmountRequest request, CallContext context) {
        unpublish(request.volume(), request.target(), context);
    }

    @Override
    public MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context) {
        driver.learnNode(context);
        if (staged(request.volume())) {
            VolumeCapability capability = capability(request.spec(), AttachSide.access(request.spec()));
            stage(request.spec(), request.volume(), request.metadata(), request.stagingPath(), capability, context);
        }
        return new MapDeviceResult("", PluginState.none());
    }

    /**
     * The driver creates a device file at the path; the pod gets that file. The device may have been mapped when the driver
     * could not stage yet; then it is staged here. The teardown does not depend on it: it always unstages.
     */
    @Override
    public MapPodResult mapPod(MapPodRequest request, CallContext context) {
        driver.learnNode(context);
        RootedPath staging = staged(request.volume()) ? request.stagingPath() : null;
        if (staging != null && paths.missing(staging)) {
            stage(request, staging, context);
        }
        try {
            publish(request, staging, context);
        } catch (VolumeException failure) {
            if (staging == null || !notStaged(failure)) {
                throw failure;
            }
            stage(request, staging, context);
            publish(request, staging, context);
        }
        return new MapPodResult(request.publishPath().toString(), PluginState.none());
    }

    /** What CSI says of a volume that is not staged. An earlier call to stage it may have had no answer. */
    private static boolean notStaged(VolumeException failure) {
        return failure.getCause() instanceof CsiException cause && cause.answered(Code.FAILED_PRECONDITION);
    }

    private void stage(MapPodRequest request, RootedPath staging, CallContext context) {
        VolumeCapability capability = capability(request.spec(), AttachSide.access(request.spec()));
        stage(request.spec(), request.volume(), request.metadata(), staging, capability, context);
    }

    private void publish(MapPodRequest request, @Nullable RootedPath staging, CallContext context) {
        CsiSource source = Handles.source(request.spec());
        publish(
                request.spec(),
                request.volume(),
                request.pod(),
                request.metadata(),
                staging,
                request.publishPath(),
                capability(request.spec(), AttachSide.access(request.spec())),
                request.spec().readOnly() || source.readOnly(),
                context);
    }

    @Override
    public void unmapPod(UnmapPodRequest request, CallContext context) {
        unpublish(request.volume(), request.publishPath(), context);
    }

    @Override
    public void unmapDevice(UnmapDeviceRequest request, CallContext context) {
        unstage(request.volume(), request.stagingPath(), context);
    }

    /** Whether the driver sets the group, so that the node does not. */
    public boolean delegatesGroup() {
        return driver.has(VOLUME_MOUNT_GROUP);
    }

    /** Whether a volume is staged before it is published; an inline volume never is. */
    boolean staged(VolumeId volume) {
        return !volume.privateToPod() && driver.has(STAGE_UNSTAGE_VOLUME);
    }

    private VolumeCapability capability(VolumeSpec spec, AccessTypes access) {
        return access.capability(AttachSide.modes(spec), driver.has(SINGLE_NODE_MULTI_WRITER));
    }

    private void stage(
            VolumeSpec spec,
            VolumeId volume,
            Map<String, String> publishContext,
            RootedPath staging,
            VolumeCapability capability,
            CallContext context) {
        CsiSource source = Handles.source(spec);
        NodeStageVolumeRequest stage = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(Handles.volumeId(volume))
                .putAllPublishContext(publishContext)
                .setStagingTargetPath(paths.there(staging))
                .setVolumeCapability(capability)
                .putAllVolumeContext(source.volumeAttributes())
                .build();
        driver.nodeLanes().one(stage.getVolumeId(), context, () -> {
            paths.makeStaging(staging);
            try {
                return secrets.with(
                        source.nodeStageSecretRef(),
                        values -> driver.node()
                                .node()
                                .nodeStageVolume(
                                        stage.toBuilder().putAllSecrets(values).build(), context));
            } catch (VolumeException e) {
                if (e.kind() != FailureKind.UNCERTAIN) {
                    paths.removePlace(staging);
                }
                throw e;
            }
        });
    }

    private void unstage(VolumeId volume, RootedPath staging, CallContext context) {
        String handle = Handles.volumeId(volume);
        driver.nodeLanes().one(handle, context, () -> {
            // the call below asks by itself; without the call nothing else would
            if (driver.capabilities().lacks(STAGE_UNSTAGE_VOLUME)) {
                driver.learnNode(context);
            }
            if (driver.capabilities().lacks(STAGE_UNSTAGE_VOLUME)) {
                requireUnmounted(staging);
            } else {
                Optional<java.nio.file.Path> pod = paths.stillPublished(staging);
                if (pod.isPresent()) {
                    throw VolumeException.of(
                                    FailureKind.IN_USE,
                                    "volume " + handle + " stays staged, because it is still mounted at " + pod.get())
                            .withAdvice("nothing that is known needs that mount: unmount it by hand");
                }
                Driver.translated(() -> unstageNow(handle, staging, context));
            }
            paths.removePlace(staging);
            return handle;
        });
    }

    /** A driver that no longer supports staging cannot unstage what it staged before. */
    private void requireUnmounted(RootedPath staging) {
        if (driver.host().mounts().isPresent() && !paths.provenUnmounted(staging)) {
            throw VolumeException.finalFailure("driver " + driver.name() + " mounted something at " + staging
                            + " and says now that it cannot unstage")
                    .withAdvice("bring back the version of the driver that can, or unmount it by hand");
        }
    }

    /**
     * Some drivers answer NOT_FOUND for a volume that is already unstaged. The kernel's table proves the state of the
     * node.
     */
    private Object unstageNow(String handle, RootedPath staging, CallContext context) {
        try {
            return driver.node()
                    .node()
                    .nodeUnstageVolume(
                            NodeUnstageVolumeRequest.newBuilder()
                                    .setVolumeId(handle)
                                    .setStagingTargetPath(paths.there(staging))
                                    .build(),
                            context);
        } catch (CsiException e) {
            if (e.answered(Code.NOT_FOUND) && paths.provenUnmounted(staging)) {
                return handle;
            }
            throw e;
        }
    }

    private void publish(
            VolumeSpec spec,
            VolumeId volume,
            Pod pod,
            Map<String, String> publishContext,
            @Nullable RootedPath staging,
            RootedPath target,
            VolumeCapability capability,
            boolean readOnly,
            CallContext context) {
        CsiSource source = Handles.source(spec);
        CsiDriver.Spec settings = driver.settings(spec);
        Map<String, String> tokens =
                PodContext.tokens(settings, pod, driver.host().configs());
        Map<String, String> volumeContext =
                new TreeMap<>(PodContext.context(settings, source.volumeAttributes(), pod, volume.privateToPod()));
        if (!settings.serviceAccountTokenInSecrets()) {
            volumeContext.putAll(tokens);
        }
        NodePublishVolumeRequest.Builder publish = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(Handles.volumeId(volume))
                .putAllPublishContext(publishContext)
                .setTargetPath(paths.there(target))
                .setVolumeCapability(capability)
                .setReadonly(readOnly)
                .putAllVolumeContext(volumeContext);
        if (staging != null && staged(volume)) {
            publish.setStagingTargetPath(paths.there(staging));
        }
        driver.nodeLanes().one(publish.getVolumeId(), context, () -> {
            paths.makeParent(target);
            Supplier<Optional<MountEntry>> seen =
                    () -> staging == null ? Optional.empty() : paths.foreign(staging, target);
            Optional<MountEntry> foreign = seen.get();
            try {
                return secrets.with(publishSecret(spec, pod), values -> {
                    NodePublishVolumeRequest.Builder whole = publish.clone().putAllSecrets(values);
                    if (settings.serviceAccountTokenInSecrets()) {
                        whole.putAllSecrets(tokens);
                    }
                    return driver.node().node().nodePublishVolume(whole.build(), context);
                });
            } catch (VolumeException e) {
                throw foreign.isPresent() && foreign.equals(seen.get()) ? occupied(e, foreign.get()) : e;
            }
        });
    }

    /**
     * If the mount of another process blocks a driver, the driver reports only the output of its tools. The kernel's
     * table has the real reason.
     */
    private static VolumeException occupied(VolumeException failure, MountEntry foreign) {
        boolean answered = failure.getCause() instanceof CsiException cause && cause.phase() == CallPhase.ANSWERED;
        return failure.kind() != FailureKind.UNCERTAIN || !answered
                ? failure
                : VolumeException.finalFailure(failure.reason() + "; " + foreign.source() + " (" + foreign.fsType()
                                + ") is mounted there and is not of this volume")
                        .withAdvice("find out who mounted it, and unmount it")
                        .withCause(failure);
    }

    /** An inline volume uses a secret of its pod's namespace; only a PersistentVolume may name another one. */
    private static @Nullable SecretRef publishSecret(VolumeSpec spec, Pod pod) {
        SecretRef secret = Handles.source(spec).nodePublishSecretRef();
        String own = pod.metadata().namespace();
        if (secret == null || secret.namespace().equals(own)) {
            return secret;
        }
        if (secret.namespace().isEmpty()) {
            return new SecretRef(own, secret.name());
        }
        if (SpecRules.inline(spec)) {
            throw VolumeException.finalFailure("inline volume " + OneLine.name(spec.name()) + " names secret "
                            + OneLine.name(secret.name()) + " of namespace " + OneLine.name(secret.namespace())
                            + ", and the pod is in namespace " + own)
                    .withAdvice("use a secret of the pod's namespace, or a PersistentVolume");
        }
        return secret;
    }

    private void unpublish(VolumeId volume, RootedPath target, CallContext context) {
        String handle = Handles.volumeId(volume);
        driver.nodeLanes().one(handle, context, () -> {
            Driver.translated(() -> unpublishNow(handle, target, context));
            driver.growsAfterUnpublish().remove(handle);
            paths.removePlace(target);
            return handle;
        });
    }

    private Object unpublishNow(String handle, RootedPath target, CallContext context) {
        try {
            return driver.node()
                    .node()
                    .nodeUnpublishVolume(
                            NodeUnpublishVolumeRequest.newBuilder()
                                    .setVolumeId(handle)
                                    .setTargetPath(paths.there(target))
                                    .build(),
                            context);
        } catch (CsiException e) {
            if (e.answered(Code.NOT_FOUND) && paths.provenUnmounted(target)) {
                return handle;
            }
            throw e;
        }
    }
}
