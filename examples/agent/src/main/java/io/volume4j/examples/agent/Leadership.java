package io.volume4j.examples.agent;

import io.volume4j.core.explain.Health;
import io.volume4j.core.lease.LeaseElection;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ObjectKey;
import java.util.function.Supplier;

/**
 * The election of the active process, and the authority that proves that a node is fenced.
 *
 * @param health whether the election works
 * @param begins joins the election
 * @param ends gives up the leadership
 */
record Leadership(
        LeaderEpoch epoch, FencingAuthority fencing, Supplier<Health> health, Runnable begins, Runnable ends) {
    /** With a Lease object in the cluster, and without a fencing authority. */
    static <C extends ClusterSource & ClusterWriter> Leadership byLease(C cluster, ObjectKey lease) {
        LeaseElection election = LeaseElection.builder()
                .cluster(cluster, cluster)
                .lease(lease.namespace(), lease.name())
                .build();
        return new Leadership(election, FencingAuthority.none(), election::health, election::start, election::close);
    }
}
