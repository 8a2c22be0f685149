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
 * A directory that lives and dies with its pod ({@code emptyDir}): on the node's disk, in memory, or in huge pages.
 *
 * <p>The kernel keeps volumes in memory and in huge pages within their size limit. A volume in memory follows a changed limit while
 * it is mounted. On disk a volume gets a project quota where the filesystem of the library's directory has them (ext4 and xfs that are
 * mounted with {@code prjquota}): its processes then get {@code EDQUOT} or {@code ENOSPC}. Elsewhere the limit is not enforced:
 * {@code VolumeManager.stats} tells the limit beside what is used, so that the host can end the pod, as a kubelet does. Thread-safe.
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
     * For a node whose memory the host tells, {@link PluginHost#allocatable}. If it does not, volumes in memory without a
     * limit get the kernel's, half of the memory.
     */
    public EmptyDirPlugin() {
        this(0);
    }

    /**
     * For a node with so much memory for pods.
     *
     * @param nodeMemoryBytes what one volume in memory may have at most; 0 if that is not known
     */
    public EmptyDirPlugin(long nodeMemoryBytes) {
        this(nodeMemoryBytes, true);
    }

    /**
     * For a node on which no volume on disk may be refused a write, whatever its filesystem has.
     *
     * @param nodeMemoryBytes as above
     * @param heldOnDisk whether volumes on disk get a project quota where the filesystem has them; default true
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

    /** A volume in memory gets another size when its pod asks for another limit. */
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
