package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sets up and removes loop devices, and provides them to pods that want the raw device. */
public final class LoopAttacher implements Attacher, Detacher, BlockMapper, BlockUnmapper, Observer {
    private final LoopImages images;

    public LoopAttacher(LoopImages images) {
        this.images = images;
    }

    @Override
    public AttachResult attach(AttachRequest request, CallContext context) {
        images.requireHere(request.nodeName(), "attach");
        RootedPath file = images.file(request.spec().source());
        images.requireSize(file);
        // The access of the volume, not of its first user: the next user may write.
        boolean readOnly = request.spec().source() instanceof CsiSource csi && csi.readOnly();
        return AttachResult.at(images.backend().loops().attach(file, readOnly).toString());
    }

    @Override
    public void detach(DetachRequest request, CallContext context) {
        images.requireHere(request.nodeName(), "detach");
        RootedPath file = images.file(request.volume());
        LoopDevices loops = images.backend().loops();
        Optional<Path> device = loops.find(file);
        if (device.isEmpty()) {
            return;
        }
        List<MountEntry> mounts = new MountPoints(images.backend()).from(device.get());
        if (!mounts.isEmpty()) {
            throw VolumeException.of(
                    FailureKind.IN_USE,
                    device.get() + " of " + file + " is still mounted at "
                            + mounts.stream().map(MountEntry::mountPoint).toList());
        }
        loops.detach(file);
        // The kernel accepts the detach while a process has the device open, and detaches when the last process closes
        // it.
        if (loops.find(file).isPresent()) {
            throw VolumeException.uncertain(
                    device.get() + " of " + file + " is still open somewhere, so it is still attached");
        }
    }

    @Override
    public MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context) {
        Path device = images.requireDevice(images.file(request.spec().source()));
        return new MapDeviceResult(device.toString(), PluginState.none());
    }

    /** Does nothing: mapping created nothing. */
    @Override
    public void unmapDevice(UnmapDeviceRequest request, CallContext context) {}

    @Override
    public List<Observation> attachments(List<Query> queries, CallContext context) {
        List<Observation> answers = new ArrayList<>(queries.size());
        for (Query query : queries) {
            answers.add(observe(query));
        }
        return answers;
    }

    private Observation observe(Query query) {
        if (!images.isHere(query.nodeName())) {
            return Observation.UNKNOWN;
        }
        try {
            RootedPath file = images.file(query.volume());
            return images.backend().loops().find(file).isPresent() ? Observation.PRESENT : Observation.ABSENT;
        } catch (VolumeException e) {
            return Observation.UNKNOWN;
        }
    }
}
