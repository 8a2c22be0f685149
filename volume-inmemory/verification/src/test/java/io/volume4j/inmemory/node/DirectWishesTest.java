package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.worlds.ActualStateOfWorld;
import io.volume4j.core.worlds.DesiredStateOfWorld;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.MountEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A host without pods, claims and API objects states what its jobs want; the four worlds say what became of it. */
@Timeout(120)
class DirectWishesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final PodVolumes SCRATCH =
            PodVolumes.builder().emptyDir("scratch").build();

    private final InMemoryMountBackend machine =
            InMemoryMountBackend.builder().filesystems("ext4", "nfs", "tmpfs").build();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final InMemoryPlugin plugin = InMemoryPlugin.on(storage);

    @TempDir
    Path root;

    @BeforeEach
    void makeRoot() {
        machine.files().createRoot(root);
        machine.export("nfs", "127.0.0.1:/export");
        storage.add("vol-1", 1 << 30);
    }

    private VolumeManagerBuilder builder() {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(plugin))
                .defaults(VolumePlugins.defaultPlugins())
                .build();
        return VolumeManager.builder().plugins(plugins).closeTimeout(SOON);
    }

    @Test
    void aHostWithoutAClusterMountsWhatItsJobsWantAndTakesItDownAgain() {
        try (VolumeManager volumes = builder().build()) {
            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder()
                                    .emptyDir("scratch")
                                    .memory("fast", 1 << 20)
                                    .nfs("shared", "127.0.0.1", "/export")
                                    .csi("data", "mem", "vol-1")
                                    .fsGroup(2000)
                                    .build());
            volumes.desiredState().complete();
            volumes.start();

            MountedPod job = volumes.awaitMounted("job-1", SOON);

            assertThat(job.volumes().keySet()).containsExactly("scratch", "fast", "shared", "data");
            assertThat(volumes.actualState().read().join().mounted()).hasSize(4);
            assertThat(volumes.desiredState().volumesToMount().join()).isEmpty();

            assertThat(volumes.desiredState().remove("job-1")).isTrue();
            assertThat(volumes.desiredState().remove("job-1")).isFalse();
            volumes.awaitUnmounted("job-1", SOON);
            assertThat(volumes.actualState().whenEmpty().join()).isTrue();
        }
    }

    @Test
    void singleVolumesAreReadAtOneMomentWithWhyTheyAreAsTheyAre() {
        VolumeId data = VolumeId.shared("mem", "vol-1");
        VolumeId unknown = VolumeId.shared("mem", "vol-2");
        plugin.faults().add(Fault.on("mountDevice").as(FaultKind.EXHAUSTED).saying("no room"));
        try (VolumeManager volumes = builder().build()) {
            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder().csi("data", "mem", "vol-1").build());
            assertThatThrownBy(() -> volumes.read(List.of(data)).join()).hasMessageContaining("was not started");
            volumes.start();
            volumes.awaitMounted("job-1", SOON);

            List<VolumeReading> readings = volumes.read(List.of(unknown, data)).join();

            assertThat(readings).extracting(VolumeReading::volume).containsExactly(unknown, data);
            assertThat(readings.get(0).desired()).isNull();
            assertThat(readings.get(0).actual()).isNull();
            assertThat(readings.get(1).desired().pods()).containsOnlyKeys("job-1");
            assertThat(readings.get(1).actual().device()).isEqualTo("MOUNTED");
            assertThat(readings.get(1).explanation().settled()).isTrue();
            assertThat(volumes.plan(data).join().steps()).isEmpty();
            assertThat(volumes.journal().join().bytes()).isPositive();
        }
    }

    @Test
    void untilTheHostSaysThatItsWishesAreCompleteVolumesAreMountedAndNoneIsTakenDown() {
        try (VolumeManager before = builder().build()) {
            before.desiredState().put("job-1", SCRATCH);
            before.desiredState().put("job-2", SCRATCH);
            before.desiredState().complete();
            before.start();
            before.awaitMounted("job-1", SOON);
            before.awaitMounted("job-2", SOON);
        }
        try (VolumeManager after = builder().build()) {
            after.start();
            after.desiredState().put("job-3", SCRATCH);
            after.awaitMounted("job-3", SOON);
            after.desiredState().put("job-1", SCRATCH);
            after.awaitMounted("job-1", SOON);
            after.operationExecutor().whenIdle().join();

            DesiredStateOfWorld.Reading wanted = after.desiredState().read().join();
            assertThat(wanted.clusterComplete()).isTrue();
            assertThat(wanted.complete()).isFalse();
            assertThat(after.actualState().read().join().mounted()).hasSize(3);

            after.desiredState().complete();
            after.awaitUnmounted("job-2", SOON);
            assertThat(after.actualState().read().join().mounted()).hasSize(2);
            assertThat(after.desiredState().read().join().complete()).isTrue();
        }
    }

    @Test
    void wishesAreStatedBesideThoseOfACluster() {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("pod", """
                        {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: pod-1}, spec: {nodeName: n1,
                          containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, emptyDir: {}}]}}
                        """).forEach(cluster::apply);
        try (VolumeManager volumes = builder()
                .cluster(cluster)
                .directWishes()
                .attachMode(AttachMode.SELF)
                .build()) {
            volumes.start();
            volumes.desiredState().put("job-1", SCRATCH);
            volumes.desiredState().complete();

            volumes.awaitMounted("pod-1", SOON);
            volumes.awaitMounted("job-1", SOON);
            cluster.remove(ObjectKey.pod("default", "p"));
            volumes.awaitUnmounted("pod-1", SOON);

            assertThat(volumes.awaitMounted("job-1", SOON).volumes()).containsOnlyKeys("scratch");
        }
    }

    @Test
    void aJobMayWantOtherVolumesLaterAndComeBackAfterItsEnd() {
        try (VolumeManager volumes = builder().build()) {
            volumes.start();
            volumes.desiredState().complete();
            volumes.desiredState().put("job-1", SCRATCH);
            volumes.awaitMounted("job-1", SOON);

            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder().csi("data", "mem", "vol-1").build());
            volumes.operationExecutor().whenIdle().join();
            assertThat(volumes.awaitMounted("job-1", SOON).volumes()).containsOnlyKeys("data");

            volumes.desiredState().remove("job-1");
            volumes.awaitUnmounted("job-1", SOON);
            volumes.desiredState().put("job-1", SCRATCH);
            assertThat(volumes.awaitMounted("job-1", SOON).volumes()).containsOnlyKeys("scratch");
        }
    }

    /** Also after a restart of the host, which then knows only the new wish. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aJobNeverGetsTheStorageOfAnEarlierWishForThatOfItsPresentOne(boolean restarts) {
        machine.export("nfs", "127.0.0.1:/other");
        PodVolumes first =
                PodVolumes.builder().nfs("shared", "127.0.0.1", "/export").build();
        PodVolumes second =
                PodVolumes.builder().nfs("shared", "127.0.0.1", "/other").build();
        VolumeManager volumes = builder().build();
        try {
            volumes.start();
            volumes.desiredState().put("job-1", first);
            volumes.desiredState().complete();
            volumes.awaitMounted("job-1", SOON);
            if (restarts) {
                volumes.close();
                volumes = builder().build();
                volumes.start();
            }
            volumes.desiredState().put("job-1", second);
            volumes.desiredState().complete();
            awaitReason(volumes, "is still mounted in its place");
            assertThat(nfsMounts()).containsExactly("127.0.0.1:/export");

            volumes.desiredState().remove("job-1");
            volumes.awaitUnmounted("job-1", SOON);
            volumes.desiredState().put("job-1", second);
            volumes.awaitMounted("job-1", SOON);
            assertThat(nfsMounts()).containsExactly("127.0.0.1:/other");
        } finally {
            volumes.close();
        }
    }

    /** The node may have to recover first. */
    private static void awaitReason(VolumeManager volumes, String reason) {
        long limit = System.nanoTime() + SOON.toNanos();
        String told = "";
        while (!told.contains(reason) && System.nanoTime() - limit < 0) {
            told = String.valueOf(catchThrowable(() -> volumes.awaitMounted("job-1", Duration.ofMillis(200))));
        }
        assertThat(told).contains(reason);
    }

    private List<String> nfsMounts() {
        return machine.table().below(root).stream()
                .filter(mount -> mount.fsType().startsWith("nfs"))
                .map(MountEntry::source)
                .toList();
    }

    /** Its host chooses its UID, so that nothing is wrong with the host's store. */
    @Test
    void aJobThatComesBackAfterItsEndCausesNoWarning() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.volume4j.core.objects");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(lines);
        try {
            comesBack(builder());
            comesBack(builder().cluster(InMemoryCluster.create()).directWishes().attachMode(AttachMode.SELF));
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        assertThat(List.copyOf(lines.list)).isEmpty();
    }

    private static void comesBack(VolumeManagerBuilder builder) {
        try (VolumeManager volumes = builder.build()) {
            volumes.start();
            volumes.desiredState().complete();
            for (int life = 0; life < 2; life++) {
                volumes.desiredState().put("job-1", SCRATCH);
                volumes.awaitMounted("job-1", SOON);
                volumes.desiredState().remove("job-1");
                volumes.awaitUnmounted("job-1", SOON);
            }
        }
    }

    @Test
    void readingsAreNumberedAndAnswerByVolumeAndPod() {
        try (VolumeManager volumes = builder().build()) {
            volumes.start();
            volumes.desiredState().complete();
            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder().csi("data", "mem", "vol-1").build());
            volumes.awaitMounted("job-1", SOON);
            volumes.operationExecutor().whenIdle().join();

            ActualStateOfWorld.Reading first = volumes.actualState().read().join();
            assertThat(volumes.actualState().read().join()).isEqualTo(first);
            NodeSnapshot.Actual there = first.mounted().get(0);
            VolumeId id = there.volume();
            assertThat(first.attached()).containsExactly(there);
            assertThat(first.deviceMounted()).containsExactly(there);
            assertThat(first.uncertain()).isEmpty();
            assertThat(there.devicePath()).isNotEmpty();
            assertThat(volumes.actualState().isMounted(id, "job-1").join()).isTrue();
            assertThat(volumes.actualState().isAttached(id).join()).isTrue();
            assertThat(volumes.desiredState().podWants("job-1", id).join()).isTrue();
            assertThat(volumes.desiredState().podWants("job-2", id).join()).isFalse();
            assertThat(volumes.desiredState().volumesInUse().join()).containsExactly(id);
            assertThat(volumes.reconciler().quiescence().join().quiescent()).isTrue();
            assertThat(volumes.reconciler().plan().join()).isEmpty();

            volumes.desiredState().put("job-2", SCRATCH);
            volumes.awaitMounted("job-2", SOON);
            assertThat(volumes.actualState().read().join().revision()).isGreaterThan(first.revision());
        }
    }

    @Test
    void operationsUnderWayAreShownAndAwaited() {
        plugin.faults().add(Fault.on("attach").as(FaultKind.HANG));
        try (VolumeManager volumes =
                builder().operationLimits(new OperationLimits(8, 8, 16)).build()) {
            volumes.start();
            volumes.desiredState().complete();
            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder().csi("data", "mem", "vol-1").build());
            while (storage.blockingGate().hanging().isEmpty()) {
                Thread.onSpinWait();
            }

            List<PendingOperation<VolumeId>> pending =
                    volumes.operationExecutor().pending().join();
            assertThat(pending).singleElement().satisfies(operation -> {
                assertThat(operation.step()).isEqualTo("ATTACH");
                assertThat(operation.attempt()).isEqualTo(1);
                assertThat(operation.state()).isEqualTo(PendingOperation.State.RUNNING);
                assertThat(operation.deadline()).isAfter(operation.since());
            });
            assertThat(volumes.reconciler().quiescence().join().reasons())
                    .anySatisfy(reason -> assertThat(reason).contains("ATTACH", "RUNNING"));
            var idle = volumes.operationExecutor().whenIdle();
            assertThat(idle).isNotDone();

            storage.blockingGate().releaseAll();
            volumes.awaitMounted("job-1", SOON);
            assertThat(idle.join()).isTrue();
            assertThat(volumes.operationExecutor().limits().running()).isEqualTo(8);
        }
    }

    @Test
    void aVolumeThatWaitsForItsNextTryIsLookedAtWhenTheHostSaysSo() {
        plugin.faults().add(Fault.on("attach").as(FaultKind.TRANSIENT));
        Duration never = Duration.ofDays(1);
        try (VolumeManager volumes =
                builder().backoff(new RetryBackoff(never, never, never)).build()) {
            CompletableFuture<VolumeId> failed = new CompletableFuture<>();
            volumes.listen(step -> {
                if (step.failure() != null) {
                    failed.complete(step.volume());
                }
            });
            volumes.start();
            volumes.desiredState().complete();
            volumes.desiredState()
                    .put(
                            "job-1",
                            PodVolumes.builder().csi("data", "mem", "vol-1").build());
            VolumeId id = failed.join();
            assertThat(volumes.desiredState().volumesToMount().join())
                    .singleElement()
                    .satisfies(volume -> assertThat(volume.volume()).isEqualTo(id));
            assertThat(volumes.actualState().read().join().mounted()).isEmpty();

            assertThat(volumes.reconciler().reconcile(id).join()).isTrue();
            volumes.awaitMounted("job-1", SOON);
        }
    }

    /** {@code 1.data} of {@code job} and {@code data} of {@code job.1}: both have the same letters in the same order. */
    @Test
    void jobsWhoseNamesRunTogetherGetTheirOwnVolumes() {
        machine.export("nfs", "127.0.0.1:/of-job");
        machine.export("nfs", "127.0.0.1:/of-job-1");
        try (VolumeManager volumes = builder().build()) {
            volumes.start();
            volumes.desiredState()
                    .put(
                            "job",
                            PodVolumes.builder()
                                    .nfs("1.data", "127.0.0.1", "/of-job")
                                    .build());
            volumes.desiredState()
                    .put(
                            "job.1",
                            PodVolumes.builder()
                                    .nfs("data", "127.0.0.1", "/of-job-1")
                                    .build());
            volumes.desiredState().complete();

            assertThat(source(volumes.awaitMounted("job", SOON), "1.data")).isEqualTo("127.0.0.1:/of-job");
            assertThat(source(volumes.awaitMounted("job.1", SOON), "data")).isEqualTo("127.0.0.1:/of-job-1");

            volumes.desiredState().remove("job.1");
            volumes.awaitUnmounted("job.1", SOON);
            assertThat(source(volumes.awaitMounted("job", SOON), "1.data")).isEqualTo("127.0.0.1:/of-job");
        }
    }

    private String source(MountedPod job, String volume) {
        return machine.table()
                .at(job.volumes().get(volume).path())
                .orElseThrow()
                .source();
    }

    @Test
    void aWishThatIsRefusedIsRefusedEachTime() {
        PodVolumes broken = new PodVolumes(Collections.singletonMap("v", null), null);
        try (VolumeManager volumes = builder().build()) {
            DesiredStateOfWorld wishes = volumes.desiredState();

            assertThatThrownBy(() -> wishes.put("job-1", broken)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> wishes.put("job-1", broken)).isInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void aDirectoryInMemoryHasALimit() {
        PodVolumes.Builder wish = PodVolumes.builder();

        assertThatThrownBy(() -> wish.memory("scratch", 16 << 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("volume scratch")
                .hasMessageContaining("16L << 30");
        assertThatThrownBy(() -> wish.memory("scratch", 2 << 30)).hasMessageContaining("not -2147483648");
    }

    @Test
    void aJobThatTheHostDidNotNameIsNotSaidToBeMissingInACluster() {
        try (VolumeManager volumes = builder().build()) {
            volumes.start();
            volumes.desiredState().put("job-1", SCRATCH);
            volumes.desiredState().complete();
            volumes.awaitMounted("job-1", SOON);

            assertThat(volumes.explainPod("job-l").join().text())
                    .contains("node n1 has no such pod in the host's direct wishes, where it has 1 pod(s)");
        }
    }

    @Test
    void whatIsMissingInAWishIsNamed() {
        PodVolumes.Builder wish = PodVolumes.builder();
        try (VolumeManager volumes = builder().build()) {
            assertThatThrownBy(() -> volumes.desiredState().put("job-1", null)).hasMessageContaining("job-1 are null");
            assertThatThrownBy(() -> volumes.desiredState().put(null, SCRATCH)).hasMessageContaining("podUid is null");
        }
        assertThatThrownBy(() -> wish.volume("v", (VolumeSource) null)).hasMessageContaining("source is null");
    }

    @Test
    void aWishWithoutItsDoorIsRefusedWithTheCure() {
        try (VolumeManager volumes = builder().cluster(InMemoryCluster.create()).build()) {
            assertThatThrownBy(() -> volumes.desiredState().put("job-1", SCRATCH))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("directWishes()");
        }
    }

    @Test
    void namesThatCannotBeUsedAreRefusedAtOnce() {
        PodVolumes.Builder wish = PodVolumes.builder();
        try (VolumeManager volumes = builder().build()) {
            assertThatThrownBy(() -> volumes.desiredState().put("../up", SCRATCH))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("../up");
        }
        assertThatThrownBy(() -> wish.emptyDir("a/b")).hasMessageContaining("a/b");
        assertThatThrownBy(() -> wish.volume("v", new ClaimSource("c", false))).hasMessageContaining("ClusterSource");
    }
}
