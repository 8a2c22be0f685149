package io.volume4j.core.plugins.hostpath;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The node's mount of a local directory or device. Only the machine can determine which of both it is. */
public final class LocalDeviceMounter implements DeviceMounter, DeviceUnmounter, BlockMapper, BlockUnmapper {
    private static final Set<String> OF_DIRECTORIES = Set.of("ro", "rw", "defaults");

    private final PluginHost host;

    public LocalDeviceMounter(PluginHost host) {
        this.host = host;
    }

    @Override
    public DeviceMountResult mountDevice(DeviceMountRequest request, CallContext context) {
        LocalSource source = source(request.spec().source());
        Place place = find(source);
        switch (place.type()) {
            case DIRECTORY -> bindDirectory(place.path(), request);
            case BLOCK_DEVICE -> formatAndMount(source, place.path(), request, context);
            default ->
                throw VolumeException.finalFailure("local path " + MessageText.text(source.path())
                        + " must be a directory or a block device and is of type " + place.type());
        }
        return DeviceMountResult.mounted();
    }

    @Override
    public void unmountDevice(DeviceUnmountRequest request, CallContext context) {
        new MountPoints(backend()).takeAway(request.target(), UnmountMode.NORMAL);
    }

    @Override
    public MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context) {
        LocalSource source = source(request.spec().source());
        Place place = find(source);
        if (place.type() != FileStatus.Type.BLOCK_DEVICE) {
            throw VolumeException.finalFailure("local path " + MessageText.text(source.path())
                    + " must be a block device for volumeMode Block and is of type " + place.type());
        }
        return new MapDeviceResult(place.path().toString(), PluginState.none());
    }

    /** Does nothing: mapping created nothing. */
    @Override
    public void unmapDevice(UnmapDeviceRequest request, CallContext context) {}

    private record Place(Path path, FileStatus.Type type) {}

    private Place find(LocalSource source) {
        NodePath written = NodePath.of(backend(), "local path", source.path());
        Path place = written.resolve(AllowedPaths.any())
                .orElseThrow(
                        () -> VolumeException.transientFailure(written + " does not exist on node " + host.nodeName())
                                .withAdvice("make it, or correct the volume's path or node affinity"));
        if (NodePath.isRoot(place)) {
            throw VolumeException.finalFailure(written + " is the machine's root directory, which is no volume");
        }
        return new Place(
                place,
                written.typeOf(place)
                        .orElseThrow(() -> VolumeException.transientFailure(written + " went away just now")));
    }

    private void bindDirectory(Path directory, DeviceMountRequest request) {
        RootedPath target = request.target();
        List<String> asked = request.spec().mountOptions();
        requireApplicable(directory, asked);
        BindOptions options = AccessOptions.onlyRead(asked) ? BindOptions.onlyRead() : BindOptions.readWrite();
        MountPoints mountPoints = new MountPoints(backend());
        Runnable bind = () -> backend().bind(NodePath.rooted(directory), target, options);
        if (mountPoints.at(target).isPresent()) {
            bind.run();
        } else {
            mountPoints.mountOn(target, bind);
        }
    }

    /** A bind has no options of its own but its access mode; the others are those of the directory's filesystem. */
    private static void requireApplicable(Path directory, List<String> options) {
        for (String word : FilesystemMount.words(options)) {
            if (!OF_DIRECTORIES.contains(word)) {
                throw VolumeException.finalFailure("local path " + MessageText.text(directory.toString())
                                + " is a directory, and mount option " + MessageText.text(word)
                                + " would not be applied to it")
                        .withAdvice("mount the directory's own filesystem with that option, and remove it from the"
                                + " PersistentVolume; only ro and rw are possible here");
            }
        }
    }

    private void formatAndMount(LocalSource source, Path device, DeviceMountRequest request, CallContext context) {
        FormatAndMount formatAndMount = host.formatAndMount()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no means to mount a device"));
        formatAndMount.mount(
                new FormatAndMount.Request(
                        device,
                        request.target(),
                        source.fsType(),
                        request.mountOptions(),
                        false,
                        request.formats(),
                        BlankPolicy.of(request.spec())),
                context);
    }

    private static LocalSource source(VolumeSource source) {
        if (source instanceof LocalSource local) {
            return local;
        }
        throw VolumeException.finalFailure("not a local volume but of source " + MessageText.text(source.type()));
    }

    private MountBackend backend() {
        return host.mounts().orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }
}
