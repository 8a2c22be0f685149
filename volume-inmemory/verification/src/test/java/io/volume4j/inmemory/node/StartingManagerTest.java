package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.DesiredStateOfWorld;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.mount.MountBackend;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However start and close of a manager meet, it holds nothing afterwards, and the next one for the root can start. */
@Timeout(120)
class StartingManagerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();

    /** The journal and its lock are real files there; everything else below it is the machine's. */
    @TempDir
    Path root;

    @BeforeEach
    void makeRoot() {
        machine.files().createRoot(root);
    }

    private VolumeManager manager() {
        return manager(machine).build();
    }

    private VolumeManagerBuilder manager(MountBackend backend) {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(backend)
                        .build())
                .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
                .build();
        return VolumeManager.builder()
                .cluster(InMemoryCluster.create())
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .closeTimeout(Duration.ofMinutes(1));
    }

    @Test
    void oneThatRunsContinuesToRunThoughItIsAskedToRunOnce() {
        try (VolumeManager manager = manager()) {
            manager.start();

            assertThatThrownBy(() -> manager.runOnce(SOON))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was started before");

            assertThat(manager.snapshot()).succeedsWithin(SOON);
        }
    }

    /** A stuck call hurts its own volume, at worst its own plugin, and so does a stuck program of an earlier run. */
    @Test
    void aProgramThatCannotBeEndedDelaysOnlyVolumesOfPluginsThatRunPrograms() {
        AtomicBoolean running = new AtomicBoolean(true);
        List<String> attempts = new CopyOnWriteArrayList<>();
        MountBackend stuck = beforeLeftoversEnd(prefix -> {
            attempts.add(prefix);
            if (running.get()) {
                throw VolumeException.transientFailure("process 4711 still runs");
            }
        });
        InMemoryStorage storage = InMemoryStorage.create();
        storage.add("vol-1", 1 << 30);
        InMemoryPlugin runsPrograms = InMemoryPlugin.on(storage);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(stuck)
                        .build())
                .plugins(List.of(runsPrograms, new EmptyDirPlugin()))
                .build();
        try (VolumeManager manager = VolumeManager.builder()
                .plugins(plugins)
                .backoff(new RetryBackoff(Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(20)))
                .build()) {
            DesiredStateOfWorld jobs = manager.desiredState();
            jobs.put("waits", PodVolumes.builder().csi("data", "mem", "vol-1").build());
            jobs.put("runs", PodVolumes.builder().emptyDir("scratch").build());
            jobs.complete();
            manager.start();

            assertThat(manager.awaitMounted("runs", SOON).volumes()).containsOnlyKeys("scratch");
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(manager.explainPod("waits").join().toString())
                                    .contains("process 4711 still runs"));
            assertThat(storage.callTexts()).noneMatch(call -> call.contains("vol-1"));

            running.set(false);
            assertThat(manager.awaitMounted("waits", SOON).volumes()).containsOnlyKeys("data");
            int sinceEnded = attempts.size();
            jobs.put("later", PodVolumes.builder().csi("data", "mem", "vol-1").build());
            manager.awaitMounted("later", SOON);
            assertThat(attempts)
                    .as("the programs of this run have the same prefix")
                    .hasSize(sinceEnded);
        }
    }

    /** The machine, telling whose tools were ended. */
    private MountBackend telling(List<String> ended) {
        return beforeLeftoversEnd(ended::add);
    }

    /** The machine; the action gets the first argument of each call of {@code endLeftovers}, before the call. */
    private MountBackend beforeLeftoversEnd(Consumer<String> action) {
        return (MountBackend) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MountBackend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("endLeftovers")) {
                        action.accept(String.valueOf(arguments[0]));
                    }
                    try {
                        return method.invoke(machine, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private void theNextOneStarts() {
        try (VolumeManager next = manager()) {
            next.start();
            assertThat(next.present().join()).isEmpty();
        }
    }

    /** Unknown is not empty: a host would take the machine for free. */
    @Test
    void aManagerThatNeverRanAnswersNoQuestionAboutWhatIsMounted() {
        try (VolumeManager manager = manager()) {
            everyQuestionFails(manager, "was not started", "start() has returned");
        }
    }

    @Test
    void aManagerWhoseStartFailedSaysWhyUntilItHasStarted() throws IOException {
        theNextOneStarts();
        Path journal;
        try (var files = Files.walk(root)) {
            journal = files.filter(file -> file.getFileName().toString().endsWith(".v4j")
                            || file.getFileName().toString().startsWith("journal"))
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(journal);
        Files.write(journal, new byte[0]);
        try (VolumeManager manager = manager()) {
            List<List<VolumeId>> heard = new CopyOnWriteArrayList<>();
            manager.listenVolumesInUse(heard::add);
            assertThatThrownBy(manager::start).isInstanceOf(VolumeException.class);
            everyQuestionFails(manager, "could not start", "call start() again");
            assertThat(heard).isEmpty();

            Files.write(journal, whole);
            manager.start();
            assertThat(manager.present().join()).isEmpty();
            assertThat(manager.whenEmpty().join()).isTrue();
            assertThat(manager.whenUnmounted("p1").join()).isEqualTo("p1");
            assertThat(heard).containsExactly(List.of());
        }
    }

    private static void everyQuestionFails(VolumeManager manager, String why, String advice) {
        VolumeId volume = VolumeId.shared("mem", "v1");
        List<CompletableFuture<?>> questions = List.of(
                manager.whenEmpty(),
                manager.whenUnmounted("p1"),
                manager.present(),
                manager.mountedVolumes("p1"),
                manager.isAttached(volume),
                manager.actualState().isMounted(volume, "p1"),
                manager.actualState().read(),
                manager.desiredState().volumesToMount(),
                manager.volumesInUse(),
                manager.snapshot(),
                manager.plan(),
                manager.stats("p1"),
                manager.supplementalGroups("p1"),
                manager.timeline(volume),
                manager.explainVolume(volume));
        for (CompletableFuture<?> question : questions) {
            assertThatThrownBy(() -> question.get(1, TimeUnit.MINUTES))
                    .cause()
                    .isInstanceOfSatisfying(VolumeException.class, failure -> {
                        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
                        assertThat(failure).hasMessageContaining(why);
                        assertThat(failure.advice()).contains(advice);
                    });
        }
        assertThat(manager.statesSynced().join()).isFalse();
        assertThat(manager.explainPod("p1").join().toString()).contains(why);
        assertThat(manager.whenMounted("p1")).as("waits for the start").isNotDone();
    }

    @Test
    void aClosedManagerDoesNotStart() {
        VolumeManager manager = manager();
        manager.close();

        assertThatThrownBy(manager::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
        theNextOneStarts();
    }

    @Test
    void aManagerThatWasClosedAfterItHadStartedDoesNotStartAgain() {
        VolumeManager manager = manager();
        manager.start();
        manager.close();

        assertThatThrownBy(manager::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
        theNextOneStarts();
    }

    @Test
    void aManagerThatStartsAgainWhileItRunsIsRefusedAndGoesOn() {
        try (VolumeManager manager = manager()) {
            manager.start();

            assertThatThrownBy(manager::start).isInstanceOf(IllegalStateException.class);
            assertThat(manager.present().join()).isEmpty();
        }
        theNextOneStarts();
    }

    @Test
    void closingOneThatIsLookingAtTheMachineEndsTheStartAndLetsGoOfTheRoot() throws Exception {
        VolumeManager manager = manager();
        machine.faults().add(Fault.on("table").as(FaultKind.HANG));
        CompletableFuture<Void> starting = new CompletableFuture<>();
        Thread starter = new Thread(() -> {
            try {
                manager.start();
                starting.complete(null);
            } catch (RuntimeException failure) {
                starting.completeExceptionally(failure);
            }
        });
        starter.start();
        while (machine.blockingGate().hanging().isEmpty()) {
            Thread.onSpinWait();
        }

        manager.close();
        machine.blockingGate().releaseAll();

        assertThatThrownBy(() -> starting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("was closed");
        starter.join();
        theNextOneStarts();
    }

    @Test
    void oneThatIsRefusedForAnotherThatRunsLeavesItsToolsAlone() {
        List<String> ended = new ArrayList<>();
        try (VolumeManager running = manager(telling(ended)).build()) {
            running.start();
            assertThat(ended).as("what an earlier process left").hasSize(1);

            try (VolumeManager second = manager(telling(ended)).build()) {
                assertThatThrownBy(second::start)
                        .isInstanceOf(VolumeException.class)
                        .hasMessageContaining("root");
            }
            assertThat(ended).as("what the first one runs").hasSize(1);
        }
    }

    @Test
    void aDryRunEndsNothing() {
        List<String> ended = new ArrayList<>();
        try (VolumeManager dry = manager(telling(ended)).dryRun().build()) {
            dry.start();
            assertThat(dry.plan().join()).isEmpty();
        }
        assertThat(ended).isEmpty();
    }

    @Test
    void oneThatItsOwnListenerClosesLetsGoOfTheRoot() throws Exception {
        VolumeManager manager = manager();
        manager.start();
        CompletableFuture<List<String>> left = new CompletableFuture<>();
        manager.listenVolumesInUse(volumes -> left.complete(manager.closeReportingLeft()));

        assertThat(left.get(50, TimeUnit.SECONDS)).isEmpty();
        theNextOneStarts();
    }

    @Test
    void oneWhoseListenerHangsLetsGoOfTheRootWhenThatEnds() throws Exception {
        VolumeManager manager =
                manager(machine).closeTimeout(Duration.ofMillis(50)).build();
        manager.start();
        CountDownLatch hangs = new CountDownLatch(1);
        CompletableFuture<Thread> hanging = new CompletableFuture<>();
        manager.listenVolumesInUse(volumes -> {
            hanging.complete(Thread.currentThread());
            awaitUninterruptibly(hangs);
        });
        hanging.get(1, TimeUnit.MINUTES);

        assertThat(manager.closeReportingLeft()).containsExactly("closing the journal");
        assertThat(manager.present()).isCompletedExceptionally();

        hangs.countDown();
        boolean started = false;
        while (!started) {
            try (VolumeManager next = manager()) {
                next.start();
                started = true;
            } catch (VolumeException notYet) {
                assertThat(notYet).hasMessageContaining("root");
            }
        }
    }

    @Test
    void oneWhoseWatchesCannotBeEndedLetsGoOfTheRoot() throws Exception {
        InMemoryCluster cluster = InMemoryCluster.create();
        ClusterSource source = endingWatchesBy(cluster, () -> {
            throw new IllegalStateException("the client was closed before");
        });
        VolumeManager manager = manager(machine).cluster(source).build();
        manager.start();
        while (cluster.watches().isEmpty()) {
            Thread.onSpinWait();
        }
        manager.present().get(1, TimeUnit.MINUTES);

        assertThat(manager.closeReportingLeft()).isEmpty();
        theNextOneStarts();
    }

    @Test
    void oneWhoseWatchesDoNotEndLetsGoOfTheRoot() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        ClusterSource source = endingWatchesBy(InMemoryCluster.create(), () -> awaitUninterruptibly(hangs));
        VolumeManager manager = manager(machine)
                .cluster(source)
                .closeTimeout(Duration.ofSeconds(6))
                .build();
        manager.start();
        while (!manager.statesSynced().get(1, TimeUnit.MINUTES)) {
            Thread.onSpinWait();
        }
        try {
            assertThat(manager.closeReportingLeft()).containsExactly("closing the watches of the cluster source");
            theNextOneStarts();
        } finally {
            hangs.countDown();
        }
    }

    private static ClusterSource endingWatchesBy(ClusterSource cluster, ClusterSource.Watch end) {
        return (ClusterSource) Proxy.newProxyInstance(
                StartingManagerTest.class.getClassLoader(),
                new Class<?>[] {ClusterSource.class},
                (proxy, method, arguments) -> {
                    Object result = method.invoke(cluster, arguments);
                    return method.getName().equals("watch") ? end : result;
                });
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException interrupted) {
                // The close interrupts the loop's thread: without this the wait would end, or not, by chance.
            }
        }
    }

    @Test
    void aStartThatFailedLetsGoOfTheRoot() {
        VolumeManager manager = manager();
        machine.faults().add(Fault.on("table").as(FaultKind.FINAL));

        assertThatThrownBy(manager::start).isInstanceOf(VolumeException.class);
        theNextOneStarts();
        manager.close();
    }

    @Test
    void aManagerWhoseHostFailsWhileItIsBuiltLeavesNoThread() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        PluginRegistry plugins = PluginRegistry.builder(BrokenPluginHost.of(
                        DefaultPluginHost.builder(root)
                                .nodeName("n1")
                                .mounts(machine)
                                .build(),
                        () -> !threadsSince(before).isEmpty()))
                .build();

        assertThatThrownBy(() -> VolumeManager.builder()
                        .cluster(InMemoryCluster.create())
                        .plugins(plugins)
                        .build())
                .hasMessage("the host is broken");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(threadsSince(before)).isEmpty());
    }

    private static List<String> threadsSince(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("volume-"))
                .toList();
    }
}
