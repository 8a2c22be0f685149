package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.VolumeUsage;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plugin that never answers how full a volume is, not even when it is asked to end, hurts nothing but the answer. */
@Timeout(300)
class HungUsageTest {
    private static final Path ROOT = Path.of("/volumes");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private @Nullable VolumeManager manager;

    @AfterEach
    void endAll() {
        end.countDown();
        if (manager != null) {
            manager.close();
        }
    }

    @Test
    void keepsNeitherOtherVolumesNorTheirFiguresWaiting() throws Exception {
        start(Duration.ofHours(1));
        mounted("stuck");
        CompletableFuture<List<VolumeUsage>> stuck = running().stats("stuck");
        asked.await();

        mounted("well");
        assertThat(running().stats("well").get(60, TimeUnit.SECONDS))
                .singleElement()
                .satisfies(usage -> assertThat(usage.figures()).isNotNull());
        cluster.remove(ObjectKey.pod("default", "well"));
        running().awaitUnmounted("well", PATIENCE);
        assertThat(stuck).isNotDone();
    }

    @Test
    void keepsItsOwnVolumeNotFromBeingUnmounted() throws Exception {
        start(Duration.ofHours(1));
        mounted("stuck");
        CompletableFuture<List<VolumeUsage>> stuck = running().stats("stuck");
        asked.await();

        cluster.remove(ObjectKey.pod("default", "stuck"));
        running().awaitUnmounted("stuck", PATIENCE);

        assertThat(failure(stuck.get(60, TimeUnit.SECONDS))).contains("taken down meanwhile");
    }

    @Test
    void aPluginThatFailsIsAFailureOfItsVolume() throws Exception {
        start(Duration.ofHours(1));
        mounted("broken");

        assertThat(failure(running().stats("broken").get(60, TimeUnit.SECONDS)))
                .contains("its plugin failed on it", "not today");
    }

    @Test
    void answersForItAtTheDeadlineAndDoesNotAskAgainBeforeItReturns() throws Exception {
        start(Duration.ofSeconds(2));
        mounted("stuck");

        assertThat(failure(running().stats("stuck").get(60, TimeUnit.SECONDS)))
                .contains("did not answer within 2000 ms");
        assertThat(failure(running().stats("stuck").get(60, TimeUnit.SECONDS))).contains("has not answered yet");
    }

    @Test
    void closesInBoundedTimeAndAnswersAllCallers() throws Exception {
        start(Duration.ofHours(1));
        mounted("stuck");
        CompletableFuture<List<VolumeUsage>> stuck = running().stats("stuck");
        asked.await();

        List<String> left = running().closeReportingLeft();

        assertThat(left).singleElement().asString().contains("example.com/slow stats");
        assertThat(failure(stuck.get(60, TimeUnit.SECONDS))).contains("was closed");
        assertThatThrownBy(() -> running().stats("stuck").get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(VolumeException.class)
                .hasMessageContaining("was closed");
    }

    private void start(Duration deadline) {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(ROOT);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(new SlowPlugin()))
                .build();
        manager = VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .journalInMemory()
                .statsDeadline(deadline)
                .closeTimeout(PATIENCE)
                .build();
        running().start();
    }

    private VolumeManager running() {
        return Objects.requireNonNull(manager);
    }

    private void mounted(String name) {
        Container container = new Container(
                "app",
                List.of(new Container.VolumeMount(name, "/v", "", false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
        cluster.apply(new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec(
                        "n1",
                        List.of(new PodVolume(name, new OtherSource("slow", Map.of()))),
                        List.of(),
                        List.of(container),
                        Pod.SecurityContext.none(),
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
        running().awaitMounted(name, PATIENCE);
    }

    private static String failure(List<VolumeUsage> usage) {
        return Objects.requireNonNull(usage.get(0).failure()).text();
    }

    /** Answers for every volume but one. */
    private final class SlowPlugin implements VolumePlugin {
        @Override
        public String name() {
            return "example.com/slow";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof OtherSource other && other.type().equals("slow");
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
        public int maxConcurrentCalls() {
            return 2;
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((Mounter.MountRequest request, CallContext context) -> Mounter.MountResult.mounted());
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((Unmounter.UnmountRequest request, CallContext context) -> {});
        }

        @Override
        public Optional<StatsReporter> stats(VolumeSpec spec) {
            if (spec.name().equals("broken")) {
                throw new IllegalStateException("not today");
            }
            return Optional.of((StatsReporter.StatsRequest request, CallContext context) -> {
                if (spec.name().equals("stuck")) {
                    asked.countDown();
                    awaitWhateverHappens(end);
                }
                return new StatsReporter.Stats(2, 1, 1, -1, -1, -1);
            });
        }
    }

    private static void awaitWhateverHappens(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
