package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandResult;
import java.nio.file.Path;

/**
 * {@code expandvolume} and {@code expandfs}. A driver without the first expands by itself; for one without the second,
 * the library uses its own tools.
 */
final class FlexExpansion {
    /**
     * How much smaller than its volume a device may be: partition tables, headers of encryption and rounding to extents
     * take less than this.
     */
    private static final long OVERHEAD = 64L << 20;

    private final FlexDriver driver;
    private final FlexOptions options;
    private final MountBackend backend;

    FlexExpansion(FlexDriver driver, FlexOptions options, MountBackend backend) {
        this.driver = driver;
        this.options = options;
        this.backend = backend;
    }

    Expander atBackend(boolean thenOnNode) {
        return (request, context) -> {
            String json = options.ofVolume(request.spec(), false);
            long bytes = driver.call(
                            FlexCommand.EXPANDVOLUME,
                            context,
                            json,
                            "",
                            Long.toString(request.newBytes()),
                            Long.toString(request.oldBytes()))
                    .map(FlexAnswer::newSize)
                    .filter(size -> size > 0)
                    .orElse(request.newBytes());
            return new ExpandResult(bytes, thenOnNode);
        };
    }

    NodeExpander onNode() {
        return (request, context) -> {
            RootedPath deviceMount = request.deviceMountPath();
            RootedPath mount = deviceMount == null ? request.podPath() : deviceMount;
            String awaited = request.state().get(FlexDeviceMounts.DEVICE);
            String device = awaited.isEmpty() ? request.devicePath() : awaited;
            boolean done = driver.call(
                            FlexCommand.EXPANDFS,
                            context,
                            options.ofVolume(request.spec(), false),
                            device,
                            mount == null ? "" : mount.absolute().toString(),
                            Long.toString(request.newBytes()),
                            Long.toString(request.oldBytes()))
                    .isPresent();
            if (!done && (mount == null || device.isEmpty())) {
                throw VolumeException.finalFailure(
                                "flexvolume driver " + driver.name()
                                        + " does not support expandfs, and told of no device on which a filesystem could be grown")
                        .withAdvice("have the driver support expandfs, or answer init with requiresFSResize false");
            }
            if (!done && mount != null) {
                requireGrown(Path.of(device), request);
                grow(device, mount, context);
            }
            return new NodeExpandResult(request.newBytes());
        };
    }

    /**
     * The tools succeed if there is nothing to grow. So a device of which this machine still has the old size would
     * count as grown. Its exact new size is the driver's matter: it must be larger than half of the way to it.
     */
    private void requireGrown(Path device, NodeExpandRequest request) {
        long bytes = backend.devices().identify(device).bytes();
        long growth = request.newBytes() - request.oldBytes();
        if (bytes < request.newBytes() - Math.max(OVERHEAD, growth / 2)) {
            throw VolumeException.transientFailure(device + " has " + bytes + " bytes on this node, not "
                            + request.newBytes() + ", so its filesystem was not grown")
                    .withAdvice("have the driver support expandfs and rescan its device there, or rescan it by hand");
        }
    }

    private void grow(String device, RootedPath mount, CallContext context) {
        MountEntry there = new MountPoints(backend)
                .at(mount)
                .orElseThrow(() -> VolumeException.transientFailure("nothing is mounted at " + mount));
        backend.devices().grow(Path.of(device), mount.absolute(), there.fsType(), context);
    }
}
