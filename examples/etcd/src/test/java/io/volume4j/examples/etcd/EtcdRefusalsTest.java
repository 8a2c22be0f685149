package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What etcd does not do, and what the caller is told. */
class EtcdRefusalsTest {
    @Test
    void anObjectThatIsTooLargeIsInvalidAndNothingIsLost() {
        try (EtcdServer server = EtcdServer.start("--max-request-bytes=100000");
                EtcdClient client = server.client()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            refused(Reason.INVALID, "make the object smaller", () -> cluster.create(claim("large", 200_000)));
            cluster.create(claim("small", 10));
            assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all())
                            .objects())
                    .hasSize(1);
        }
    }

    @Test
    void aFullDatabaseIsUnavailableAndSaysWhatAnOperatorMustDo() {
        try (EtcdServer server = EtcdServer.start("--quota-backend-bytes=4000000");
                EtcdClient client = server.client()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            refused(Reason.UNAVAILABLE, "etcdctl compact, defrag, alarm disarm", () -> {
                for (int i = 0; i < 40; i++) {
                    cluster.create(claim("c-" + i, 500_000));
                }
            });
            int stored = cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all())
                    .objects()
                    .size();
            assertThat(stored).as("what was stored can still be read").isBetween(1, 39);
        }
    }

    @Test
    void aMemberThatIsNotThereIsUnavailableWithinTheCallsTime() {
        try (EtcdClient client = EtcdClient.builder()
                .endpoints(List.of(URI.create("http://127.0.0.1:1")))
                .callTimeout(Duration.ofSeconds(2))
                .build()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            refused(Reason.UNAVAILABLE, "list Pod", () -> cluster.list(Kind.POD, Selection.all()));
        }
    }

    @Test
    void wrongSettingsAreToldWhenTheClientIsBuilt() {
        assertThatThrownBy(() -> EtcdClient.builder().build()).hasMessageContaining("needs the address of a member");
        assertThatThrownBy(() -> EtcdClient.builder()
                        .endpoints(List.of(URI.create("http://127.0.0.1:1")))
                        .prefix("volume4j/")
                        .build())
                .hasMessageContaining("must begin with a slash");
    }

    private static void refused(Reason reason, String says, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ClusterException.class, refusal -> {
            assertThat(refusal.reason()).isEqualTo(reason);
            assertThat(refusal.getMessage()).contains(says);
        });
    }

    private static ApiObject claim(String name, int size) {
        return Manifests.read("test", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s, namespace: default, annotations: {a: "%s"}}
                spec:
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """.formatted(name, "x".repeat(size))).get(0);
    }
}
