package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.CallContext;
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
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behind calls that hang, others wait for their turn: those of a pod that goes meanwhile are never made. */
@Timeout(300)
class WithdrawnCallsTest {
    private static final Path ROOT = Path.of("/volumes");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<VolumeTransition> transitions = new CopyOnWriteArrayList<>();
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final VolumeManager manager = manager();

    @AfterEach
    void endAll() {
        end.countDown();
        manager.close();
    }

    @Test
    void aPodThatGoesWhileItsMountWaitsIsGoneAtOnceAndNotMountedLater() throws Exception {
        manager.start();
        pod("stuck");
        hangs.await();
        pod("waiting");
        while (!manager.explainPod("default", "waiting").join().text().contains("queued")) {
            Thread.onSpinWait();
        }

        cluster.remove(ObjectKey.pod("default", "waiting"));
        manager.awaitUnmounted("waiting", PATIENCE);

        assertThat(end.getCount()).as("the other call hangs").isOne();
        assertThat(manager.present().join()).noneMatch(id -> id.podUid().equals("waiting"));
        pod("next");
        end.countDown();
        manager.awaitMounted("next", PATIENCE);
        manager.awaitMounted("stuck", PATIENCE);
        assertThat(calls).containsExactly("mount stuck", "mount next");
        assertThat(transitions)
                .filteredOn(each -> each.podUid().equals("waiting") && each.ended())
                .singleElement()
                .satisfies(each -> assertThat(String.valueOf(each.failure())).contains("withdrawn"));
    }

    private VolumeManager manager() {
        machine.files().createRoot(ROOT);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(new OneAtATime()))
                .build();
        return VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .journalInMemory()
                .mountDeadline(Duration.ofHours(1))
                .listener(transitions::add)
                .build();
    }

    private void pod(String name) {
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
    }

    /** Mounts one volume at a time; one of them for as long as the test wants. */
    private final class OneAtATime implements VolumePlugin {
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
            return 1;
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((Mounter.MountRequest request, CallContext context) -> {
                calls.add("mount " + spec.name());
                if (spec.name().equals("stuck")) {
                    hangs.countDown();
                    awaitWhateverHappens(end);
                }
                return Mounter.MountResult.mounted();
            });
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((Unmounter.UnmountRequest request, CallContext context) ->
                    calls.add("unmount " + request.outerName()));
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
