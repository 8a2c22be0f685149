package io.volume4j.examples.benchmarks;

import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A writer that adds up the time that the cluster behind it takes, so that it can be told from the library's own. */
final class TimedCluster implements ClusterWriter {
    private final ClusterWriter cluster;
    private final AtomicLong nanos = new AtomicLong();

    TimedCluster(ClusterWriter cluster) {
        this.cluster = cluster;
    }

    @Override
    public ApiObject create(ApiObject object) {
        return timed(() -> cluster.create(object));
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return timed(() -> cluster.patch(key, patch));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        timed(() -> {
            cluster.delete(key, preconditions);
            return key;
        });
    }

    long nanos() {
        return nanos.get();
    }

    void reset() {
        nanos.set(0);
    }

    private <T> T timed(Supplier<T> call) {
        long began = System.nanoTime();
        try {
            return call.get();
        } finally {
            nanos.addAndGet(System.nanoTime() - began);
        }
    }
}
