package io.volume4j.examples.agent;

import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.EtcdElection;
import io.volume4j.examples.etcd.EtcdFencing;
import io.volume4j.examples.etcd.EtcdNodeHealth;
import io.volume4j.examples.etcd.SealingKeys;
import io.volume4j.spi.host.FencingAuthority;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The cluster as the control plane writes it, and the election of the active process. */
record ControlPlane(HostCluster cluster, Leadership leadership) implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LOOKS_AT_NODES = Duration.ofSeconds(2);

    /**
     * A control plane in etcd. Etcd elects the leader and refuses writes of a deposed leader. It has the leases of
     * nodes, which prove that a node is fenced.
     *
     * @param keys null if the process has no key file
     * @param fencing whether those leases are used as evidence
     */
    static ControlPlane inEtcd(
            EtcdClient etcd, @Nullable SealingKeys keys, String name, ControllersCommand.Fencing fencing) {
        EtcdElection election = EtcdElection.start(etcd, name, LEASE);
        EtcdHost cluster = new EtcdHost(etcd, keys, election);
        if (fencing == ControllersCommand.Fencing.NONE) {
            return new ControlPlane(
                    cluster,
                    new Leadership(election, FencingAuthority.none(), election::health, () -> {}, election::close));
        }
        EtcdNodeHealth health =
                new EtcdNodeHealth(etcd, cluster, () -> election.remaining().compareTo(Duration.ZERO) > 0);
        return new ControlPlane(
                cluster,
                new Leadership(
                        election, new EtcdFencing(etcd), election::health, () -> health.start(LOOKS_AT_NODES), () -> {
                            health.close();
                            election.close();
                        }));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
