package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watch whose connection breaks, and whose next connections break while they are made. */
@Timeout(120)
class ReconnectingWatchTest {
    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: NAME, namespace: default}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    @AutoClose
    private Store store;

    @AutoClose
    private BreakingProxy way;

    @AutoClose
    private HttpCluster direct;

    @AutoClose
    private HttpCluster watched;

    @AutoClose
    private ApiServer api;

    private final BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws Exception {
        store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        way = new BreakingProxy(store.uri());
        direct = HttpCluster.of(Access.to(store.uri()));
        watched = HttpCluster.of(Access.to(way.uri()));
        api = new ApiServer(Access.to(way.uri()), RequestRate.standard());
    }

    private Watch watch() {
        return watched.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), revision(), events::add);
    }

    private String revision() {
        return direct.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).revision();
    }

    /** By its clock no time passes, so that it does not give up because this process stands still for some seconds. */
    private Watch watchWithoutTime() {
        HttpWatch watch = new HttpWatch(
                api,
                Kind.PERSISTENT_VOLUME_CLAIM,
                ApiPath.all(Kind.PERSISTENT_VOLUME_CLAIM),
                "",
                revision(),
                events::add,
                Duration.ofMinutes(5),
                () -> 0);
        watch.begin(Duration.ofMinutes(1));
        return watch;
    }

    private void create(String name) {
        Manifests.read("test", CLAIM.replace("NAME", name)).forEach(direct::create);
    }

    private WatchEvent next() throws InterruptedException {
        return events.poll(30, TimeUnit.SECONDS);
    }

    /** A listing instead, after a pause that grows each time, would leave a controller blind for half a minute. */
    @Test
    void goesOnFromWhereItWasWhenTheWayIsGoodAgainWithinSeconds() throws Exception {
        Watch watch = watchWithoutTime();
        create("before");
        assertThat(next().requireObject().metadata().name()).isEqualTo("before");

        way.takeDown();
        create("meanwhile");
        assertThat(events.poll(500, TimeUnit.MILLISECONDS))
                .as("the watch has not given up")
                .isNull();
        way.mend();

        assertThat(next())
                .extracting(event -> event.requireObject().metadata().name())
                .isEqualTo("meanwhile");
        watch.close();
    }

    @Test
    void isExpiredWhenTheWayStaysBad() throws Exception {
        Watch watch = watch();

        way.takeDown();

        assertThat(next()).isEqualTo(WatchEvent.expired());
        watch.close();
    }

    @Test
    void isNotToldOfAnythingOnceItIsClosed() throws Exception {
        Watch watch = watch();
        way.takeDown();

        watch.close();

        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("api-watch-")) {
                thread.join(10_000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
        assertThat(events).isEmpty();
    }
}
