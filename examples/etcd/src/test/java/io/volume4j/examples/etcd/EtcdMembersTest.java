package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three members, of which some crash or hang. */
class EtcdMembersTest {
    private List<EtcdServer> members;
    private EtcdClient etcd;
    private EtcdCluster cluster;
    private final List<ApiObject> stored = new ArrayList<>();
    private final Heard heard = new Heard();

    @BeforeEach
    void start() {
        members = EtcdServer.startMembers(3);
        etcd = EtcdClient.builder()
                .endpoints(members.stream().map(EtcdServer::uri).toList())
                .callTimeout(Duration.ofSeconds(3))
                .build();
        cluster = EtcdCluster.builder(etcd).build();
        write("first");
    }

    @AfterEach
    void stop() {
        if (members != null) {
            etcd.close();
            members.forEach(EtcdServer::close);
        }
    }

    @Test
    void eachMemberMayCrashInItsTurnAndNothingIsLost() throws InterruptedException {
        Watch watch = watch();
        for (EtcdServer member : members) {
            member.crash();
            for (int i = 0; i < 3; i++) {
                write("c-" + members.indexOf(member) + "-" + i);
            }
            member.crashAndRestart();
            assertListed();
        }
        assertHeard();
        watch.close();
    }

    @Test
    void aMemberThatHangsDelaysCallsAndLosesNothing() throws InterruptedException {
        Watch watch = watch();
        for (EtcdServer member : members) {
            member.pause();
            for (int i = 0; i < 2; i++) {
                write("c-" + members.indexOf(member) + "-" + i);
            }
            member.resume();
            assertListed();
        }
        assertHeard();
        watch.close();
    }

    @Test
    void withoutAMajorityEachCallSaysSoInTimeAndAllIsThereAfterwards() {
        members.get(0).pause();
        members.get(1).pause();
        assertThatThrownBy(() -> cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()))
                .isInstanceOfSatisfying(ClusterException.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(Reason.UNAVAILABLE);
                    assertThat(refused.getMessage()).contains("no member of etcd");
                });
        members.get(0).resume();
        members.get(1).resume();
        write("after");
        assertListed();
    }

    private Watch watch() {
        return cluster.watch(
                Kind.PERSISTENT_VOLUME_CLAIM,
                Selection.all(),
                stored.get(0).metadata().resourceVersion(),
                heard);
    }

    /** As the library writes: what was not answered is tried again, and may have been done. */
    private void write(String name) {
        ClusterException last = null;
        for (int tries = 0; tries < 40; tries++) {
            try {
                stored.add(cluster.create(TestObjects.claim(name)));
                return;
            } catch (ClusterException failed) {
                last = failed;
                if (failed.reason() == Reason.ALREADY_EXISTS) {
                    stored.add(read(name));
                    return;
                }
                assertThat(failed.reason()).isEqualTo(Reason.UNAVAILABLE);
            }
        }
        throw new AssertionError("no member took " + name, last);
    }

    private ApiObject read(String name) {
        for (int tries = 0; ; tries++) {
            try {
                return cluster.readLive(TestObjects.claim(name).key()).orElseThrow();
            } catch (ClusterException failed) {
                assertThat(tries)
                        .as("no member answers: %s", failed.getMessage())
                        .isLessThan(40);
            }
        }
    }

    private void assertListed() {
        for (int tries = 0; ; tries++) {
            try {
                assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all())
                                .objects())
                        .containsExactlyInAnyOrderElementsOf(stored);
                return;
            } catch (ClusterException failed) {
                assertThat(tries)
                        .as("no member answers: %s", failed.getMessage())
                        .isLessThan(40);
            }
        }
    }

    /** Each change once and in order, or an expiry after which the library lists. */
    private void assertHeard() throws InterruptedException {
        for (ApiObject object : stored.subList(1, stored.size())) {
            WatchEvent event = heard.next();
            if (event.type() == WatchEvent.Type.EXPIRED) {
                return;
            }
            assertThat(event).isEqualTo(WatchEvent.changed(object));
        }
    }
}
