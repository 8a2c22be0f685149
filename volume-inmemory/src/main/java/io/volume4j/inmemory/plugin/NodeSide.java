package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.plugin.Overlaps.Scope;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountResult;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandResult;
import io.volume4j.spi.plugin.NodeReporter.NodeInfo;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a node. The device mount is a tmpfs named after the volume, and a pod's mount is a bind mount of it.
 * Without a mount backend both are only records.
 */
final class NodeSide implements BlockMapper, BlockUnmapper {
    private static final int DIRECTORY_MODE = 0750;

    private final String driver;
    private final String node;
    private final InMemoryStorage storage;
    private final Calls calls;
    private final Optional<MountBackend> mounts;
    /** Formats and mounts disks, if volumes are disks. */
    private final Optional<FormatAndMount> disks;

    private final SecretUse secrets;
    private final CapabilitySwitch switches;

    NodeSide(
            String driver,
            String node,
            InMemoryStorage storage,
            Calls calls,
            Optional<MountBackend> mounts,
            Optional<FormatAndMount> disks,
            SecretUse secrets,
            CapabilitySwitch switches) {
        this.driver = driver;
        this.node = node;
        this.storage = storage;
        this.calls = calls;
        this.mounts = mounts;
        this.disks = disks;
        this.secrets = secrets;
        this.switches = switches;
    }

    DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        CallSite site = site("mountDevice", request.volume());
        return withSecret(
                request.spec(),
                CsiSource::nodeStageSecretRef,
                () -> calls.make(site, Scope.DEVICE, request, context, () -> stage(request, site, context)));
    }

    private DeviceMountResult stage(DeviceMountRequest request, CallSite site, CallContext context) {
        boolean isNew = storage.model()
                .stage(
                        site.toString(),
                        site.subject(),
                        Calls.declaredBytes(request.spec()),
                        node,
                        request.target().toString(),
                        false,
                        request.spec().attachRequired() && switches.has(Capability.ATTACH));
        try {
            if (disks.isPresent()) {
                disks.get().mount(onDisk(request, site), context);
            } else {
                mountOwn(request.volume(), request.target(), request.spec().readOnly());
            }
        } catch (VolumeException failure) {
            if (isNew && failure.kind() != FailureKind.UNCERTAIN) {
                storage.model().unstaged(site.subject(), node);
            }
            throw failure;
        }
        return DeviceMountResult.mounted(new PluginState(1, Map.of("staged", "true")));
    }

    private static FormatAndMount.Request onDisk(DeviceMountRequest request, CallSite site) {
        return new FormatAndMount.Request(
                Path.of(StorageModel.device(site.subject())),
                request.target(),
                "",
                List.of(),
                false,
                request.formats(),
                BlankPolicy.of(request.spec()));
    }

    void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        CallSite site = site("unmountDevice", request.volume());
        calls.make(site, Scope.DEVICE, request, context, () -> {
            storage.model().judgeUnstage(site.toString(), site.subject(), node);
            unmount(request.target());
            storage.model().unstaged(site.subject(), node);
        });
    }

    MountResult mount(MountRequest request, CallContext context) {
        CallSite site = site("mount", request.volume());
        String pod = request.pod().metadata().uid();
        return withSecret(
                request.spec(),
                CsiSource::nodePublishSecretRef,
                () -> calls.make(site, pod, Scope.POD, request, context, () -> publish(request, site, pod)));
    }

    private MountResult publish(MountRequest request, CallSite site, String pod) {
        RootedPath staged = request.deviceMountPath();
        boolean isNew = storage.model()
                .publish(
                        site.toString(),
                        site.subject(),
                        Calls.declaredBytes(request.spec()),
                        node,
                        pod,
                        new BackingVolume.Publication(request.target().toString(), request.readOnly()),
                        Access.of(request.spec()),
                        staged != null);
        try {
            if (staged == null) {
                mountOwn(request.volume(), request.target(), request.readOnly());
            } else {
                bind(staged, request.target(), request.readOnly());
            }
        } catch (VolumeException failure) {
            if (isNew && failure.kind() != FailureKind.UNCERTAIN) {
                storage.model().unpublished(site.subject(), node, pod);
            }
            throw failure;
        }
        return MountResult.mounted(new PluginState(1, Map.of("published", "true")));
    }

    void unmount(UnmountRequest request, CallContext context) {
        CallSite site = site("unmount", request.volume());
        calls.make(site, request.podUid(), Scope.POD, request, context, () -> {
            unmount(request.target());
            storage.model().unpublished(site.subject(), node, request.podUid());
        });
    }

    @Override
    public MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context) {
        CallSite site = site("mapDevice", request.volume());
        return calls.make(site, Scope.DEVICE, request, context, () -> {
            storage.model()
                    .stage(
                            site.toString(),
                            site.subject(),
                            Calls.declaredBytes(request.spec()),
                            node,
                            request.stagingPath().toString(),
                            true,
                            request.spec().attachRequired() && switches.has(Capability.ATTACH));
            return new MapDeviceResult(request.devicePath(), new PluginState(1, Map.of("mapped", "true")));
        });
    }

    @Override
    public void unmapDevice(UnmapDeviceRequest request, CallContext context) {
        CallSite site = site("unmapDevice", request.volume());
        calls.make(site, Scope.DEVICE, request, context, () -> {
            storage.model().judgeUnstage(site.toString(), site.subject(), node);
            storage.model().unstaged(site.subject(), node);
        });
    }

    @Override
    public MapPodResult mapPod(MapPodRequest request, CallContext context) {
        CallSite site = site("mapPod", request.volume());
        String pod = request.pod().metadata().uid();
        return calls.make(site, pod, Scope.POD, request, context, () -> {
            storage.model()
                    .publish(
                            site.toString(),
                            site.subject(),
                            Calls.declaredBytes(request.spec()),
                            node,
                            pod,
                            new BackingVolume.Publication(
                                    request.publishPath().toString(),
                                    request.spec().readOnly()),
                            Access.of(request.spec()),
                            true);
            return new MapPodResult(request.devicePath(), PluginState.none());
        });
    }

    @Override
    public void unmapPod(UnmapPodRequest request, CallContext context) {
        CallSite site = site("unmapPod", request.volume());
        calls.make(
                site,
                request.podUid(),
                Scope.POD,
                request,
                context,
                () -> storage.model().unpublished(site.subject(), node, request.podUid()));
    }

    NodeExpandResult expand(NodeExpandRequest request, CallContext context) {
        CallSite site = site("nodeExpand", request.volume());
        return withSecret(
                request.spec(),
                CsiSource::nodeExpandSecretRef,
                () -> calls.make(
                        site,
                        Scope.GROWTH,
                        request,
                        context,
                        () -> new NodeExpandResult(grow(site, request.newBytes()))));
    }

    /** If the backend does not expand, the node's call also expands the volume. */
    private long grow(CallSite site, long newBytes) {
        if (!switches.has(Capability.EXPAND)) {
            storage.model().expand(site.toString(), site.subject(), newBytes);
        }
        return storage.model().expandOnNode(site.toString(), site.subject(), node, newBytes);
    }

    Stats stats(StatsRequest request, CallContext context) {
        CallSite site = site("stats", request.volume());
        return calls.make(site, Scope.NOTHING, request, context, () -> {
            long bytes =
                    storage.volume(site.subject()).map(BackingVolume::bytes).orElse(-1L);
            return new Stats(bytes, bytes, bytes < 0 ? -1 : 0, -1, -1, -1);
        });
    }

    HealthSide health() {
        return new HealthSide(storage, calls, switches, node);
    }

    Map<String, String> segments(CallContext context) {
        CallSite site = new CallSite("topology", "", node);
        return calls.make(site, Scope.NOTHING, node, context, () -> {
            String value = storage.limits().segment(node);
            return value.isEmpty() ? Map.of() : Map.of(storage.limits().topologyKey(), value);
        });
    }

    long maxVolumes(long limit, CallContext context) {
        CallSite site = new CallSite("limits", "", node);
        return calls.make(site, Scope.NOTHING, node, context, () -> limit);
    }

    NodeInfo describe(long limit, CallContext context) {
        CallSite site = new CallSite("limits", "", node);
        return calls.make(site, Scope.NOTHING, node, context, () -> {
            String value = storage.limits().segment(node);
            Map<String, String> segments =
                    value.isEmpty() ? Map.of() : Map.of(storage.limits().topologyKey(), value);
            return new NodeInfo("id-" + node, segments, limit);
        });
    }

    private <T> T withSecret(VolumeSpec spec, Function<CsiSource, @Nullable SecretRef> which, Supplier<T> call) {
        return secrets.with(spec.source(), which, call);
    }

    private void mountOwn(VolumeId volume, RootedPath target, boolean readOnly) {
        mounts.ifPresent(backend -> {
            if (backend.table().at(target.absolute()).isPresent()) {
                return;
            }
            FilesystemMount own = new FilesystemMount("tmpfs", driver + ":" + volume.name(), readOnly, List.of());
            at(backend, target, () -> backend.mount(own, target));
        });
    }

    private void bind(RootedPath source, RootedPath target, boolean readOnly) {
        mounts.ifPresent(backend -> {
            if (backend.table().at(source.absolute()).isEmpty()) {
                throw VolumeException.transientFailure("nothing is mounted at " + source);
            }
            BindOptions options = readOnly ? BindOptions.onlyRead() : BindOptions.readWrite();
            at(backend, target, () -> backend.bind(source.absolute(), target, options));
        });
    }

    /** Creates a directory and mounts on it; after a failure without effect it removes the directory. */
    private static void at(MountBackend backend, RootedPath target, Runnable mount) {
        backend.files().createDirectory(target, DIRECTORY_MODE);
        try {
            mount.run();
        } catch (VolumeException failure) {
            if (failure.kind() != FailureKind.UNCERTAIN) {
                removeAgain(backend, target, failure);
            }
            throw failure;
        }
    }

    private static void removeAgain(MountBackend backend, RootedPath target, VolumeException failure) {
        try {
            backend.files().removeDirectory(target);
        } catch (VolumeException left) {
            if (somebodyMountedAt(backend, target)) {
                // Another mount uses the directory, so it must stay.
                return;
            }
            throw VolumeException.uncertain(failure.reason() + "; and its directory is left: " + left.reason())
                    .withAdvice(failure.advice())
                    .withCause(failure);
        }
    }

    /** If the table cannot be read, the answer is false and the outcome stays uncertain. */
    private static boolean somebodyMountedAt(MountBackend backend, RootedPath target) {
        try {
            return backend.table().at(target.absolute()).isPresent();
        } catch (VolumeException unreadable) {
            return false;
        }
    }

    private void unmount(RootedPath target) {
        mounts.ifPresent(backend -> {
            boolean there = backend.table().at(target.absolute()).isPresent();
            backend.unmount(target, UnmountMode.NORMAL);
            try {
                backend.files().removeDirectory(target);
            } catch (VolumeException failure) {
                throw there ? failure.afterEffect() : failure;
            }
        });
    }

    private CallSite site(String call, VolumeId volume) {
        return new CallSite(call, volume.name(), node);
    }
}
