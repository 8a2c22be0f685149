package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.explain.Health;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to a developer who embeds the library for the first time and forgets something. */
@Timeout(120)
class MistakesTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              nodeName: n1
              containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
              volumes: [{name: v, secret: {secretName: login}}]
            """;

    private final InMemoryCluster cluster = InMemoryCluster.create();

    private VolumeManager manager(String nodeName) {
        return manager(nodeName, cluster);
    }

    private static VolumeManager manager(String nodeName, ClusterSource source) {
        return builder(nodeName, source).build();
    }

    private static VolumeManagerBuilder builder(String nodeName, ClusterSource source) {
        Path root = Path.of("/v4j");
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(root);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName(nodeName)
                        .mounts(machine)
                        .build())
                .defaults(VolumePlugins.defaultPlugins())
                .build();
        return VolumeManager.builder()
                .cluster(source)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .journalInMemory();
    }

    private String uid() {
        Manifests.read("test", POD).forEach(cluster::apply);
        return cluster.get(ObjectKey.pod("default", "p"))
                .orElseThrow()
                .metadata()
                .uid();
    }

    private static void awaitSynced(VolumeManager manager) throws Exception {
        while (!manager.statesSynced().get(1, TimeUnit.MINUTES)) {
            Thread.onSpinWait();
        }
    }

    /** The future would never complete. */
    @Test
    void waitingForTheBindingOfAnObjectThatIsNoClaimIsRefused() {
        PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(PluginRegistry.builder(
                                DefaultPluginHost.builder(Path.of("/v4j")).build())
                        .build())
                .build();
        try (controller) {
            assertThatThrownBy(() -> controller.whenBound(ObjectKey.pod("default", "p")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Pod/default/p is no claim");
        }
    }

    /** A host that wants no limit gives the longest time. */
    @ParameterizedTest
    @ValueSource(strings = {"PT2562047788015215H30M7.999999999S", "P300000D"})
    void theLongestCloseTimeoutIsNoLimit(Duration timeout, @TempDir Path root) {
        PluginRegistry plugins = PluginRegistry.builder(
                        DefaultPluginHost.builder(root).nodeName("n1").build())
                .build();
        VolumeManager manager = VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .withoutMounts()
                .closeTimeout(timeout)
                .build();
        manager.start();
        assertThat(manager.closeReportingLeft()).isEmpty();

        PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .closeTimeout(timeout)
                .build();
        controller.start();
        assertThat(controller.closeReportingLeft()).isEmpty();
    }

    @Test
    void aManagerThatWasNotStartedSaysSo() {
        try (VolumeManager manager = manager("n1")) {
            assertThatThrownBy(() -> manager.awaitMounted(uid(), SOON))
                    .hasMessageContaining("the volume manager of node n1 was not started");
            assertThat(manager.explainPod("default", "p").join().text())
                    .isEqualTo(
                            "pod default/p: not known here\n  waiting: the volume manager of node n1 was not started: it"
                                    + " does not know yet what is mounted");
            assertThatThrownBy(() -> manager.stats(uid()).join())
                    .hasRootCauseInstanceOf(VolumeException.class)
                    .hasMessageContaining("was not started");
        }
    }

    @Test
    void aManagerIsStartedOnce() {
        try (VolumeManager manager = manager("n1")) {
            manager.start();

            assertThatThrownBy(manager::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was started before");
        }
    }

    @Test
    void aManagerNeedsTheNameOfItsNode() {
        assertThatIllegalStateException().isThrownBy(() -> manager("")).withMessageContaining(".nodeName(…)");
    }

    @Test
    void aTimeoutOfZeroAsksWithoutWaiting() {
        try (VolumeManager manager = builder("n1", cluster).directWishes().build()) {
            manager.start();
            manager.desiredState()
                    .put("job", PodVolumes.builder().memory("scratch", 4096).build());
            manager.awaitMounted("job", Duration.ofMinutes(1));

            assertThat(manager.awaitMounted("job", Duration.ZERO).volumes()).containsKey("scratch");
            assertThatThrownBy(() -> manager.awaitMounted("other", Duration.ZERO))
                    .hasMessageContaining("not mounted within 0 ms")
                    .hasMessageContaining("pod other: not known here");
            assertThatThrownBy(() -> manager.awaitUnmounted("job", Duration.ZERO))
                    .hasMessageContaining("not unmounted within 0 ms");
            assertThatThrownBy(() -> manager.awaitMounted("job", null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("Duration.ZERO to ask without waiting");
        }
    }

    @Test
    void aPodThatTheClusterGivesAnotherNodeIsSaidToBeNone() throws Exception {
        try (VolumeManager manager = manager("n2")) {
            manager.start();
            String uid = uid();
            awaitSynced(manager);

            assertThatThrownBy(() -> manager.awaitMounted(uid, SOON))
                    .hasMessageContaining("node n2 has no such pod in the cluster, where it has 0 pod(s)");
        }
    }

    /** Whether the source says that it cannot, or breaks. */
    private record Broken(RuntimeException failure) implements ClusterSource {
        @Override
        public Listing list(Kind kind, Selection selection) {
            throw failure;
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            throw failure;
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            throw failure;
        }
    }

    @Test
    void aSourceThatFailsIsTheReasonWhyAPodIsNotKnown() {
        for (RuntimeException failure : new RuntimeException[] {
            new ClusterException(Reason.UNAVAILABLE, "the database is down"),
            new IllegalArgumentException("the database is down")
        }) {
            try (VolumeManager manager = manager("n1", new Broken(failure))) {
                manager.start();

                String why = "";
                while (!why.contains("the pods of node n1 cannot be listed")) {
                    why = manager.explainPod("default", "p").join().text();
                }
                assertThat(why).contains("the database is down");
            }
        }
    }

    /** Otherwise a caller that waits for the end of a deleted pod reads that all is as it should be. */
    @Test
    void aPodWhoseEndCannotBeHeardIsExplainedSo() throws Exception {
        String uid = uid();
        Interrupted source = new Interrupted(cluster);
        try (VolumeManager manager = manager("n1", source)) {
            manager.start();
            awaitSynced(manager);
            source.interrupt();

            String why = "";
            while (!why.contains("note: ")) {
                why = manager.explainPod(uid).get(1, TimeUnit.MINUTES).text();
            }
            assertThat(why)
                    .contains(
                            "the pods of node n1 cannot be listed: no route; what changed since then is not known here");
        }
    }

    /** A cluster that can be cut off. */
    private static final class Interrupted implements ClusterSource {
        private final ClusterSource cluster;
        private final List<WatchListener> listeners = new CopyOnWriteArrayList<>();
        private volatile boolean cut;

        Interrupted(ClusterSource cluster) {
            this.cluster = cluster;
        }

        void interrupt() {
            cut = true;
            listeners.forEach(listener -> listener.onEvent(WatchEvent.expired()));
        }

        private void reach() {
            if (cut) {
                throw new ClusterException(Reason.UNAVAILABLE, "no route");
            }
        }

        @Override
        public Listing list(Kind kind, Selection selection) {
            reach();
            return cluster.list(kind, selection);
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            reach();
            listeners.add(listener);
            return cluster.watch(kind, selection, revision, listener);
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            reach();
            return cluster.readLive(key);
        }
    }

    @Test
    void anExecutorThatRefusesIsNotTakenForAFailureOfTheCluster() throws Exception {
        try (VolumeManager manager = builder("n1", cluster)
                .workers(call -> {
                    throw new RejectedExecutionException("full");
                })
                .build()) {
            manager.start();

            String why = "";
            while (!why.contains("cannot be listed")) {
                why = manager.explainPod("default", "p")
                        .get(1, TimeUnit.MINUTES)
                        .text();
            }
            assertThat(why).contains("cannot read the Pod objects of the cluster: there is no thread for it", "full");
        }
    }

    /** A format waits for the event loop, which makes the call. */
    @Test
    void anExecutorThatRunsCallsOnTheEventLoopDoesNotStopTheNodeForEver() throws Exception {
        Path root = Path.of("/v4j");
        InMemoryMountBackend machine =
                InMemoryMountBackend.builder().filesystems("ext4").build();
        machine.files().createRoot(root);
        machine.addDisk(Path.of("/dev/mem/vol-1"), "s1", 1 << 30);
        InMemoryStorage storage = InMemoryStorage.create();
        storage.add("vol-1", 1 << 30);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(InMemoryPlugin.builder(storage).formats().build()))
                .build();
        AtomicBoolean full = new AtomicBoolean(true);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (VolumeManager manager = VolumeManager.builder()
                .plugins(plugins)
                .journalInMemory()
                .backoff(new RetryBackoff(Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(20)))
                .closeTimeout(Duration.ofSeconds(1))
                .workers(call -> (full.get() ? (Executor) Runnable::run : threads).execute(call))
                .build()) {
            VolumeId volume = VolumeId.shared("mem", "vol-1");
            manager.desiredState()
                    .put("job", PodVolumes.builder().csi("data", "mem", "vol-1").build());
            manager.desiredState().complete();
            manager.start();
            String why = "";
            while (!why.contains("last error")) {
                why = manager.explainVolume(volume).get(1, TimeUnit.MINUTES).text();
            }
            assertThat(why).contains("ran this call on the event loop", "an executor with its own threads");

            full.set(false);
            assertThat(manager.awaitMounted("job", Duration.ofMinutes(1)).volumes())
                    .containsKey("data");
        } finally {
            threads.shutdown();
        }
    }

    /** No pod runs, and no listener hears of anything. */
    private static class IdleRuntime implements PodRuntime {
        @Override
        public boolean mayStillUse(String podUid) {
            return false;
        }

        @Override
        public void addListener(Consumer<String> listener) {}

        @Override
        public void removeListener(Consumer<String> listener) {}
    }

    @Test
    void aStartThatTheRuntimeBreaksIsNoStartAndMayBeRepeated() {
        AtomicInteger asked = new AtomicInteger();
        PodRuntime runtime = new IdleRuntime() {
            @Override
            public void addListener(Consumer<String> listener) {
                if (asked.incrementAndGet() == 1) {
                    throw new IllegalStateException("the runtime is away");
                }
            }
        };
        try (VolumeManager manager = builder("n1", cluster).podRuntime(runtime).build()) {
            assertThatThrownBy(manager::start).hasMessageContaining("the runtime is away");
            assertThatThrownBy(() -> manager.present().join()).hasMessageContaining("could not start");

            manager.start();

            assertThat(manager.present().join()).isEmpty();
        }
    }

    /** The start goes on without its caller. A second one would find the root in use, by this manager. */
    @Test
    void aCallerThatWasInterruptedWaitsForTheSameStartAgain() {
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        AtomicInteger starts = new AtomicInteger();
        PodRuntime runtime = new IdleRuntime() {
            @Override
            public void addListener(Consumer<String> listener) {
                starts.incrementAndGet();
                mayGoOn.join();
            }
        };
        try (VolumeManager manager = builder("n1", cluster).podRuntime(runtime).build()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(manager::start).hasMessageContaining("interrupted while waiting for the start");
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            mayGoOn.complete(null);

            manager.start();

            assertThat(manager.present().join()).isEmpty();
            assertThat(starts).hasValue(1);
        }
    }

    @Test
    void aRuntimeThatDoesNotRemoveItsListenerKeepsNoNodeFromEnding() {
        PodRuntime runtime = new IdleRuntime() {
            @Override
            public void removeListener(Consumer<String> listener) {
                throw new IllegalStateException("the runtime is away");
            }
        };
        VolumeManager manager = builder("n1", cluster)
                .podRuntime(runtime)
                .closeTimeout(Duration.ofMinutes(1))
                .build();
        manager.start();
        while (cluster.watches().isEmpty()) {
            Thread.onSpinWait();
        }

        assertThat(manager.closeReportingLeft()).isEmpty();

        assertThat(cluster.watches()).isEmpty();
    }

    @Test
    void aHostWithoutSecretsIsToldWhatToGive() {
        try (VolumeManager manager = manager("n1")) {
            manager.start();
            String uid = uid();

            String why = "";
            while (!why.contains("last error")) {
                why = manager.explainPod(uid).join().text();
            }
            assertThat(why)
                    .contains("secret default/login cannot be read: this process has no secret resolver")
                    .contains("give the plugin host a secret resolver");
        }
    }

    @Test
    void waitingOnTheEventLoopForItselfIsRefused() throws Exception {
        try (VolumeManager manager = manager("n1")) {
            manager.start();
            CompletableFuture<Object> told = new CompletableFuture<>();
            manager.listenVolumesInUse(volumes -> {
                try {
                    told.complete(manager.awaitMounted("any", Duration.ofMinutes(1)));
                } catch (RuntimeException refused) {
                    told.complete(refused);
                }
            });

            assertThat(told.get(1, TimeUnit.MINUTES))
                    .isInstanceOf(IllegalStateException.class)
                    .asString()
                    .contains("use the future instead");
        }
    }

    @Test
    void waitingForAClaimOnTheControllersEventLoopIsRefused() throws Exception {
        ObjectKey claim = ObjectKey.claim("default", "c");
        try (PersistentVolumeController controller = controller(cluster)) {
            controller.start();
            Throwable refused = null;
            // A stage that is added too late runs on this thread, where waiting is allowed.
            while (!(refused instanceof IllegalStateException)) {
                CompletableFuture<Throwable> told = new CompletableFuture<>();
                var unused = controller
                        .explain(claim)
                        .thenAccept(explanation -> told.complete(
                                catchThrowable(() -> controller.awaitBound(claim, Duration.ofMillis(1)))));
                refused = told.get(1, TimeUnit.MINUTES);
            }
            assertThat(refused).hasMessageContaining("use whenBound instead");
        }
    }

    private PersistentVolumeController controller(ClusterSource source) {
        PluginRegistry plugins = PluginRegistry.builder(
                        DefaultPluginHost.builder(Path.of("/v4j")).build())
                .build();
        return PersistentVolumeController.builder()
                .cluster(source, cluster)
                .plugins(plugins)
                .build();
    }

    @Test
    void aControllerThatWasNotStartedSaysSo() {
        try (PersistentVolumeController controller = controller(cluster)) {
            assertThatThrownBy(() -> controller.awaitBound(ObjectKey.claim("default", "c"), SOON))
                    .hasMessageContaining("nothing is listed before start() is called");
        }
    }

    @Test
    void aSourceThatFailsIsTheReasonWhyAClaimIsNotKnown() {
        ClusterException failure = new ClusterException(Reason.UNAVAILABLE, "the database is down");
        try (PersistentVolumeController controller = controller(new Broken(failure))) {
            controller.start();

            String why = "";
            while (!why.contains("cannot be listed: the database is down")) {
                why = controller.explain(ObjectKey.claim("default", "c")).join().text();
            }
            assertThat(why).startsWith("PersistentVolumeClaim/default/c: not known here");
        }
    }

    @Test
    void aControllerWorksAlsoIfItsHostCouldNotSayAtFirstWhetherItLeads() {
        AtomicInteger asked = new AtomicInteger();
        LeaderEpoch leader = new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public Duration remaining() {
                if (asked.incrementAndGet() == 1) {
                    throw new IllegalStateException("no session yet");
                }
                return Duration.ofHours(1);
            }
        };
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(PluginRegistry.builder(
                                DefaultPluginHost.builder(Path.of("/v4j")).build())
                        .build())
                .leader(leader)
                .build()) {
            controller.start();

            Health health = controller.health();
            while (!(health.ready() && health.leads())
                    && !Thread.currentThread().isInterrupted()) {
                health = controller.health();
            }
            assertThat(health.reasons()).isEmpty();
        }
    }

    @Test
    void aClosedControllerSaysThatItWasClosed() {
        PersistentVolumeController controller = controller(cluster);
        controller.start();
        controller.close();

        assertThatThrownBy(() -> controller.awaitBound(ObjectKey.claim("default", "c"), Duration.ofMinutes(1)))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("was closed")
                .hasMessageNotContaining("io.volume4j");
    }
}
