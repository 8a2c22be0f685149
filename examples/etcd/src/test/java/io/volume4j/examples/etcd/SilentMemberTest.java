package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member that accepts a connection and then says nothing on it, as a machine does that hangs and is then switched off. */
@Timeout(180)
class SilentMemberTest {
    private static final Duration CALL = Duration.ofSeconds(1);

    private EtcdServer member;
    private CutLink link;
    private EtcdClient etcd;
    private EtcdCluster cluster;
    private EtcdClient beside;

    /** The same cluster without the link, with the time that a slow machine needs. */
    private EtcdCluster direct;

    @BeforeEach
    void start() throws IOException {
        member = EtcdServer.start();
        link = new CutLink(member.uri());
        etcd = EtcdClient.builder()
                .endpoints(List.of(link.uri()))
                .callTimeout(CALL)
                .build();
        cluster = EtcdCluster.builder(etcd).build();
        beside = member.client();
        direct = EtcdCluster.builder(beside).build();
    }

    @AfterEach
    void stop() throws IOException {
        if (member != null) {
            etcd.close();
            beside.close();
            link.close();
            member.close();
        }
    }

    @Test
    void theFirstConnectionIsSilent() {
        link.silent(true);
        assertThatThrownBy(this::read).isInstanceOf(ClusterException.class).hasMessageContaining("within 1 s");

        link.silent(false);

        awaitAnswer();
    }

    @Test
    void aConnectionAfterABreakIsSilentAndAWatchGoesOn() throws InterruptedException {
        Heard heard = new Heard();
        awaitAnswer();
        cluster.watch(
                Kind.NODE,
                Selection.all(),
                direct.create(TestObjects.node("first")).metadata().resourceVersion(),
                heard);
        link.silent(true);
        link.cut();
        link.awaitSilent();
        assertThatThrownBy(this::read).isInstanceOf(ClusterException.class);

        link.silent(false);

        awaitAnswer();
        ApiObject second = direct.create(TestObjects.node("second"));
        // a machine that is too slow lets the watch expire, and the library lists
        assertThat(heard.next()).isIn(WatchEvent.changed(second), WatchEvent.expired());
    }

    @Test
    void aMemberThatAnswersLateKeepsItsConnection() {
        awaitAnswer();
        int before = link.accepted();
        member.pause();
        assertThatThrownBy(this::read).isInstanceOf(ClusterException.class);

        member.resume();

        awaitAnswer();
        assertThat(link.accepted()).isEqualTo(before);
    }

    private void read() {
        cluster.readLive(ObjectKey.node("n1"));
    }

    private void awaitAnswer() {
        for (int tries = 0; ; tries++) {
            try {
                read();
                return;
            } catch (ClusterException failed) {
                assertThat(tries).as("no answer: %s", failed.getMessage()).isLessThan(60);
            }
        }
    }
}
