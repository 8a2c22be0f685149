package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.BindMounter;
import io.volume4j.core.plugins.loop.LoopAttacher;
import io.volume4j.core.plugins.loop.LoopDeviceMounter;
import io.volume4j.core.plugins.loop.LoopExpander;
import io.volume4j.core.plugins.loop.LoopImages;
import io.volume4j.core.plugins.loop.LoopProvisioner;
import io.volume4j.core.plugins.loop.LoopReporter;
import io.volume4j.core.plugins.loop.LoopSnapshots;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Block storage without a server: each volume is a sparse file of this node, attached as a loop device.
 *
 * <p>In manifests such a volume is {@code csi: {driver: loop.volume4j.io, volumeHandle: <name>}}. A class may give
 * the parameter {@code fsType} (or {@code csi.storage.k8s.io/fstype}): {@code ext4}, the default, {@code xfs} or
 * {@code btrfs}. The files are in {@code images/} of the plugin's own directory, with mode 0600.
 *
 * <p>A volume belongs to the node that created it, as its node affinity says. Therefore the plugin supports only
 * access modes for one node. Calls need no remembered state: each call finds file and device by the volume's name.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class LoopPlugin implements VolumePlugin {
    public static final String NAME = LoopImages.PLUGIN;

    private final @Nullable DataSources dataSources;
    private volatile @Nullable Parts parts;

    /**
     * A plugin that refuses claims with a data source, because it cannot resolve the source. Usable after a
     * {@link PluginRegistry} has initialised it.
     */
    public LoopPlugin() {
        dataSources = null;
    }

    /** A plugin that fills volumes from the snapshot or volume that a claim names. */
    public LoopPlugin(DataSources dataSources) {
        this.dataSources = Objects.requireNonNull(dataSources, "dataSources");
    }

    /**
     * Resolves snapshots and claims, which are objects of the host's cluster. Implementations are thread-safe and may
     * block.
     */
    @FunctionalInterface
    public interface DataSources {
        /**
         * Resolves the data source of a claim. A VolumeSnapshot becomes the handle of the snapshot. A
         * PersistentVolumeClaim becomes the handle of its bound volume.
         * @param namespace the namespace of the claim
         * @return empty if the source does not exist, is not ready, or does not belong to this plugin
         */
        Optional<ContentSource> find(String namespace, TypedReference source);
    }

    /** The capabilities; created when the host is known. */
    private record Parts(
            LoopProvisioner provisioner,
            LoopAttacher attacher,
            LoopDeviceMounter deviceMounter,
            BindMounter mounter,
            LoopExpander expander,
            LoopReporter reporter,
            LoopSnapshots snapshots) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(PluginHost host) {
        LoopImages images = new LoopImages(host);
        parts = new Parts(
                new LoopProvisioner(images, dataSources == null ? null : dataSources::find),
                new LoopAttacher(images),
                new LoopDeviceMounter(images),
                new BindMounter(host),
                new LoopExpander(images),
                new LoopReporter(images),
                new LoopSnapshots(images));
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof CsiSource csi && csi.driver().equals(NAME);
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return LoopImages.nameIn(spec.source());
    }

    /** True: the context is an option of the filesystem on the disk. */
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
        return LoopProvisioner.ACCESS_MODES;
    }

    @Override
    public boolean fillsFromDataSource() {
        return dataSources != null;
    }

    @Override
    public boolean fillsFromContent() {
        return true;
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return Optional.of(parts().provisioner());
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return Optional.of(parts().provisioner());
    }

    @Override
    public Optional<Attacher> attacher(VolumeSpec spec) {
        return Optional.of(parts().attacher());
    }

    @Override
    public Optional<Detacher> detacher(VolumeId volume) {
        return Optional.of(parts().attacher());
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
        return Optional.of(parts().attacher());
    }

    @Override
    public Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
        return Optional.of(parts().attacher());
    }

    @Override
    public Optional<Expander> expander(VolumeSpec spec) {
        return Optional.of(parts().expander());
    }

    @Override
    public Optional<NodeExpander> nodeExpander(VolumeSpec spec) {
        return Optional.of(parts().expander().onNode());
    }

    @Override
    public Optional<Snapshotter> snapshotter() {
        return Optional.of(parts().snapshots());
    }

    @Override
    public Optional<Observer> observer() {
        return Optional.of(parts().attacher());
    }

    @Override
    public Optional<CapacityReporter> capacity() {
        return Optional.of(parts().reporter());
    }

    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.of(parts().reporter());
    }

    @Override
    public Optional<HealthReporter> health() {
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
