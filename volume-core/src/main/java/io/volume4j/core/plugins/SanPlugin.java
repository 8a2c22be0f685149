package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.BindMounter;
import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.core.plugins.san.DeviceConnector;
import io.volume4j.core.plugins.san.NoOpAttacher;
import io.volume4j.core.plugins.san.SanVolumes;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the plugins for storage networks: a volume is a disk that the network shows to the node. The
 * plugins differ in how the node reaches the disk, and in the fields of a source that identify it.
 */
abstract class SanPlugin implements VolumePlugin {
    private static final NoOpAttacher GRANT = new NoOpAttacher();

    private final String name;
    private final BiFunction<PluginHost, MountBackend, DeviceConnector> reach;
    private volatile @Nullable Parts parts;

    private record Parts(SanVolumes volumes, BindMounter mounter, PathStatsReporter reporter) {}

    SanPlugin(String name, BiFunction<PluginHost, MountBackend, DeviceConnector> reach) {
        this.name = name;
        this.reach = reach;
    }

    @Override
    public String name() {
        return name;
    }

    /** Without a mount backend, as in a control plane, the plugin can only attach. */
    @Override
    public void init(PluginHost host) {
        @Nullable MountBackend backend = host.mounts().orElse(null);
        parts = backend == null
                ? null
                : new Parts(
                        new SanVolumes(host, backend, reach.apply(host, backend)),
                        new BindMounter(host),
                        new PathStatsReporter(host, PathStatsReporter.Bare.NOTHING));
    }

    /** The context is an option of the filesystem on the disk. */
    @Override
    public boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return true;
    }

    @Override
    public boolean supportsMountOptions() {
        return true;
    }

    @Override
    public List<VolumeMode> volumeModes() {
        return List.of(VolumeMode.FILESYSTEM, VolumeMode.BLOCK);
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_ONCE_POD);
    }

    @Override
    public Optional<Attacher> attacher(VolumeSpec spec) {
        return Optional.of(GRANT);
    }

    @Override
    public Optional<Detacher> detacher(VolumeId volume) {
        return Optional.of(GRANT);
    }

    @Override
    public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
        return Optional.of(parts().volumes());
    }

    @Override
    public Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
        return Optional.of(parts().volumes());
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(parts().mounter());
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(parts().mounter());
    }

    @Override
    public Optional<BlockMapper> blockMapper(VolumeSpec spec) {
        return Optional.of(parts().volumes());
    }

    @Override
    public Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
        return Optional.of(parts().volumes());
    }

    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.of(parts().reporter());
    }

    private Parts parts() {
        Parts made = parts;
        if (made == null) {
            throw VolumeException.finalFailure("plugin " + name + " needs a mount backend here")
                    .withAdvice("add it to a PluginRegistry whose host has one");
        }
        return made;
    }
}
