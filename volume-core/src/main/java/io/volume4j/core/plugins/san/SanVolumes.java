package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.core.plugins.san.DeviceConnector.Form;
import io.volume4j.core.plugins.san.DeviceConnector.Reached;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;

/**
 * The device of a volume of a storage network on its node. It appears when the volume is mounted or mapped, and is
 * removed after the last unmount or unmapping. A failed set-up removes the device again, unless a tool may still work
 * on it.
 */
public final class SanVolumes implements DeviceMounter, DeviceUnmounter, BlockMapper, BlockUnmapper {
    private final PluginHost host;
    private final MountBackend backend;
    private final DeviceConnector reach;

    public SanVolumes(PluginHost host, MountBackend backend, DeviceConnector reach) {
        this.host = host;
        this.backend = backend;
        this.reach = reach;
    }

    @Override
    public DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        FormatAndMount formatAndMount = host.formatAndMount()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no means to mount a device"));
        Form form = reach.form(request.spec());
        Reached reached = reach.reach(request.spec(), context);
        try {
            formatAndMount.mount(
                    new FormatAndMount.Request(
                            reached.device(),
                            request.target(),
                            form.fsType(),
                            request.mountOptions(),
                            form.readOnly(),
                            request.formats(),
                            BlankPolicy.of(request.spec())),
                    context);
        } catch (RuntimeException e) {
            throw reached.fresh() ? letGo(request.volume(), e, context) : e;
        }
        return DeviceMountResult.mounted();
    }

    /** Removes the device after a failed set-up that made it appear. If that fails, the failure becomes uncertain. */
    private RuntimeException letGo(VolumeId volume, RuntimeException failure, CallContext context) {
        if (!(failure instanceof VolumeException known) || known.kind() == FailureKind.UNCERTAIN) {
            // mkfs may still run.
            return failure;
        }
        return Rollback.undone(failure, "its disks are left", () -> reach.release(volume, context));
    }

    @Override
    public void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        new MountPoints(backend).takeAway(request.target(), UnmountMode.NORMAL);
        reach.release(request.volume(), context);
    }

    @Override
    public MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context) {
        return new MapDeviceResult(reach.reach(request.spec(), context).device().toString(), PluginState.none());
    }

    @Override
    public void unmapDevice(UnmapDeviceRequest request, CallContext context) {
        reach.release(request.volume(), context);
    }
}
