package io.volume4j.core.node.call;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceResult;
import io.volume4j.spi.plugin.BlockMapper.MapPodRequest;
import io.volume4j.spi.plugin.BlockMapper.MapPodResult;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapDeviceRequest;
import io.volume4j.spi.plugin.BlockUnmapper.UnmapPodRequest;
import io.volume4j.spi.plugin.Mounter.MountResult;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The calls for volumes that are raw devices for their pods. The node binds the device at a path of the volume. It
 * then binds that, or the device that the plugin made for the pod, at a path of the pod.
 *
 * <p>While a pod has the device, a loop device holds it open. So a backend cannot remove the device and give its name
 * to another device unnoticed. The node releases the loop device before the plugin tears down its part.
 */
final class BlockCalls {
    private static final int DIRECTORY_MODE = 0700;
    private static final int FILE_MODE = 0600;

    private final NodeLayout layout;
    private final @Nullable MountBackend machine;

    BlockCalls(NodeLayout layout, @Nullable MountBackend machine) {
        this.layout = layout;
        this.machine = machine;
    }

    Mounted mapDevice(ResolvedVolume volume, VolumeRow row, CallContext context) {
        MapDeviceRequest request = new MapDeviceRequest(
                volume.spec(), volume.id(), row.devicePath(), row.metadata(), staging(row), row.deviceData());
        MapDeviceResult result = mapper(volume).mapDevice(request, context);
        return Effects.afterEffect(() -> bindDevice(row, result));
    }

    private Mounted bindDevice(VolumeRow row, MapDeviceResult result) {
        String device = result.devicePath().isEmpty() ? row.devicePath() : result.devicePath();
        boolean bound = machine != null && !device.isEmpty();
        if (machine != null && bound) {
            bindFile(machine, Path.of(device), layout.rawDevice(row.id()));
        }
        return Mounted.device(bound, result.state(), "");
    }

    void unmapDevice(VolumeRow row, BlockUnmapper unmapper, CallContext context) {
        release(row);
        Effects.afterEffect(() -> {
            if (machine != null) {
                unbindFile(machine, layout.rawDevice(row.id()));
            }
            unmapper.unmapDevice(
                    new UnmapDeviceRequest(row.id(), row.devicePath(), staging(row), row.deviceData()), context);
            removeIfEmpty(publishDirectory(row));
            removeIfEmpty(staging(row));
        });
    }

    Mounted mapPod(ResolvedVolume volume, VolumeRow row, Pod pod, MountRow mount, CallContext context) {
        RootedPath publish = publishDirectory(row).resolve(mount.podUid());
        if (machine != null) {
            machine.files().createDirectory(publishDirectory(row), DIRECTORY_MODE);
        }
        MapPodRequest request = new MapPodRequest(
                volume.spec(),
                volume.id(),
                pod,
                row.devicePath(),
                publish,
                mount.data(),
                row.metadata(),
                row.device() == MountState.NOT_MOUNTED ? null : staging(row));
        MapPodResult result = mapper(volume).mapPod(request, context);
        return Effects.afterEffect(() -> bindForPod(volume, mount, result));
    }

    private Mounted bindForPod(ResolvedVolume volume, MountRow mount, MapPodResult result) {
        if (machine == null) {
            return Mounted.forPod(false, new MountResult(result.state()));
        }
        RootedPath raw = layout.rawDevice(volume.id());
        if (!result.devicePath().isEmpty() && machine.table().at(raw.absolute()).isEmpty()) {
            bindFile(machine, Path.of(result.devicePath()), raw);
        }
        if (machine.table().at(raw.absolute()).isEmpty()) {
            throw VolumeException.finalFailure("the plugin named no device for " + volume.id())
                    .withAdvice(
                            "this is a fault of the plugin " + volume.plugin().name());
        }
        machine.loops().attach(raw, true);
        RootedPath target = layout.podMount(mount);
        Path device = result.devicePath().isEmpty() ? raw.absolute() : Path.of(result.devicePath());
        bindFile(machine, device, target);
        return Mounted.forPod(true, new MountResult(result.state()));
    }

    /** @param last whether no other pod has, or may have, the device */
    void unmapPod(MountRow mount, VolumeRow row, boolean last, BlockUnmapper unmapper, CallContext context) {
        if (machine != null) {
            if (last) {
                // Also found by the pod's bind: if another program unmounted the volume's own bind, release() finds
                // none.
                machine.loops().detach(layout.podMount(mount));
            }
            unbindFile(machine, layout.podMount(mount));
        }
        Effects.afterEffect(() -> {
            if (last) {
                release(row);
            }
            RootedPath publish = publishDirectory(row).resolve(mount.podUid());
            unmapper.unmapPod(new UnmapPodRequest(mount.id(), mount.podUid(), publish, mount.data()), context);
            removeIfEmpty(publishDirectory(row));
        });
    }

    private static BlockMapper mapper(ResolvedVolume volume) {
        return volume.plugin()
                .blockMapper(volume.spec())
                .orElseThrow(() -> VolumeException.transientFailure(
                        "plugin " + volume.plugin().name() + " cannot map devices"));
    }

    private void release(VolumeRow row) {
        if (machine != null) {
            machine.loops().detach(layout.rawDevice(row.id()));
        }
    }

    private static void bindFile(MountBackend machine, Path device, RootedPath target) {
        machine.files().createSparseFile(target, 0, FILE_MODE);
        machine.bind(device, target, BindOptions.readWrite());
    }

    private static void unbindFile(MountBackend machine, RootedPath target) {
        machine.unmount(target, UnmountMode.NORMAL);
        if (machine.table().at(target.absolute()).isPresent()) {
            throw VolumeException.uncertain(target + " is still bound");
        }
        machine.files().removeFile(target);
    }

    private void removeIfEmpty(RootedPath directory) {
        if (machine != null && machine.files().list(directory).isEmpty()) {
            machine.files().removeDirectory(directory);
        }
    }

    private RootedPath staging(VolumeRow row) {
        return layout.staging(row.id());
    }

    private RootedPath publishDirectory(VolumeRow row) {
        return layout.publishDirectory(row.id());
    }
}
