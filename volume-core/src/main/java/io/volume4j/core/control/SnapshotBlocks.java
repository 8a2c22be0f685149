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
 * Reports which blocks of a VolumeSnapshot contain data, and which blocks differ between two snapshots of one claim.
 * A backup then need not read the other blocks. Asks the plugin that created the snapshots. Reads the cluster on each
 * call and caches nothing. The caller must check the permissions of the requester. Thread-safe.
 *
 * <p>Blocks come in ascending order and do not overlap, and none ends at or before the starting offset. An exception
 * of {@link BlockSink#accept} ends the call.
 *
 * @since 0.1.0
 */
public final class SnapshotBlocks {
    private final ClusterSource cluster;
    private final PluginRegistry plugins;

    /** @param plugins a registry with the plugins of the snapshots' drivers */
    public SnapshotBlocks(ClusterSource cluster, PluginRegistry plugins) {
        this.cluster = Objects.requireNonNull(cluster, "cluster");
        this.plugins = Objects.requireNonNull(plugins, "plugins");
    }

    /**
     * Passes the blocks that contain data to the sink. Blocks until all are passed.
     *
     * @param snapshot a VolumeSnapshot
     * @param startingOffset in bytes; 0, or where an earlier call ended
     * @throws SnapshotNotUsableException if the blocks of the snapshot cannot be reported in its current state
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
     * Passes the blocks that differ between two snapshots of one volume to the sink. Blocks until all are passed.
     *
     * @param base the earlier snapshot
     * @param target the later snapshot
     * @param startingOffset in bytes; 0, or where an earlier call ended
     * @throws SnapshotNotUsableException if the blocks of the snapshots cannot be reported in their current state
     * @throws io.volume4j.spi.host.ClusterException if the cluster cannot be read
     * @throws io.volume4j.spi.VolumeException if the plugin failed; final, if it no longer knows the differences; then
     *     the caller must read all blocks of the target
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

    /** Omits blocks that were passed before. A plugin that continues after a broken stream may report blocks twice. */
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
