package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.contract.ClusterContract;
import io.volume4j.inmemory.contract.ClusterUnderTest;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;

class InMemoryClusterContractTest extends ClusterContract {
    @Override
    protected ClusterUnderTest subject() {
        InMemoryCluster cluster = InMemoryCluster.create();
        return new ClusterUnderTest() {
            @Override
            public ClusterSource source() {
                return cluster;
            }

            @Override
            public ClusterWriter writer() {
                return cluster;
            }

            @Override
            public boolean forgetHistory() {
                cluster.compact();
                return true;
            }

            @Override
            public boolean breakWatches() {
                cluster.watches().forEach(ClusterWatch::expire);
                return true;
            }
        };
    }
}
