package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.BindMounter;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.core.plugins.hostpath.LocalDeviceMounter;
import io.volume4j.core.plugins.hostpath.NodePath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
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
 * Mounts a directory or block device of one node, which a person has prepared for claims ({@code local}). The library
 * formats a device only if it is proved blank, and uses a directory as it is. It mounts both once for the node and
 * bind-mounts them into each pod.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class LocalPlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/local-volume";

    private volatile @Nullable Parts parts;

    private record Parts(LocalDeviceMounter deviceMounter, BindMounter mounter, PathStatsReporter reporter) {}

    /** A plugin that is usable after a {@link PluginRegistry} has initialised it. */
    public LocalPlugin() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(PluginHost host) {
        parts = new Parts(
                new LocalDeviceMounter(host),
                new BindMounter(host),
                new PathStatsReporter(host, PathStatsReporter.Bare.NOTHING));
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof LocalSource;
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        if (spec.source() instanceof LocalSource source) {
            if (spec.persistentVolume() == null) {
                throw VolumeException.finalFailure("local volume " + MessageText.text(spec.name())
                        + " must be a PersistentVolume, not a pod's own");
            }
            NodePath.checked("local path", source.path());
            return spec.name();
        }
        throw VolumeException.finalFailure("not a local volume: " + MessageText.text(spec.name()));
    }

    /**
     * True if the source names a filesystem type, because it is then a device. A directory is bind-mounted, and a
     * bind mount has no context of its own.
     */
    @Override
    public boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return spec.source() instanceof LocalSource source && !source.fsType().isEmpty();
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
        return List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD);
    }

    @Override
    public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
        return Optional.of(parts().deviceMounter());
    }

    @Override
    public Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
        return Optional.of(parts().deviceMounter());
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
        return Optional.of(parts().deviceMounter());
    }

    @Override
    public Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
        return Optional.of(parts().deviceMounter());
    }

    /** For a directory, the figures are those of its filesystem. */
    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.of(parts().reporter());
    }

    private Parts parts() {
        Parts made = parts;
        if (made == null) {
            throw new IllegalStateException("plugin " + NAME + " was not initialised: add it to a PluginRegistry");
        }
        return made;
    }
}
