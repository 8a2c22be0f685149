package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.BindMounter;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import java.util.Optional;

/**
 * {@code mount} and {@code unmount}. A driver with device mounts and without these commands gets the library's bind
 * mount. The mount table decides whether a call succeeded, whatever the driver reports.
 */
final class FlexPodMounts implements Mounter, Unmounter {
    private static final int MODE = 0750;

    private final FlexDriver driver;
    private final FlexOptions options;
    private final FlexCapabilities capabilities;
    private final MountBackend backend;

    FlexPodMounts(FlexDriver driver, FlexOptions options, FlexCapabilities capabilities, MountBackend backend) {
        this.driver = driver;
        this.options = options;
        this.capabilities = capabilities;
        this.backend = backend;
    }

    @Override
    public boolean managesContent() {
        return capabilities.fsGroup();
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        RootedPath target = request.target();
        RootedPath device = request.deviceMountPath();
        MountPoints mountPoints = new MountPoints(backend);
        boolean readOnly = request.readOnly() || request.spec().readOnly();
        Optional<MountEntry> there = mountPoints.at(target);
        if (there.isPresent()) {
            boolean ofReadOnly = device != null
                    && mountPoints.at(device).filter(BindMounter::isReadOnly).isPresent();
            BindMounter.requireSameAccess(target, there.get(), readOnly || ofReadOnly);
            if (device != null) {
                requireOrigin(mountPoints, device, target, there.get());
            }
            return MountResult.mounted(request.state());
        }
        String json = options.ofPod(request.spec(), readOnly, request.pod());
        backend.files().createDirectory(target, MODE);
        boolean done = driver.call(FlexCommand.MOUNT, context, target.absolute().toString(), json)
                .isPresent();
        if (!done && device == null) {
            mountPoints.removeUnmounted(target);
            throw VolumeException.finalFailure(
                    "flexvolume driver " + driver.name() + " supports neither attach nor mount");
        }
        if (!done) {
            new BindMounter(backend).mount(request, context);
        } else if (mountPoints.at(target).isEmpty()) {
            throw VolumeException.uncertain("flexvolume driver " + driver.name() + " says that it mounted at " + target
                            + ", and nothing is mounted there")
                    .withAdvice("the driver must mount in the mount namespace of this process");
        }
        return MountResult.mounted(request.state());
    }

    /** Refuses an existing mount at the pod's path that shows files of another volume. */
    private static void requireOrigin(MountPoints mountPoints, RootedPath device, RootedPath target, MountEntry there) {
        String number = mountPoints.at(device).map(MountEntry::majorMinor).orElse("");
        if (!there.majorMinor().equals(number)) {
            throw VolumeException.finalFailure("at " + target + " is mounted " + there.fsType() + " from "
                            + MessageText.text(there.source()) + ", which is not the volume's device mount")
                    .withAdvice("unmount it by hand");
        }
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        RootedPath target = request.target();
        MountPoints mountPoints = new MountPoints(backend);
        if (mountPoints.at(target).isPresent()) {
            var unused =
                    driver.call(FlexCommand.UNMOUNT, context, target.absolute().toString());
        }
        mountPoints.takeAway(target, UnmountMode.NORMAL);
    }
}
