package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What etcd has of nodes that only listen: the watches of a node, with the same keys and options, for many nodes over few connections.
 * It forgets what it hears, and counts it.
 */
final class WatchingNodes implements AutoCloseable {
    /** A node watches these as a whole, and its own object: {@code NodeParts} of the library says so. */
    static final List<Kind> KINDS =
            List.of(Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.POD, Kind.CSI_DRIVER);

    static final int WATCHES_OF_A_NODE = KINDS.size() + 1;

    /** One process hears for all of them, and may be late with its answers. */
    static final Duration PINGS = Duration.ofMinutes(5);

    private static final EtcdKeys KEYS = new EtcdKeys("/volume4j");
    private static final long PATIENCE_SECONDS = 300;

    private final URI member;
    private final long from;
    private final List<Client> clients = new ArrayList<>();
    private int count;
    private final LongAdder events = new LongAdder();
    private volatile String failure = "";
    private volatile @Nullable Probe probe;

    /** A change of one object, and how long after it was asked for each node heard of it. */
    private static final class Probe {
        private final ByteSequence key;
        private final long began = System.nanoTime();
        private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
        private final CountDownLatch all;

        Probe(ByteSequence key, int nodes) {
            this.key = key;
            all = new CountDownLatch(nodes);
        }

        void oneMore() {
            nanos.add(System.nanoTime() - began);
            all.countDown();
        }
    }

    /** @param from they are told what changes after this revision */
    WatchingNodes(URI member, long from) {
        this.member = member;
        this.from = from;
    }

    /** So many nodes more, over a connection of their own. */
    void connect(int nodes) {
        Client client = Client.builder()
                .endpoints(member)
                .maxInboundMessageSize(64 << 20)
                .keepaliveTime(PINGS)
                .keepaliveTimeout(PINGS)
                .build();
        clients.add(client);
        for (int i = 0; i < nodes; i++) {
            for (Kind kind : KINDS) {
                watch(client, KEYS.ofKind(kind), true);
            }
            watch(client, KEYS.of(ObjectKey.node("watching-" + count++)), false);
        }
    }

    private void watch(Client client, ByteSequence key, boolean prefix) {
        Watch.Listener listener =
                Watch.listener(this::told, failed -> failure = failed.toString(), () -> failure = "a watch ended");
        var unused = client.getWatchClient().watch(key, EtcdWatch.options(prefix, from + 1), listener);
    }

    private void told(WatchResponse response) {
        Probe now = probe;
        for (WatchEvent each : response.getEvents()) {
            events.increment();
            if (now != null && each.getKeyValue().getKey().equals(now.key)) {
                now.oneMore();
            }
        }
    }

    int count() {
        return count;
    }

    /** How many events all of them heard. */
    long heard() {
        return events.sum();
    }

    /** What ended a watch, {@code ""} if all of them go on. */
    String failure() {
        return failure;
    }

    /**
     * Does a change of one object that each node watches, and waits until all of them have heard of it.
     *
     * @return after how many nanoseconds each of them had
     */
    Collection<Long> hear(ObjectKey key, Runnable change) throws InterruptedException {
        Probe made = new Probe(KEYS.of(key), count);
        probe = made;
        change.run();
        boolean all = made.all.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        probe = null;
        if (!all) {
            throw new AssertionError(made.all.getCount() + " of " + count + " nodes did not hear of it; " + failure);
        }
        return made.nanos;
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
    }
}
