package io.volume4j.core.control;

import io.volume4j.core.control.SnapshotNotUsableException.Reason;
import io.volume4j.core.control.snapshot.NamedSnapshot;
import io.volume4j.core.control.snapshot.NamedSnapshot.Usable;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.SnapshotMetadata;
import io.volume4j.spi.plugin.SnapshotMetadata.AllocatedRequest;
import io.volume4j.spi.plugin.SnapshotMetadata.Block;
import io.volume4j.spi.plugin.SnapshotMetadata.BlockSink;
import io.volume4j.spi.plugin.SnapshotMetadata.ChangedRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Which blocks of VolumeSnapshots hold data, and which differ between two of one claim, so that a backup reads no others. Asks the
 * plugin that made the snapshots. Reads the cluster at each question and keeps nothing. The caller decides who may ask.
 * Thread-safe.
 *
 * <p>Blocks come in ascending order and do not overlap, and none ends at or before the starting offset. What {@link BlockSink#accept}
 * throws ends the call.
 *
 * @since 0.1.0
 */
public final class SnapshotBlocks {
    private final ClusterSource cluster;
    private final PluginRegistry plugins;

    /** @param plugins of the drivers whose snapshots are asked for */
    public SnapshotBlocks(ClusterSource cluster, PluginRegistry plugins) {
        this.cluster = Objects.requireNonNull(cluster, "cluster");
        this.plugins = Objects.requireNonNull(plugins, "plugins");
    }

    /**
     * The blocks that hold data. On a thread that may block until all are told.
     *
     * @param snapshot a VolumeSnapshot
     * @param startingOffset in bytes; 0, or where an earlier call ended
     * @throws SnapshotNotUsableException if nothing can be said of it as it is
     * @throws io.volume4j.spi.host.ClusterException if the cluster cannot be read
     * @throws io.volume4j.spi.VolumeException if the plugin failed
     */
    public void allocated(ObjectKey snapshot, long startingOffset, BlockSink sink, CallContext context) {
        Usable named = usable(snapshot);
        SnapshotMetadata metadata = metadata(named.driver(), snapshot);
        plugins.confidentially(() -> {
            metadata.allocated(
                    new AllocatedRequest(named.handle(), startingOffset, named.parameters()),
                    new InOrder(startingOffset, sink),
                    context);
            return named;
        });
    }

    /**
     * The blocks that differ between two snapshots of one volume. On a thread that may block until all are told.
     *
     * @param base the earlier one
     * @param target the later one
     * @param startingOffset in bytes; 0, or where an earlier call ended
     * @throws SnapshotNotUsableException if nothing can be said of them as they are
     * @throws io.volume4j.spi.host.ClusterException if the cluster cannot be read
     * @throws io.volume4j.spi.VolumeException if the plugin failed; final, if it does not know any more what differs: then all
     *     blocks of the target are to be read
     */
    public void changed(ObjectKey base, ObjectKey target, long startingOffset, BlockSink sink, CallContext context) {
        Usable earlier = usable(base);
        Usable later = usable(target);
        if (!earlier.driver().equals(later.driver())) {
            throw new SnapshotNotUsableException(
                    Reason.UNRELATED, base + " and " + target + " are snapshots of different drivers");
        }
        if (!earlier.volumeHandle().isEmpty()
                && !later.volumeHandle().isEmpty()
                && !earlier.volumeHandle().equals(later.volumeHandle())) {
            throw new SnapshotNotUsableException(
                    Reason.UNRELATED, base + " and " + target + " are snapshots of different volumes");
        }
        SnapshotMetadata metadata = metadata(later.driver(), target);
        plugins.confidentially(() -> {
            metadata.changed(
                    new ChangedRequest(earlier.handle(), later.handle(), startingOffset, later.parameters()),
                    new InOrder(startingOffset, sink),
                    context);
            return later;
        });
    }

    private Usable usable(ObjectKey snapshot) {
        NamedSnapshot found = NamedSnapshot.read(cluster, snapshot);
        if (found instanceof NamedSnapshot.Missing missing) {
            throw new SnapshotNotUsableException(Reason.MISSING, missing.problem());
        }
        if (found instanceof NamedSnapshot.NotReady notReady) {
            throw new SnapshotNotUsableException(Reason.NOT_READY, notReady.problem());
        }
        return (Usable) found;
    }

    private SnapshotMetadata metadata(String driver, ObjectKey snapshot) {
        return plugins.byName(driver)
                .flatMap(VolumePlugin::snapshotMetadata)
                .orElseThrow(() -> new SnapshotNotUsableException(
                        Reason.UNSUPPORTED,
                        snapshot + " is of driver " + driver + ", which this process does not have or which cannot tell"
                                + " the blocks of snapshots"));
    }

    /** Leaves out what was told before: a plugin that goes on after a broken stream may tell blocks twice. */
    private static final class InOrder implements BlockSink {
        private final BlockSink sink;
        private final long startingOffset;
        private long told;

        InOrder(long startingOffset, BlockSink sink) {
            this.startingOffset = startingOffset;
            this.sink = sink;
        }

        @Override
        public void accept(long volumeBytes, List<Block> blocks) {
            List<Block> fresh = new ArrayList<>(blocks.size());
            for (Block block : blocks) {
                long from = Math.max(block.offset(), told);
                long end = block.offset() + block.bytes();
                if (end > from && end > startingOffset) {
                    fresh.add(new Block(from, end - from));
                    told = end;
                }
            }
            if (!fresh.isEmpty() || blocks.isEmpty()) {
                sink.accept(volumeBytes, fresh);
            }
        }
    }
}
