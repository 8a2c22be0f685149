package io.volume4j.examples.agent.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.ClusterWatch;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Beside the controller that binds the claims, over volumes that each reach one node alone. */
class PodSchedulerTest {
    private static final long SECONDS = 60;

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final RecordingEvents events = new RecordingEvents();
    private final Semaphore news = new Semaphore(0);
    private final List<ClusterSource.Watch> ours = new ArrayList<>();
    private final Term term = new Term();
    private final EventSink sink = event -> {
        events.event(event);
        news.release();
    };
    private PersistentVolumeController controller;
    private VolumeBinder binder;
    private PodScheduler scheduler;

    /** Of a process that begins to lead when the test says so. */
    private static final class Term implements LeaderEpoch {
        private volatile Runnable listener = () -> {};
        private final Semaphore asked = new Semaphore(0);
        private volatile boolean leads = true;

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public Duration remaining() {
            asked.release();
            return leads ? Duration.ofMinutes(1) : Duration.ZERO;
        }

        @Override
        public boolean addListener(Runnable added) {
            listener = added;
            return true;
        }
    }

    @BeforeEach
    void start() {
        for (Kind kind : List.of(Kind.POD, Kind.PERSISTENT_VOLUME_CLAIM)) {
            ours.add(cluster.watch(kind, Selection.all(), cluster.revision(), event -> news.release()));
        }
        binder = VolumeBinder.builder().cluster(cluster, cluster).build();
        controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(PluginRegistry.builder(
                                InMemoryPluginHost.named("control").build())
                        .build())
                .makesPodClaims()
                .volumeBinder(binder)
                .build();
        scheduler = new PodScheduler(cluster, binder, term, sink);
        apply("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: local}
                provisioner: kubernetes.io/no-provisioner
                volumeBindingMode: WaitForFirstConsumer
                """);
        controller.start();
        scheduler.start();
    }

    @AfterEach
    void stop() {
        scheduler.close();
        controller.close();
    }

    @Test
    void aPodGetsTheNodeWhereItsVolumeIs() throws Exception {
        node("one");
        node("two");
        node("three");
        volume("v", "two");
        claim("data");

        pod("p", "", "persistentVolumeClaim: {claimName: data}");

        await(() -> nodeOf("p").equals("two"));
        await(() -> isBound("data"));
    }

    /** Its claim would wait for a first consumer for ever, for no scheduler looks at a pod that has a node. */
    @Test
    void theClaimOfAPodWhoseManifestNamesItsNodeIsServedForThatNode() throws Exception {
        node("one");
        node("two");
        volume("v1", "one");
        volume("v2", "two");
        claim("data");

        pod("p", "two", "persistentVolumeClaim: {claimName: data}");

        await(() -> isBound("data"));
        assertThat(claimed("data").spec().volumeName()).isEqualTo("v2");
        assertThat(events.all()).isEmpty();
    }

    @Test
    void aClaimThatAPodBringsAlongIsMadeAndServed() throws Exception {
        node("one");
        volume("v", "one");

        pod("p", "", """
                ephemeral:
                        volumeClaimTemplate:
                          spec: {storageClassName: local, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}""");

        await(() -> nodeOf("p").equals("one"));
        await(() -> isBound("p-data"));
    }

    @Test
    void aPodThatCanGoNowhereIsToldWhyOnceAndGoesAsSoonAsANodeHasItsVolume() throws Exception {
        node("one");
        volume("v", "two");
        claim("data");
        awaitKnown("data");
        pod("p", "", "persistentVolumeClaim: {claimName: data}");
        String why = "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.";
        await(() -> events.all().stream().anyMatch(event -> event.message().equals(why)));

        node("two");

        await(() -> nodeOf("p").equals("two"));
        assertThat(events.about(ObjectKey.pod("default", "p")))
                .extracting(EventSink.Event::reason)
                .containsOnly("FailedScheduling");
        assertThat(events.about(ObjectKey.pod("default", "p")))
                .extracting(EventSink.Event::message)
                .doesNotHaveDuplicates()
                .noneMatch(message -> message.contains("persistentvolumeclaim not found"));
    }

    @Test
    void aPodWhoseClaimsAreNotBoundInTimeIsToldSoAndTriedAgain() throws Exception {
        apply("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: slow}
                provisioner: slow.example
                volumeBindingMode: WaitForFirstConsumer
                """);
        apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec: {storageClassName: slow, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        scheduler.close();
        scheduler = new PodScheduler(cluster, binder, term, sink, Duration.ofSeconds(1));
        scheduler.start();
        node("one");
        pod("p", "", "persistentVolumeClaim: {claimName: data}");
        await(() -> chosenFor("data").equals("one"));
        String why = "its claims were not bound within 1 s on node one";
        await(() -> events.all().stream().anyMatch(event -> event.message().equals(why)));

        // the volume may be under way for this node, so no other one is right until the provisioner gives it up
        node("two");
        String elsewhere = "node(s) are not the node for which the volume of a claim is being made";
        node("one", false);
        await(() -> events.all().stream().anyMatch(event -> event.message().contains(elsewhere)));
        assertThat(chosenFor("data")).isEqualTo("one");

        provisionerGivesUp("data");
        await(() -> chosenFor("data").equals("two"));
        assertThat(nodeOf("p")).isEmpty();
    }

    /** As servers of Kubernetes do: they let schedulers create bindings only. */
    @Test
    void aPodIsToldThatTheServerLetsNoNodeBeWritten() throws Exception {
        cluster.fail(ClusterFault.on(ClusterVerb.PATCH).of(Kind.POD).always().as(ClusterFault.Rejection.FORBIDDEN));
        node("one");
        pod("p", "", "emptyDir: {}");

        await(() -> events.all().stream()
                .anyMatch(event -> event.reason().equals("FailedScheduling")
                        && event.message().contains("needs a scheduler of its own, such as kube-scheduler")));
        cluster.heal();
        await(() -> nodeOf("p").equals("one"));
    }

    /** As an external provisioner that finds no room at the chosen node. */
    private void provisionerGivesUp(String claim) {
        cluster.patch(
                ObjectKey.claim("default", claim),
                new Patch(
                        new Preconditions(claimed(claim).metadata().uid(), ""),
                        false,
                        List.of(Patch.FieldChange.remove("metadata", "annotations", WellKnown.SELECTED_NODE))));
    }

    private String chosenFor(String claim) {
        return claimed(claim).metadata().annotation(WellKnown.SELECTED_NODE);
    }

    /** As a server that takes the request and answers nothing. */
    @Test
    void podsGetTheirNodesWhileTheWatchOfNodesIsBeingOpened() throws Exception {
        node("one");
        scheduler.close();
        CountDownLatch answers = new CountDownLatch(1);
        OpensLate late = new OpensLate(cluster, Kind.NODE, answers);
        scheduler = new PodScheduler(late, binder, term, sink);
        scheduler.start();

        pod("p", "", "emptyDir: {}");

        await(() -> nodeOf("p").equals("one"));
        node("two");
        volume("v", "two");
        claim("data");
        pod("q", "", "persistentVolumeClaim: {claimName: data}");
        answers.countDown();
        await(() -> nodeOf("q").equals("two"));
    }

    @Test
    void aWatchThatOpensBehindTheEndIsClosed() throws Exception {
        scheduler.close();
        CountDownLatch answers = new CountDownLatch(1);
        OpensLate late = new OpensLate(cluster, Kind.NODE, answers);
        scheduler = new PodScheduler(late, binder, term, sink);
        scheduler.start();
        late.asked.await();

        scheduler.close();
        answers.countDown();

        assertThat(late.closed.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    /** Opens the watches of one kind when it may. */
    private record OpensLate(
            InMemoryCluster cluster, Kind kind, CountDownLatch answers, CountDownLatch asked, CountDownLatch closed)
            implements ClusterSource, ClusterWriter {
        OpensLate(InMemoryCluster cluster, Kind kind, CountDownLatch answers) {
            this(cluster, kind, answers, new CountDownLatch(1), new CountDownLatch(1));
        }

        @Override
        public Listing list(Kind listed, Selection selection) {
            return cluster.list(listed, selection);
        }

        @Override
        public Watch watch(Kind watched, Selection selection, String revision, WatchListener listener) {
            if (watched != kind) {
                return cluster.watch(watched, selection, revision, listener);
            }
            asked.countDown();
            try {
                answers.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            Watch opened = cluster.watch(watched, selection, revision, listener);
            return () -> {
                opened.close();
                closed.countDown();
            };
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return cluster.readLive(key);
        }

        @Override
        public ApiObject create(ApiObject object) {
            return cluster.create(object);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            return cluster.patch(key, patch);
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            cluster.delete(key, preconditions);
        }
    }

    @Test
    void podsThatCanGoAnywhereSpread() throws Exception {
        node("one");
        node("two");
        for (int i = 0; i < 6; i++) {
            String name = "p" + i;
            pod(name, "", "emptyDir: {}");
            await(() -> !nodeOf(name).isEmpty());
        }

        assertThat(cluster.all(Kind.POD).stream().filter(pod -> nodeOf(pod).equals("one")))
                .hasSize(3);
    }

    /** Had it chosen a node before it leads, the pod would be on the first one: only that was open then. */
    @Test
    void aProcessGivesPodsTheirNodesWhileItLeads() throws Exception {
        node("one");
        pod("earlier", "", "emptyDir: {}");
        await(() -> nodeOf("earlier").equals("one"));

        term.leads = false;
        term.asked.drainPermits();
        pod("p", "", "emptyDir: {}");
        awaitLook();
        node("one", false);
        node("two");
        awaitLook();
        term.leads = true;
        term.listener.run();

        await(() -> !nodeOf("p").isEmpty());
        assertThat(nodeOf("p")).isEqualTo("two");
    }

    private void awaitLook() throws InterruptedException {
        assertThat(term.asked.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
        term.asked.drainPermits();
    }

    @Test
    void aWatchThatExpiresCostsNothingButAnotherList() throws Exception {
        node("one");
        pod("p", "", "emptyDir: {}");
        await(() -> nodeOf("p").equals("one"));

        cluster.compact();
        cluster.watches().stream().filter(watch -> !ours.contains(watch)).forEach(ClusterWatch::expire);
        pod("q", "", "emptyDir: {}");

        await(() -> nodeOf("q").equals("one"));
    }

    private void node(String name) {
        node(name, true);
    }

    private void node(String name, boolean ready) {
        cluster.apply(new Node(
                ObjectMeta.named("", name),
                new Node.Spec(List.of()),
                new Node.Status(ready, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }

    private void volume(String name, String node) {
        apply("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: local
                  local: {path: /mnt/disk}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchFields: [{key: metadata.name, operator: In, values: [%s]}]
                """.formatted(name, node));
    }

    private void claim(String name) {
        apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s}
                spec: {storageClassName: local, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """.formatted(name));
    }

    private void pod(String name, String node, String source) {
        apply(manifest(name, node, source));
    }

    /** Waits until the binder has heard of the claim, which a controller tells it. */
    private void awaitKnown(String claim) {
        Pod user =
                (Pod) Manifests.read("test", manifest("any", "", "persistentVolumeClaim: {claimName: " + claim + "}"))
                        .get(0);
        Awaitility.await().atMost(SECONDS, TimeUnit.SECONDS).until(() -> {
            String text = binder.filter(user, List.of("one")).text();
            return !text.contains("not found") && !text.contains("not known");
        });
    }

    private static String manifest(String name, String node, String source) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  nodeName: "%s"
                  volumes:
                    - name: data
                      %s
                """.formatted(name, node, source);
    }

    private void apply(String manifest) {
        Manifests.read("test", manifest).forEach(cluster::apply);
    }

    private String nodeOf(String pod) {
        return nodeOf(cluster.get(ObjectKey.pod("default", pod)).orElseThrow());
    }

    private static String nodeOf(Object pod) {
        return ((Pod) pod).spec().nodeName();
    }

    private PersistentVolumeClaim claimed(String name) {
        return (PersistentVolumeClaim)
                cluster.get(ObjectKey.claim("default", name)).orElseThrow();
    }

    private boolean isBound(String name) {
        return cluster.get(ObjectKey.claim("default", name)).isPresent()
                && claimed(name).status().phase() == ClaimPhase.BOUND;
    }

    private void await(BooleanSupplier wanted) throws InterruptedException {
        while (!wanted.getAsBoolean()) {
            assertThat(news.tryAcquire(SECONDS, TimeUnit.SECONDS))
                    .as("it stays %s, events: %s", cluster.export(), events.all())
                    .isTrue();
        }
    }
}
