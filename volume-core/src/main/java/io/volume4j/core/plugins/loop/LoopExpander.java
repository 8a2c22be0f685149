package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.NodeExpander;
import java.nio.file.Path;

/** Expands images, then their devices and filesystems on the node, whether attached and mounted or not. */
public final class LoopExpander implements Expander {
    private final LoopImages images;

    public LoopExpander(LoopImages images) {
        this.images = images;
    }

    @Override
    public ExpandResult expand(ExpandRequest request, CallContext context) {
        RootedPath file = images.file(request.spec().source());
        long now = images.requireSize(file);
        long wanted = LoopImages.roundUp(request.newBytes());
        if (wanted < request.newBytes()) {
            throw VolumeException.of(
                    FailureKind.INFEASIBLE, "a loop volume cannot have " + LoopImages.shown(request.newBytes()));
        }
        if (now < wanted) {
            images.requireRoom(wanted - now, "the growth of image " + file);
            images.backend().files().growFile(file, wanted);
        }
        return new ExpandResult(Math.max(now, wanted), true);
    }

    public NodeExpander onNode() {
        return this::expandOnNode;
    }

    private NodeExpander.NodeExpandResult expandOnNode(NodeExpander.NodeExpandRequest request, CallContext context) {
        RootedPath file = images.file(request.spec().source());
        long bytes = images.requireSize(file);
        if (bytes < request.newBytes()) {
            throw VolumeException.transientFailure("loop image " + file + " has " + LoopImages.shown(bytes)
                    + " and must be expanded to " + LoopImages.shown(request.newBytes()) + " before its filesystem");
        }
        Path device = images.requireDevice(file);
        images.backend().loops().refreshSize(file);
        RootedPath mount = request.deviceMountPath();
        if (mount != null && request.spec().volumeMode() == VolumeMode.FILESYSTEM) {
            growFilesystem(device, mount, context);
        }
        return new NodeExpander.NodeExpandResult(bytes);
    }

    private void growFilesystem(Path device, RootedPath mount, CallContext context) {
        MountEntry there = new MountPoints(images.backend())
                .at(mount)
                .orElseThrow(() -> VolumeException.transientFailure(
                        device + " is not mounted at " + mount + ", so its filesystem cannot be grown"));
        if (there.readOnly()) {
            throw VolumeException.finalFailure(
                    "the filesystem of " + device + " is mounted read-only at " + mount + ", so it cannot be grown");
        }
        context.progress("growing the " + there.fsType() + " on " + device);
        images.backend().devices().grow(device, mount.absolute(), there.fsType(), context);
    }
}
