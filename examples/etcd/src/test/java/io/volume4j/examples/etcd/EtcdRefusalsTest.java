package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.Maintenance;
import io.etcd.jetcd.options.CompactOption;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What etcd does not do, and what the caller is told. */
class EtcdRefusalsTest {
    private static final String FULL = "etcdctl compact --physical, defrag, alarm disarm";

    /** etcd takes requests of 1.5 MiB; what is larger still its own protocol layer refuses, in other words. */
    @ParameterizedTest
    @ValueSource(ints = {1_600_000, 3_000_000})
    void anObjectThatIsTooLargeIsInvalidAndNothingIsLost(int size) {
        try (EtcdServer server = EtcdServer.start();
                EtcdClient client = server.client()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            ApiObject kept = cluster.create(TestObjects.claim("kept", 1_400_000));
            refused(Reason.INVALID, "make the object smaller", () -> cluster.create(TestObjects.claim("large", size)));
            refused(
                    Reason.INVALID,
                    "make the object smaller",
                    () -> cluster.patch(
                            kept.key(),
                            new Patch(
                                    Preconditions.none(),
                                    false,
                                    List.of(Patch.FieldChange.set("y".repeat(size), "metadata", "annotations", "b")))));
            assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all())
                            .objects())
                    .containsExactly(kept);
        }
    }

    @Test
    void aFullDatabaseIsUnavailableUntilAnOperatorMadeRoomAndNothingIsLost() {
        try (EtcdServer server = EtcdServer.start("--quota-backend-bytes=4000000");
                EtcdClient client = server.client()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            List<ApiObject> stored = new ArrayList<>();
            refused(Reason.UNAVAILABLE, FULL, () -> {
                for (int i = 0; i < 40; i++) {
                    stored.add(cluster.create(TestObjects.claim("c-" + i, 500_000)));
                }
            });
            String refusedFirst = "c-" + stored.size();
            // once the member's count of its size is over the quota, it raises the alarm before it refuses
            refused(Reason.UNAVAILABLE, FULL, () -> cluster.create(TestObjects.claim("large", 500_000)));
            assertThat(stored).hasSizeBetween(1, 39);
            List<ApiObject> kept = new ArrayList<>(claims(cluster));
            assertThat(kept).containsAll(stored);
            // a member that notices while it does the write that it has no room does it, and refuses it all the same
            assertThat(kept.stream().filter(each -> !stored.contains(each)))
                    .extracting(each -> each.metadata().name())
                    .isSubsetOf(refusedFirst);

            // a deletion is taken also by a full database; how much a member took beyond its quota is left to chance
            while (kept.size() > 1) {
                cluster.delete(kept.remove(0).key(), Preconditions.none());
            }
            makeRoom(server, client, cluster);
            kept.add(cluster.create(TestObjects.claim("later")));
            assertThat(claims(cluster)).containsExactlyInAnyOrderElementsOf(kept);
        }
    }

    /** As an operator does it: what is compacted must be out of the file before the file is made smaller. */
    private static void makeRoom(EtcdServer server, EtcdClient client, EtcdCluster cluster) {
        long revision = Long.parseLong(
                cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).revision());
        Maintenance maintenance = client.client().getMaintenanceClient();
        client.await(
                "compact",
                client.client()
                        .getKVClient()
                        .compact(
                                revision,
                                CompactOption.builder()
                                        .withCompactPhysical(true)
                                        .build()));
        client.await("defrag", maintenance.defragmentMember(server.uri().toString()));
        client.await("alarms", maintenance.listAlarms())
                .getAlarms()
                .forEach(alarm -> client.await("disarm", maintenance.alarmDisarm(alarm)));
    }

    private static List<ApiObject> claims(EtcdCluster cluster) {
        return cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).objects();
    }

    /** 500 objects a page may be more than an answer may hold. */
    @Test
    void aListingWhoseAnswersWouldBeTooLargeIsReadInSmallerPages() {
        try (EtcdServer server = EtcdServer.start();
                EtcdClient client = EtcdClient.builder()
                        .endpoints(List.of(server.uri()))
                        .largestAnswer(100_000)
                        .build()) {
            EtcdCluster cluster = EtcdCluster.builder(client).build();
            List<ApiObject> stored = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                stored.add(cluster.create(TestObjects.claim("c-" + i, 30_000)));
            }
            assertThat(claims(cluster)).containsExactlyInAnyOrderElementsOf(stored);
            try (EtcdClient large = server.client()) {
                EtcdCluster.builder(large).build().create(TestObjects.claim("huge", 200_000));
            }
            refused(Reason.UNAVAILABLE, "raise its largestAnswer", () -> claims(cluster));
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

    /** As by a slip in an address: the client would send in the clear what was meant to be encrypted. */
    @Test
    void whatIsMeantToBeEncryptedIsNotSentInTheClear() {
        Path file = Path.of("/etc/hostname");
        URI remote = URI.create("http://10.0.0.1:2379");
        assertThatThrownBy(() -> EtcdClient.builder()
                        .endpoints(List.of(remote))
                        .authorities(file)
                        .build())
                .hasMessageContaining("certificates are for members at https://, not http://10.0.0.1:2379");
        assertThatThrownBy(() -> EtcdClient.builder()
                        .endpoints(List.of(remote))
                        .user("agent", "secret-word")
                        .build())
                .hasMessageContaining("a password is not sent to 10.0.0.1 in the clear")
                .hasMessageNotContaining("secret-word");
        assertThatThrownBy(() -> EtcdClient.builder()
                        .endpoints(List.of(URI.create("https://10.0.0.2:2379"), remote))
                        .build())
                .hasMessageContaining("give the addresses of one kind");
        EtcdClient.builder()
                .endpoints(List.of(URI.create("http://127.0.0.9:2379")))
                .user("agent", "secret-word")
                .build()
                .close();
    }

    private static void refused(Reason reason, String says, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ClusterException.class, refusal -> {
            assertThat(refusal.reason()).isEqualTo(reason);
            assertThat(refusal.getMessage()).contains(says);
        });
    }
}
