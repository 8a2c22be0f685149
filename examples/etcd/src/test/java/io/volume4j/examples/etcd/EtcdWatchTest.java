package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.etcd.jetcd.watch.WatchResponse;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdWatchTest {
    private static EtcdServer server;
    private static EtcdClient etcd;
    private static EtcdCluster cluster;

    private final Heard heard = new Heard();

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
        etcd = server.client();
        cluster = EtcdCluster.builder(etcd).build();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            etcd.close();
            server.close();
        }
    }

    /** The library need not list: a listing of all volumes at each broken connection is what etcd bears worst. */
    @Test
    void aBrokenConnectionIsTakenUpWhereItEndedAndNothingIsMissedOrToldTwice()
            throws IOException, InterruptedException {
        try (CutLink link = new CutLink(server.uri());
                EtcdClient behind =
                        EtcdClient.builder().endpoints(List.of(link.uri())).build()) {
            EtcdCluster source = EtcdCluster.builder(behind).build();
            String revision =
                    source.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).revision();
            Watch watch = source.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), revision, heard);
            for (int i = 0; i < 5; i++) {
                ApiObject made = cluster.create(TestObjects.claim("cut-" + i));
                assertThat(heard.next()).isEqualTo(WatchEvent.changed(made));
                link.cut();
                ApiObject meanwhile = cluster.create(TestObjects.claim("meanwhile-" + i));
                cluster.delete(made.key(), Preconditions.none());
                assertThat(heard.next()).isEqualTo(WatchEvent.changed(meanwhile));
                assertThat(heard.next().type()).isEqualTo(WatchEvent.Type.DELETED);
            }
            watch.close();
            assertThat(heard.isEmpty()).isTrue();
        }
    }

    @Test
    void aRevisionThatIsCompactedExpiresTheWatch() throws InterruptedException {
        String old = cluster.create(TestObjects.claim("compacted")).metadata().resourceVersion();
        ApiObject later = cluster.create(TestObjects.claim("compacted-later"));
        cluster.delete(later.key(), Preconditions.none());
        String now = cluster.list(Kind.POD, Selection.all()).revision();
        etcd.await("compact", etcd.client().getKVClient().compact(Long.parseLong(now)));
        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), old, heard);
        assertThat(heard.next()).isEqualTo(WatchEvent.expired());
        watch.close();
    }

    @Test
    void whatIsTooLargeToBeToldAtOnceExpiresTheWatch() throws InterruptedException {
        try (EtcdClient small = EtcdClient.builder()
                .endpoints(List.of(server.uri()))
                .largestAnswer(100_000)
                .build()) {
            EtcdCluster source = EtcdCluster.builder(small).build();
            String revision = cluster.list(Kind.POD, Selection.all()).revision();
            ApiObject large = cluster.create(TestObjects.claim("large-event", 200_000));
            Watch watch = source.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), revision, heard);
            assertThat(heard.next()).isEqualTo(WatchEvent.expired());
            watch.close();
            cluster.delete(large.key(), Preconditions.none());
        }
    }

    /** As etcd splits what is too much for one answer: events of one revision, in two answers. */
    @Test
    void anAnswerInPartsIsToldWhole() throws InterruptedException {
        EtcdWatch watch = pods(10);
        EtcdWatch.Connection connection = watch.standIn();
        connection.onNext(response(12, event("a", 12), event("b", 12)));
        connection.onNext(response(12, event("c", 12)));
        for (String name : List.of("a", "b", "c")) {
            WatchEvent event = heard.next();
            assertThat(event.requireObject().metadata().name()).isEqualTo(name);
            assertThat(event.revision()).isEqualTo("12");
        }
        assertThat(watch.told()).isEqualTo(12);
    }

    @Test
    void aProgressNotificationMovesTheWatchOn() throws InterruptedException {
        EtcdWatch watch = pods(10);
        EtcdWatch.Connection connection = watch.standIn();
        connection.onNext(response(40));
        assertThat(heard.next()).isEqualTo(WatchEvent.bookmark("40"));
        connection.onNext(response(12, event("old", 12)));
        connection.onNext(response(30));
        assertThat(heard.next()).as("never back").isEqualTo(WatchEvent.bookmark("40"));
        assertThat(watch.told()).isEqualTo(40);
    }

    /** Otherwise the library would never learn of the change, and take for complete what it knows. */
    @Test
    void anEventAtWhichTheListenerBreaksExpiresTheWatch() throws InterruptedException {
        EtcdWatch watch = new EtcdWatch(etcd, etcd.keys().ofKind(Kind.POD), true, Selection.all(), 10, event -> {
            if (event.type() == WatchEvent.Type.CHANGED) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            heard.onEvent(event);
        });
        EtcdWatch.Connection connection = watch.standIn();
        connection.onNext(response(12, event("lost", 12)));
        connection.onNext(response(13));
        assertThat(heard.next()).isEqualTo(WatchEvent.expired());
        assertThat(heard.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, io exception", "UNKNOWN, channel closed"})
    void aWatchGoesOnAfterItsConnectionBroke(ErrorCode code, String said) throws InterruptedException {
        long revision = Long.parseLong(
                cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).revision());
        EtcdWatch watch = new EtcdWatch(
                etcd, etcd.keys().ofKind(Kind.PERSISTENT_VOLUME_CLAIM), true, Selection.all(), revision, heard);
        EtcdWatch.Connection connection = watch.standIn();
        ApiObject meanwhile = cluster.create(TestObjects.claim("during-" + said.replace(" ", "-")));

        connection.onError(EtcdExceptionFactory.newEtcdException(code, said));

        assertThat(heard.next()).isEqualTo(WatchEvent.changed(meanwhile));
        watch.close();
    }

    @Test
    void whatAnEarlierConnectionStillBringsIsIgnored() {
        EtcdWatch watch = pods(10);
        EtcdWatch.Connection earlier = watch.standIn();
        watch.standIn();
        earlier.onNext(response(12, event("late", 12)));
        earlier.onCompleted();
        assertThat(heard.isEmpty()).isTrue();
        assertThat(watch.told()).isEqualTo(10);
    }

    @Test
    void aNodeHearsOfItsOwnObjectOnlyByOneKey() throws InterruptedException {
        String revision = cluster.list(Kind.NODE, Selection.ofNode("n1")).revision();
        Watch watch = cluster.watch(Kind.NODE, Selection.ofNode("n1"), revision, heard);
        cluster.create(TestObjects.node("n10"));
        ApiObject own = cluster.create(TestObjects.node("n1"));
        assertThat(heard.next()).isEqualTo(WatchEvent.changed(own));
        watch.close();
        assertThat(cluster.list(Kind.NODE, Selection.ofNode("n1")).objects()).containsExactly(own);
    }

    private EtcdWatch pods(long from) {
        return new EtcdWatch(etcd, etcd.keys().ofKind(Kind.POD), true, Selection.all(), from, heard);
    }

    private static WatchResponse response(long revision, Event... events) {
        return new WatchResponse(io.etcd.jetcd.api.WatchResponse.newBuilder()
                .setHeader(ResponseHeader.newBuilder().setRevision(revision))
                .addAllEvents(List.of(events))
                .build());
    }

    private static Event event(String name, long revision) {
        ApiObject object = TestObjects.claim(name);
        ByteSequence key = etcd.keys().of(object.key());
        ByteSequence value = StoredObjects.write(StoredObjects.created(object, "uid", Instant.EPOCH));
        return Event.newBuilder()
                .setType(Event.EventType.PUT)
                .setKv(KeyValue.newBuilder()
                        .setKey(ByteString.copyFrom(key.getBytes()))
                        .setValue(ByteString.copyFrom(value.getBytes()))
                        .setModRevision(revision))
                .build();
    }
}
