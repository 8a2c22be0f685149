package io.volume4j.examples.benchmarks.world;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Another cluster, of which a benchmark measures the writes. */
public abstract class MeasuredCluster<C extends ClusterSource & ClusterWriter> implements ClusterSource, ClusterWriter {
    protected final C cluster;

    protected MeasuredCluster(C cluster) {
        this.cluster = cluster;
    }

    /** Makes the write, and measures it. */
    protected abstract <T extends @Nullable Object> T measured(Supplier<T> write);

    @Override
    public Listing list(Kind kind, Selection selection) {
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return cluster.watch(kind, selection, revision, listener);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return cluster.readLive(key);
    }

    @Override
    public int compareRevisions(String left, String right) {
        return cluster.compareRevisions(left, right);
    }

    @Override
    public ApiObject create(ApiObject object) {
        return measured(() -> cluster.create(object));
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return measured(() -> cluster.patch(key, patch));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        measured(() -> {
            cluster.delete(key, preconditions);
            return key;
        });
    }
}
