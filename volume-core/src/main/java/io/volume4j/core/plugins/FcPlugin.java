package io.volume4j.core.plugins;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.FcSource;
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
import org.jspecify.annotations.Nullable;

/**
 * Logical units that Fibre Channel leads to ({@code fc}), by the ports of their target or by their own identifiers.
 *
 * <p>If a unit's disks are not there, the adapters are asked to look for them; when its last user on the node is gone, they
 * are taken away from the kernel. Several ways are used as one device where multipathd joins them. udev must run, for the
 * disks are found by its names. Thread-safe.
 */
public final class FcPlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/fc";

    private static final NodeGrant GRANT = new NodeGrant();

    private volatile @Nullable Parts parts;

    private record Parts(SanVolumes volumes, BindMounter mounter, PlaceReporter reporter) {}

    /** Of no use before a {@link PluginRegistry} has initialised it. */
    public FcPlugin() {}

    @Override
    public String name() {
        return NAME;
    }

    /** Without a mount backend, as in a control plane, only attaching is possible. */
    @Override
    public void init(PluginHost host) {
        @Nullable MountBackend backend = host.mounts().orElse(null);
        parts = backend == null
                ? null
                : new Parts(
                        new SanVolumes(host, backend, new FcReach(backend)),
                        new BindMounter(host),
                        new PlaceReporter(host, PlaceReporter.Bare.NOTHING));
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof FcSource;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return FcUnit.of(FcReach.source(spec)).toString();
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
            throw VolumeException.finalFailure("plugin " + NAME + " needs a mount backend here")
                    .withAdvice("add it to a PluginRegistry whose host has one");
        }
        return made;
    }
}
