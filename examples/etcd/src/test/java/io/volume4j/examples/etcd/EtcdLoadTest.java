package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a pod with a claim of its own costs etcd, from the creation of both to the deletion of the volume, and what one change costs: as
 * etcd counts it. Controllers are real, and some of the nodes; the others only listen, and cost etcd the same.
 *
 * <p>{@code -Dvolume4j.load=REAL+LISTENING:VOLUMES,…} measures larger worlds and prints a row for each, such as {@code 2+4998:100000};
 * {@code -Dvolume4j.load.lives} is the number of pods, 10 if none is given. The largest takes some minutes and 8 GB of memory.
 */
class EtcdLoadTest {
    private static final int LIVES = Integer.getInteger("volume4j.load.lives", 10);
    private static final int PROBES = 10;

    /** Nodes, of which some only listen, beside so many other volumes. */
    private record World(int real, int listening, int volumes) {
        static World parse(String text) {
            String[] words = text.split("[+:]");
            return words.length == 2
                    ? new World(Integer.parseInt(words[0]), 0, Integer.parseInt(words[1]))
                    : new World(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        }
    }

    /**
     * One world.
     *
     * @param life what a pod costs
     * @param eventsOfANode what one listening node heard of a pod
     */
    private record Row(World world, EtcdCounters life, double eventsOfANode) {}

    @Test
    void aPodCostsTheSameWritesBesideMoreNodesAndVolumesAndEachNodeHearsAsMuch() throws Exception {
        Row few = measure(new World(2, 0, 0), false);
        Row more = measure(new World(8, 0, 200), false);

        assertThat(few.life.revisions()).as("%s", few).isBetween(5.0, 40.0);
        // a conflict between two writers is written again
        assertThat(more.life.revisions()).as("%s after %s", more, few).isLessThanOrEqualTo(few.life.revisions() + 3);
        assertThat(more.life.received()).as("%s after %s", more, few).isLessThan(few.life.received() * 1.5);
        // each of four times as many nodes hears of it, and the controllers as before
        assertThat(more.life.sent()).as("%s after %s", more, few).isLessThan(few.life.sent() * 4);

        Row listening = measure(new World(2, 6, 200), false);
        // so that thousands of them tell what thousands of nodes cost
        assertThat(listening.life.sent())
                .as("%s after %s", listening, more)
                .isBetween(more.life.sent() * 0.75, more.life.sent() * 1.25);
        // of all revisions but those of the kinds that only controllers watch
        assertThat(listening.eventsOfANode).as("%s", listening).isBetween(5.0, listening.life.revisions());
    }

    @Test
    void aListeningNodeHasAsManyWatchesAsARealOne() throws Exception {
        try (LoadedEtcd world = new LoadedEtcd(false)) {
            world.startControllers();
            world.startNode();
            world.lives(1, "first");
            double before = world.settledWatchers();

            world.startNode();
            world.liveOnTheNewest("second");

            assertThat(world.settledWatchers() - before).isEqualTo(WatchingNodes.WATCHES_OF_A_NODE);
        }
    }

    /** So that proxies take the load of thousands of nodes off the members. */
    @Test
    void aProxyHearsOnceForAllNodesBehindIt() throws Exception {
        try (LoadedEtcd world = new LoadedEtcd(false)) {
            world.startControllers();
            world.startNode();
            world.lives(2, "first");
            EtcdCounters before = world.counters();
            world.lives(3, "alone");
            double alone = world.counters().since(before).sent();

            WatchingNodes behind = world.watchingBehindAProxy(50);
            // from here on all of them hear
            behind.hear(ObjectKey.claim("default", "probe"), () -> world.admin().create(TestObjects.claim("probe")));
            long heard = behind.heard();
            before = world.counters();
            world.lives(3, "behind");

            // fifty nodes without a proxy cost nine times as much
            assertThat(world.counters().since(before).sent()).isLessThan(alone * 1.5);
            assertThat(behind.heard() - heard).isGreaterThan(50 * 3 * 10);
        }
    }

    /** For each page etcd counts all keys of the kind: in pages of 500, 100,000 volumes were still being listed after 30 s. */
    @Test
    void aListingOfThousandsOfObjectsIsReadAtOnce() throws Exception {
        try (LoadedEtcd world = new LoadedEtcd(false)) {
            world.fill(1_100);
            double before = world.counters().reads();

            assertThat(world.admin()
                            .list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all())
                            .objects())
                    .hasSize(1_100);

            // one of them may be etcd's own
            assertThat(world.counters().reads() - before).isBetween(1.0, 2.0);
        }
    }

    @Test
    void largerWorldsAreMeasuredWhereTheyAreAskedFor() throws Exception {
        String asked = System.getProperty("volume4j.load", "");
        assumeFalse(asked.isEmpty(), "-Dvolume4j.load=REAL+LISTENING:VOLUMES,… says which");
        for (String each : asked.split(",")) {
            measure(World.parse(each), true);
        }
    }

    /** @param print whether to measure also what takes long or depends on the machine, and to print all */
    private static Row measure(World size, boolean print) throws Exception {
        try (LoadedEtcd world = new LoadedEtcd(print)) {
            world.fill(size.volumes);
            EtcdCounters filled = world.counters();
            world.startControllers();
            for (int i = 0; i < size.real - 1; i++) {
                world.startNode();
            }
            // all of them have read what there is
            world.lives(2, "first");
            EtcdCounters alone = world.counters();
            WatchingNodes listening = world.watching(size.listening);
            world.startNode();
            world.liveOnTheNewest("joined");

            long heard = listening.heard();
            EtcdCounters before = world.counters();
            world.lives(LIVES, "measured");
            EtcdCounters life = world.counters().since(before).per(LIVES);
            Row row = new Row(
                    size,
                    life,
                    size.listening == 0 ? 0 : (double) (listening.heard() - heard) / LIVES / size.listening);
            if (print) {
                print("%,d nodes, %,d volumes: %s", size.real + size.listening, size.volumes, size);
                print("  a pod: %s; a listening node hears %.1f events", text(life), row.eventsOfANode);
                print("  filled: %s", state(filled));
                print("  before the listening nodes: %s", state(alone));
                print("  with all: %s", state(world.counters()));
                if (size.listening > 0) {
                    printProbes(world, listening);
                }
                printListing(world);
                printIdle(world);
            }
            assertThat(listening.failure()).isEmpty();
            return row;
        }
    }

    /** One change of one claim, several times in turn. */
    private static void printProbes(LoadedEtcd world, WatchingNodes listening) throws Exception {
        ObjectKey claim = ObjectKey.claim("default", "probe");
        listening.hear(claim, () -> Manifests.read("probe", """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: probe, namespace: default, finalizers: [kubernetes.io/pvc-protection]}
                spec: {storageClassName: none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """).forEach(world.admin()::create));
        List<Long> delays = new ArrayList<>();
        EtcdCounters before = world.counters();
        for (int i = 0; i < PROBES; i++) {
            FieldChange another = FieldChange.set("" + i, "metadata", "annotations", "a");
            Patch patch = new Patch(Preconditions.none(), false, List.of(another));
            delays.addAll(listening.hear(claim, () -> world.admin().patch(claim, patch)));
        }
        print("  a change of a claim: %s", text(world.counters().since(before).per(PROBES)));
        Collections.sort(delays);
        print(
                "  it is heard after %.0f ms by half of the nodes, %.0f ms by 99 %%, %.0f ms by all",
                delays.get(delays.size() / 2) / 1e6,
                delays.get(delays.size() * 99 / 100) / 1e6,
                delays.get(delays.size() - 1) / 1e6);
    }

    /** As a node reads that joins. */
    private static void printListing(LoadedEtcd world) throws Exception {
        EtcdCluster joining = EtcdCluster.builder(world.connect()).build();
        EtcdCounters before = world.counters();
        long began = System.nanoTime();
        for (Kind kind : WatchingNodes.KINDS) {
            joining.list(kind, Selection.all());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        EtcdCounters listing = world.counters().since(before);
        print("  a listing: %.1f s, %s", seconds, text(listing));
        print("  after it: %s", state(world.counters()));
    }

    private static void printIdle(LoadedEtcd world) throws Exception {
        EtcdCounters before = world.counters();
        // the minute itself is what is measured
        assertThat(new Semaphore(0).tryAcquire(1, TimeUnit.MINUTES)).isFalse();
        print("  an idle minute: %s", text(world.counters().since(before)));
    }

    private static String text(EtcdCounters cost) {
        return String.format(
                Locale.ROOT,
                "%.1f revisions, %.1f proposals, %.1f syncs, gets %,.1f KB, sends %,.1f KB, %.0f ms of processor",
                cost.revisions(),
                cost.proposals(),
                cost.walSyncs(),
                cost.received() / 1e3,
                cost.sent() / 1e3,
                cost.cpuMillis());
    }

    private static String state(EtcdCounters now) {
        return String.format(
                Locale.ROOT,
                "%,.0f watches in %,.0f streams, %,.0f slow, %,.0f MB of memory, a database of %,.0f MB",
                now.watchers(),
                now.watchStreams(),
                now.slowWatchers(),
                now.memory() / 1e6,
                now.database() / 1e6);
    }

    private static void print(String format, @Nullable Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
