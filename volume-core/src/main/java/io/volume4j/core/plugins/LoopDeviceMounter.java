package io.volume4j.core.plugins;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.FormatAndMount;
import java.nio.file.Path;

/** The one mount of an attached image that its pods' mounts come from. */
final class LoopDeviceMounter implements DeviceMounter, DeviceUnmounter {
    private final LoopImages images;

    LoopDeviceMounter(LoopImages images) {
        this.images = images;
    }

    @Override
    public DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof CsiSource source)) {
            throw VolumeException.finalFailure("not a loop volume: " + request.volume());
        }
        // Asked of the kernel and not taken from the request: after a restart the number may be another volume's.
        Path device = images.requireDevice(images.file(source));
        FormatAndMount formatAndMount = images.host()
                .formatAndMount()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no means to mount a device"));
        formatAndMount.mount(
                new FormatAndMount.Request(
                        device,
                        request.target(),
                        source.fsType(),
                        request.spec().mountOptions(),
                        source.readOnly(),
                        request.formats()),
                context);
        return DeviceMountResult.mounted();
    }

    @Override
    public void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        new MountPoints(images.backend()).takeAway(request.target(), UnmountMode.NORMAL);
    }
}
