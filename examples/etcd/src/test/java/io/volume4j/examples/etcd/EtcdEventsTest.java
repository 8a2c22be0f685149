package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.options.LeaseOption;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events leave the store after about an hour, so that they never fill it. */
class EtcdEventsTest {
    @Test
    void anEventIsKeptForAnHourAlsoWhenItIsRepeatedAndOtherObjectsStay() {
        try (EtcdServer server = EtcdServer.start();
                EtcdClient client = server.client()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            ApiObject event = cluster.create(event("data.1"));
            ApiObject claim = cluster.create(TestObjects.claim("data"));
            long lease = leaseOf(client, event.key());

            cluster.patch(
                    event.key(),
                    new Patch(Preconditions.none(), false, List.of(FieldChange.set("still no room", "note"))));

            assertThat(leaseOf(client, event.key())).isEqualTo(lease);
            assertThat(client.await(
                                    "read the lease",
                                    client.client().getLeaseClient().timeToLive(lease, LeaseOption.DEFAULT))
                            .getTTL())
                    .isBetween(3600L, Lifetimes.EVENTS.toSeconds());
            assertThat(leaseOf(client, claim.key())).as("no lease").isZero();
        }
    }

    /** A machine that slept for hours, or etcd restored from an earlier state, has lost the lease that new events would share. */
    @Test
    void anEventIsStoredUnderANewLeaseWhenEtcdHasLostTheSharedOne() {
        try (EtcdServer server = EtcdServer.start();
                EtcdClient client = server.client()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            long lost = leaseOf(client, cluster.create(event("data.1")).key());
            client.await("end the lease", client.client().getLeaseClient().revoke(lost));

            ApiObject event = cluster.create(event("data.2"));

            assertThat(leaseOf(client, event.key())).isNotZero().isNotEqualTo(lost);
        }
    }

    private static ApiObject event(String name) {
        return Manifests.read("test", """
                    apiVersion: events.k8s.io/v1
                    kind: Event
                    metadata: {name: %s, namespace: shop}
                    regarding: {kind: PersistentVolumeClaim, namespace: shop, name: data}
                    reason: ProvisioningFailed
                    type: Warning
                    note: no room
                    """.formatted(name)).get(0);
    }

    private static long leaseOf(EtcdClient client, ObjectKey key) {
        return client.await(
                        "read", client.client().getKVClient().get(client.keys().of(key)))
                .getKvs()
                .get(0)
                .getLease();
    }
}
