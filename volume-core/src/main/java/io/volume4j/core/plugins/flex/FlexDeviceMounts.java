package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * {@code mountdevice} and {@code unmountdevice}. For a driver without them, uses the library's proven format and
 * mount. The mount table decides whether a call succeeded, whatever the driver reports.
 */
final class FlexDeviceMounts implements DeviceMounter, DeviceUnmounter {
    private static final int MODE = 0750;

    /** Key of a volume's state: the name of its device when the driver attached it. */
    static final String DEVICE = "device";

    private final FlexDriver driver;
    private final FlexOptions options;
    private final PluginHost host;
    private final MountBackend backend;

    FlexDeviceMounts(FlexDriver driver, FlexOptions options, PluginHost host, MountBackend backend) {
        this.driver = driver;
        this.options = options;
        this.host = host;
        this.backend = backend;
    }

    @Override
    public DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        RootedPath target = request.target();
        MountPoints mountPoints = new MountPoints(backend);
        // The access of the volume, not of its first pod: the next pod may write.
        boolean readOnly = AccessOptions.onlyReadByMany(request.spec());
        String json = options.ofVolume(request.spec(), readOnly);
        Optional<MountEntry> there = mountPoints.at(target);
        String known = request.state().get(DEVICE);
        if (there.isPresent() && !known.isEmpty()) {
            requireDevice(known, target, there.get());
            return DeviceMountResult.mounted(request.state());
        }
        String device = awaited(request.devicePath(), json, context);
        DeviceMountResult mounted = DeviceMountResult.mounted(new PluginState(1, Map.of(DEVICE, device)));
        if (there.isPresent()) {
            requireDevice(device, target, there.get());
            return mounted;
        }
        backend.files().createDirectory(target, MODE);
        boolean done = driver.call(
                        FlexCommand.MOUNTDEVICE, context, target.absolute().toString(), device, json)
                .isPresent();
        if (!done) {
            format(request, device, readOnly, context);
        }
        if (mountPoints.at(target).isEmpty()) {
            throw VolumeException.uncertain("flexvolume driver " + driver.name()
                            + " says that it mounted the device at " + target + ", and nothing is mounted there")
                    .withAdvice("the driver must mount in the mount namespace of this process");
        }
        return mounted;
    }

    /**
     * Waits for the device and returns its name on this machine. The attach call may have run on another machine,
     * where the device does not appear, so its result may be another name.
     */
    private String awaited(String attached, String json, CallContext context) {
        return driver.call(FlexCommand.WAITFORATTACH, context, attached, json)
                .map(FlexAnswer::device)
                .filter(said -> !said.isEmpty())
                .orElse(attached);
    }

    /** Checks the mounted device. Without a device name there is no check: only the driver knows what it mounted. */
    private void requireDevice(String device, RootedPath target, MountEntry there) {
        if (!device.isEmpty() && !real(device).equals(real(there.source()))) {
            throw VolumeException.finalFailure("at " + target + " is mounted " + there.fsType() + " from "
                            + MessageText.text(there.source()) + " where " + device + " was to be")
                    .withAdvice("unmount it by hand");
        }
    }

    /** The real path of the device: volume managers have several names for one device. */
    private String real(String device) {
        return device.startsWith("/")
                ? backend.files().resolve(Path.of(device)).map(Path::toString).orElse(device)
                : device;
    }

    private void format(DeviceMountRequest request, String device, boolean readOnly, CallContext context) {
        if (device.isEmpty()) {
            throw VolumeException.finalFailure("flexvolume driver " + driver.name() + " supports neither mountdevice"
                    + " nor told of a device for " + request.volume());
        }
        FormatAndMount mount = host.formatAndMount()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
        mount.mount(
                new FormatAndMount.Request(
                        Path.of(device),
                        request.target(),
                        FlexOptions.source(request.spec()).fsType(),
                        request.spec().mountOptions(),
                        readOnly || FlexOptions.source(request.spec()).readOnly(),
                        request.formats(),
                        BlankPolicy.of(request.spec())),
                context);
    }

    @Override
    public void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        RootedPath target = request.target();
        MountPoints mountPoints = new MountPoints(backend);
        if (mountPoints.at(target).isPresent()) {
            var unused = driver.call(
                    FlexCommand.UNMOUNTDEVICE, context, target.absolute().toString());
        }
        mountPoints.takeAway(target, UnmountMode.NORMAL);
    }
}
