package io.volume4j.examples.benchmarks.world;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;

/** The source of the pods of a measured node. */
public interface BenchCluster {
    ClusterSource source();

    void apply(ApiObject object);

    void remove(ObjectKey key);

    /** The cluster in memory, which stores every object as a manifest and so costs more than the library. */
    static BenchCluster of(InMemoryCluster cluster) {
        return new BenchCluster() {
            @Override
            public ClusterSource source() {
                return cluster;
            }

            @Override
            public void apply(ApiObject object) {
                cluster.apply(object);
            }

            @Override
            public void remove(ObjectKey key) {
                cluster.remove(key);
            }
        };
    }
}
