package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.core.plugins.emptydir.EmptyDirMedium;
import io.volume4j.core.plugins.emptydir.EmptyDirMounter;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Quantity;
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
 * Makes directories that exist as long as their pod ({@code emptyDir}): on the node's disk, in memory, or in huge
 * pages.
 *
 * <p>The kernel enforces the size limit of volumes in memory and in huge pages. A mounted volume in memory gets a
 * changed limit at once. On disk a volume gets a project quota if the filesystem of the library's directory supports
 * it (ext4 and xfs, mounted with {@code prjquota}). The pod's processes then get {@code EDQUOT} or {@code ENOSPC}. On
 * other filesystems the library does not enforce the limit: {@code VolumeManager.stats} reports limit and usage, so
 * that the host can end the pod, as a kubelet does. Thread-safe.
 *
 * @since 0.1.0
 */
public final class EmptyDirPlugin implements VolumePlugin {
    public static final String NAME = "kubernetes.io/empty-dir";

    private final long nodeMemoryBytes;
    private final boolean heldOnDisk;
    private volatile @Nullable Parts parts;

    private record Parts(EmptyDirMounter mounter, PathStatsReporter reporter) {}

    /**
     * A plugin that takes the node's memory from {@link PluginHost#allocatable}. If it is missing there, volumes in
     * memory without a limit have the kernel's limit: half of the memory.
     */
    public EmptyDirPlugin() {
        this(0);
    }

    /**
     * A plugin for a node with this memory for pods.
     * @param nodeMemoryBytes the maximum size of one volume in memory; 0 if unknown
     */
    public EmptyDirPlugin(long nodeMemoryBytes) {
        this(nodeMemoryBytes, true);
    }

    /**
     * A plugin with a choice whether volumes on disk have quotas.
     * @param nodeMemoryBytes the maximum size of one volume in memory; 0 if unknown
     * @param heldOnDisk whether volumes on disk get a project quota if the filesystem supports it; true by default
     */
    public EmptyDirPlugin(long nodeMemoryBytes, boolean heldOnDisk) {
        if (nodeMemoryBytes < 0) {
            throw new IllegalArgumentException("memory must not be negative: " + nodeMemoryBytes);
        }
        this.nodeMemoryBytes = nodeMemoryBytes;
        this.heldOnDisk = heldOnDisk;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(PluginHost host) {
        Quantity told = host.allocatable().get("memory");
        long known = nodeMemoryBytes > 0 || told == null ? nodeMemoryBytes : told.bytes();
        parts = new Parts(
                new EmptyDirMounter(host, known, heldOnDisk),
                new PathStatsReporter(host, PathStatsReporter.Bare.DIRECTORY));
    }

    @Override
    public boolean runsPrograms() {
        return false;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof EmptyDirSource;
    }

    @Override
    public Optional<VolumeId> identify(String podUid, String outerName) {
        return Optional.of(VolumeId.ofPod(name(), outerName, podUid));
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        if (spec.source() instanceof EmptyDirSource source) {
            EmptyDirMedium.of(source);
            EmptyDirMounter.mode(source);
            return spec.name();
        }
        throw VolumeException.finalFailure("not an emptyDir volume: " + MessageText.text(spec.name()));
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return false;
    }

    /** True: a volume in memory gets another size when its pod gets another limit. */
    @Override
    public boolean requiresRemount(VolumeSpec spec) {
        return spec.source() instanceof EmptyDirSource source
                && EmptyDirMedium.of(source).inMemory();
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(ready().mounter());
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(ready().mounter());
    }

    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.of(ready().reporter());
    }

    private Parts ready() {
        Parts made = parts;
        if (made == null) {
            throw new IllegalStateException("plugin " + NAME + " was not initialised: add it to a PluginRegistry");
        }
        return made;
    }
}
