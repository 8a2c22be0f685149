package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.FormatAndMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The device mount of an attached image. Its pods' mounts are binds of it. */
public final class LoopDeviceMounter implements DeviceMounter, DeviceUnmounter {
    private static final String XFS = "xfs";
    private static final String ANY_UUID = "nouuid";

    private final LoopImages images;

    public LoopDeviceMounter(LoopImages images) {
        this.images = images;
    }

    @Override
    public DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof CsiSource source)) {
            throw VolumeException.finalFailure("not a loop volume: " + request.volume());
        }
        // Read from the kernel instead of the request: after a restart, the device number may belong to another
        // volume.
        RootedPath image = images.file(source);
        Path device = images.requireDevice(image);
        boolean onlyRead = source.readOnly() || AccessOptions.onlyRead(request.mountOptions());
        boolean outgrown = !onlyRead && images.isOutgrown(image);
        if (outgrown) {
            growUnmounted(request, image, device, context);
        }
        FormatAndMount formatAndMount = images.host()
                .formatAndMount()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no means to mount a device"));
        formatAndMount.mount(
                new FormatAndMount.Request(
                        device,
                        request.target(),
                        source.fsType(),
                        options(request, source),
                        source.readOnly(),
                        request.formats(),
                        BlankPolicy.of(request.spec())),
                context);
        if (outgrown && images.isOutgrown(image)) {
            Rollback.afterEffect(() -> growMounted(request, image, device, context));
        }
        return DeviceMountResult.mounted();
    }

    /**
     * The mount options. A copy of an xfs has the UUID of its original, which is on the same node: without this option
     * the kernel mounts only one of the two at a time.
     */
    private static List<String> options(DeviceMountRequest request, CsiSource source) {
        List<String> asked = request.mountOptions();
        if (!source.fsType().equals(XFS) || asked.contains(ANY_UUID)) {
            return asked;
        }
        List<String> options = new ArrayList<>(asked);
        options.add(ANY_UUID);
        return options;
    }

    /**
     * Expands the filesystem of a copy, which may be smaller than the requested size. An ext filesystem is expanded
     * before the mount, which needs no capability; other types only afterwards.
     */
    private void growUnmounted(DeviceMountRequest request, RootedPath image, Path device, CallContext context) {
        DeviceContent content = images.backend().devices().probe(device);
        boolean ext = content.kind() == DeviceContent.Kind.FILESYSTEM
                && content.type().startsWith("ext");
        if (ext && new MountPoints(images.backend()).from(device).isEmpty()) {
            images.backend().devices().grow(device, request.target().absolute(), content.type(), context);
            images.unmarkOutgrown(image);
        }
    }

    private void growMounted(DeviceMountRequest request, RootedPath image, Path device, CallContext context) {
        String fsType = new MountPoints(images.backend())
                .at(request.target())
                .map(MountEntry::fsType)
                .orElse("");
        // An ext filesystem was expanded before the mount, or mkfs has just made it as large as its device.
        if (!fsType.startsWith("ext")) {
            images.backend().devices().grow(device, request.target().absolute(), fsType, context);
        }
        images.unmarkOutgrown(image);
    }

    @Override
    public void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        new MountPoints(images.backend()).takeAway(request.target(), UnmountMode.NORMAL);
    }
}
