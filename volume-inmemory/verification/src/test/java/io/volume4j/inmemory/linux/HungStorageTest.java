package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Storage that never answers hurts its own volume and no other; on the real kernel. */
@ExtendWith(RealKernel.class)
class HungStorageTest {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    Path directory = Path.of("/");

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final MountBackend machine = LinuxMountBackend.create();
    private final List<MuteFuse> servers = new ArrayList<>();
    private final CountDownLatch lookedAndHung = new CountDownLatch(1);
    private @Nullable VolumeManager manager;

    @BeforeEach
    void start() {
        assumeTrue(
                Files.exists(Path.of("/dev/fuse")) || "required".equals(System.getProperty("volume4j.privileged")),
                "this kernel or container has no FUSE");
        manager = manager();
        manager.start();
    }

    @AfterEach
    void leaveNothing() {
        if (manager != null) {
            manager.close();
        }
        servers.forEach(MuteFuse::close);
        List<MountEntry> mounts = new ArrayList<>(machine.table().below(directory));
        for (int i = mounts.size() - 1; i >= 0; i--) {
            Path path = mounts.get(i).mountPoint();
            machine.unmount(new RootedPath(directory, directory.relativize(path)), UnmountMode.LAZY);
        }
    }

    @Test
    void blocksOnlyItsOwnVolume() throws Exception {
        pod("hung", new PodVolume("v", new OtherSource("mute", Map.of("looks", "true"))));
        CompletableFuture<MountedPod> hung = running().whenMounted("hung");
        assertThat(lookedAndHung.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

        for (int i = 0; i < 5; i++) {
            String name = "well-" + i;
            pod(name, new PodVolume("v", new EmptyDirSource("", null)));
            assertThat(running()
                            .awaitMounted(name, Duration.ofSeconds(PATIENCE_SECONDS))
                            .volumes())
                    .hasSize(1);
            cluster.remove(ObjectKey.pod("default", name));
            running().awaitUnmounted(name, Duration.ofSeconds(PATIENCE_SECONDS));
        }

        assertThat(hung).isNotDone();
        assertThat(running()
                        .explainPod("hung")
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .text())
                .contains("mount volume v for pod default/hung: running");
    }

    @Test
    void closesInBoundedTimeAndSaysWhatItLeft() throws Exception {
        pod("hung", new PodVolume("v", new OtherSource("mute", Map.of("looks", "true"))));
        assertThat(lookedAndHung.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        VolumeManager closing = running();

        List<String> left =
                CompletableFuture.supplyAsync(closing::closeReportingLeft).get(PATIENCE_SECONDS, TimeUnit.SECONDS);

        assertThat(left).hasSize(1);
        assertThat(left.get(0)).contains("mute");
    }

    /** statvfs(3) of a dead filesystem hangs, and makes it busy. */
    @Test
    void tellsHowFullOtherVolumesAreWhileOneNeverAnswers() throws Exception {
        pod("dead", new PodVolume("v", new OtherSource("mute", Map.of())));
        running().awaitMounted("dead", Duration.ofSeconds(PATIENCE_SECONDS));
        CompletableFuture<List<VolumeUsage>> dead = running().stats("dead");
        assertThat(lookedAndHung.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

        pod("well", new PodVolume("v", new EmptyDirSource("", Quantity.parse("1Ki"))));
        Path files = Objects.requireNonNull(running()
                        .awaitMounted("well", Duration.ofSeconds(PATIENCE_SECONDS))
                        .volumes()
                        .get("v"))
                .path();
        Files.write(files.resolve("f"), new byte[1 << 20]);
        VolumeUsage usage =
                running().stats("well").get(PATIENCE_SECONDS, TimeUnit.SECONDS).get(0);
        StatsReporter.Stats figures = Objects.requireNonNull(usage.figures());
        assertThat(figures.usedInodes()).isEqualTo(2);
        assertThat(usage.sizeLimitBytes()).isEqualTo(1024);
        assertThat(figures.totalBytes()).isPositive();
        assertThat(dead).isNotDone();

        cluster.remove(ObjectKey.pod("default", "dead"));
        running().awaitUnmounted("dead", Duration.ofSeconds(PATIENCE_SECONDS));
        assertThat(Objects.requireNonNull(dead.get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                                .get(0)
                                .failure())
                        .text())
                .contains("taken down meanwhile");
    }

    /** A certain mount that dies later is neither looked at by a restart nor in the way of its own unmounting. */
    @Test
    void startsAgainOverADeadMountAndUnmountsIt() throws Exception {
        pod("dead", new PodVolume("v", new OtherSource("mute", Map.of())));
        running().awaitMounted("dead", Duration.ofSeconds(PATIENCE_SECONDS));
        running().close();

        manager = manager();
        CompletableFuture<Void> started = CompletableFuture.runAsync(running()::start);
        started.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(running()
                        .awaitMounted("dead", Duration.ofSeconds(PATIENCE_SECONDS))
                        .volumes())
                .hasSize(1);
        assertThat(servers).as("mounted once").hasSize(1);

        cluster.remove(ObjectKey.pod("default", "dead"));
        running().awaitUnmounted("dead", Duration.ofSeconds(PATIENCE_SECONDS));
        assertThat(machine.table().below(directory)).isEmpty();
    }

    /** The same without a journal: directories above the mount are read, the mount itself is not. */
    @Test
    void findsADeadMountWithoutTheJournal() throws Exception {
        pod("dead", new PodVolume("v", new OtherSource("mute", Map.of())));
        running().awaitMounted("dead", Duration.ofSeconds(PATIENCE_SECONDS));
        running().close();
        Files.delete(directory.resolve("journal"));
        cluster.remove(ObjectKey.pod("default", "dead"));

        manager = manager();
        CompletableFuture.runAsync(running()::start).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        running().whenEmpty().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(machine.table().below(directory)).isEmpty();
    }

    @Test
    void mountsAFixedSetOfPodsAndReturns() {
        running().close();
        pod("one", new PodVolume("v", new EmptyDirSource("", null)));
        pod("two", new PodVolume("v", new EmptyDirSource("", null)));
        manager = manager();

        assertThat(running().runOnce(Duration.ofSeconds(PATIENCE_SECONDS))).containsOnlyKeys("one", "two");
        assertThat(directory.resolve("pods/one/volumes/kubernetes.io~empty-dir/v"))
                .isDirectory();
    }

    /** What is said of the pods depends on how far they came. */
    @Test
    void tellsWhoWaitedInVainForAFixedSetOfPods() {
        running().close();
        pod("hung", new PodVolume("v", new OtherSource("mute", Map.of("looks", "true"))));
        manager = manager();

        assertThatThrownBy(() -> running().runOnce(Duration.ofSeconds(1)))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("volumes of the node's pods not mounted within 1000 ms");
    }

    private VolumeManager running() {
        return Objects.requireNonNull(manager);
    }

    private VolumeManager manager() {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(directory)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugin(new EmptyDirPlugin())
                .plugin(new MutePlugin())
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .statsDeadline(Duration.ofHours(1))
                .closeTimeout(Duration.ofMinutes(1))
                .listener((VolumeTransition transition) -> {})
                .build();
    }

    private void pod(String name, PodVolume volume) {
        Container container = new Container(
                "app",
                List.of(new Container.VolumeMount(volume.name(), "/v", "", false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
        cluster.apply(new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec("n1", List.of(volume), List.of(), List.of(container), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }

    /** Mounts filesystems that never answer, and, if its volume says so, looks into them and hangs. */
    private final class MutePlugin implements VolumePlugin {
        private @Nullable PluginHost host;

        @Override
        public String name() {
            return "example.com/mute";
        }

        @Override
        public void init(PluginHost newHost) {
            host = newHost;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return isMute(spec.source());
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public boolean shared(VolumeSpec spec) {
            return false;
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((Mounter.MountRequest request, CallContext context) -> {
                kernel().files().createDirectory(request.target(), 0750);
                servers.add(MuteFuse.mount(request.target().absolute()));
                if (((OtherSource) spec.source()).fields().containsKey("looks")) {
                    lookedAndHung.countDown();
                    lookInto(request.target().absolute());
                }
                return Mounter.MountResult.mounted();
            });
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((Unmounter.UnmountRequest request, CallContext context) -> {
                try {
                    kernel().unmount(request.target(), UnmountMode.NORMAL);
                } catch (VolumeException busy) {
                    // Aborts the connection, so that processes that wait for the server give up; fuse(4).
                    kernel().unmount(request.target(), UnmountMode.FORCE);
                }
                kernel().files().removeDirectory(request.target());
            });
        }

        @Override
        public Optional<StatsReporter> stats(VolumeSpec spec) {
            return Optional.of((StatsReporter.StatsRequest request, CallContext context) -> {
                lookedAndHung.countDown();
                return StatsReporter.Stats.of(kernel().usage(request.path()));
            });
        }

        private MountBackend kernel() {
            return Objects.requireNonNull(host).mounts().orElseThrow();
        }
    }

    private static boolean isMute(VolumeSource source) {
        return source instanceof OtherSource other && other.type().equals("mute");
    }

    private static void lookInto(Path path) {
        try {
            Files.readAttributes(path, "unix:*");
        } catch (IOException ended) {
            throw VolumeException.uncertain("the server is gone: " + ended.getMessage());
        }
    }
}
