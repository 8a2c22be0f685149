package io.volume4j.examples.agent;

import io.volume4j.core.lease.LeaseElection;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ObjectKey;

/**
 * Which process of several works, and what proves that a node is cut off.
 *
 * @param begins takes part from then on
 * @param ends gives the lead back
 */
record Leadership(LeaderEpoch epoch, FencingAuthority fencing, Runnable begins, Runnable ends) {
    /** By a Lease among the cluster's objects, without an authority. */
    static <C extends ClusterSource & ClusterWriter> Leadership byLease(C cluster, ObjectKey lease) {
        LeaseElection election = LeaseElection.builder()
                .cluster(cluster, cluster)
                .lease(lease.namespace(), lease.name())
                .build();
        return new Leadership(election, FencingAuthority.none(), election::start, election::close);
    }
}
