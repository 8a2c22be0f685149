package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.PersistentVolumeControllerBuilder;
import io.volume4j.core.control.PlannedStep;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The controller as a host uses it, on threads of its own. */
class PersistentVolumeControllerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final PluginRegistry plugins = PluginRegistry.builder(
                    InMemoryPluginHost.named("").build())
            .plugin(InMemoryPlugin.on(storage))
            .build();
    private final PersistentVolumeController controller = PersistentVolumeController.builder()
            .cluster(cluster, cluster)
            .plugins(plugins)
            .pluginDeadline(Duration.ofMinutes(10))
            .closeTimeout(SOON)
            .build();

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void completesTheFutureOfAClaimThatComesLater() throws Exception {
        controller.start();
        CompletableFuture<PersistentVolume> bound = controller.whenBound(key("c"));
        cluster.apply(volume("v").made());
        cluster.apply(claim("c").made());

        assertThat(bound.get(60, TimeUnit.SECONDS).metadata().name()).isEqualTo("v");
        assertThat(controller.awaitBound(key("c"), SOON).metadata().name()).isEqualTo("v");
    }

    @Test
    void makesAndDeletesVolumes() {
        cluster.apply(Classes.storageClass("fast", "mem"));
        cluster.apply(claim("c").ofClass("fast").made());
        controller.start();

        PersistentVolume volume = controller.awaitBound(key("c"), SOON);
        cluster.remove(key("c"));

        Awaitility.await().atMost(SOON).until(() -> cluster.get(volume.key()).isEmpty());
        assertThat(storage.volumes()).isEmpty();
    }

    @Test
    void completesTheFutureOfWhatIsGone() throws Exception {
        cluster.apply(Classes.storageClass("fast", "mem"));
        cluster.apply(claim("c").ofClass("fast").made());
        CompletableFuture<ObjectKey> never = controller.whenGone(key("never"));
        assertThat(never)
                .as("before the cluster was listed nothing is known to be gone")
                .isNotDone();
        controller.start();
        PersistentVolume volume = controller.awaitBound(key("c"), SOON);
        CompletableFuture<ObjectKey> claim = controller.whenGone(key("c"));
        CompletableFuture<ObjectKey> storage = controller.whenGone(volume.key());
        assertThat(claim).isNotDone();
        assertThat(storage).isNotDone();

        cluster.remove(key("c"));

        assertThat(claim.get(60, TimeUnit.SECONDS)).isEqualTo(key("c"));
        assertThat(storage.get(60, TimeUnit.SECONDS)).isEqualTo(volume.key());
        assertThat(never.get(60, TimeUnit.SECONDS)).isEqualTo(key("never"));
        assertThatThrownBy(() -> controller.whenGone(ObjectKey.node("n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither a claim nor a volume");
    }

    @Test
    void refusesAWaitForWhatIsGoneWhenItCloses() {
        cluster.apply(claim("c").made());
        controller.start();
        CompletableFuture<ObjectKey> gone = controller.whenGone(key("c"));

        controller.close();

        assertThat(gone).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(VolumeException.class);
    }

    @Test
    void saysWhyAClaimIsNotBoundInTime() {
        cluster.apply(claim("c").ofClass("example-nfs").made());
        controller.start();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> controller.explain(key("c")).join().text().contains("example-nfs"));

        assertThatThrownBy(() -> controller.awaitBound(key("c"), Duration.ofMillis(300)))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("PersistentVolumeClaim/ns/c not bound within 300 ms")
                .hasMessageContaining("storage class \"example-nfs\" does not exist");
    }

    @Test
    void plansWithoutDoing() throws Exception {
        cluster.apply(Classes.storageClass("fast", "mem"));
        controller.start();
        storage.faults().add(Fault.on("provision").always().saying("not today"));
        cluster.apply(claim("c").ofClass("fast").made());
        Awaitility.await().atMost(SOON).until(() -> !storage.calls().isEmpty());

        Awaitility.await()
                .atMost(SOON)
                .until(() -> controller
                        .explain(key("c"))
                        .get(60, TimeUnit.SECONDS)
                        .text()
                        .contains("not today"));

        List<PlannedStep> plan = controller.plan().get(60, TimeUnit.SECONDS);

        assertThat(plan).contains(new PlannedStep(key("c"), "PROVISION", "provision volume pvc-uid-c with mem"));
    }

    /** A call is noted before it hangs, and the gate lets only those go on that hang. */
    private void awaitHanging(int calls) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> storage.blockingGate().hanging().size() == calls);
    }

    @Test
    void slowProvisioningOfOneClassDelaysNoOtherClaim() {
        cluster.apply(Classes.storageClass("fast", "mem"));
        storage.faults().add(Fault.on("provision").as(FaultKind.HANG).times(10));
        for (int i = 0; i < 10; i++) {
            cluster.apply(claim("slow" + i).ofClass("fast").made());
        }
        controller.start();
        awaitHanging(10);
        cluster.apply(volume("v").made());
        cluster.apply(claim("c").made());
        cluster.apply(claim("d").ofClass("fast").made());

        assertThat(controller.awaitBound(key("c"), SOON).metadata().name()).isEqualTo("v");
        assertThat(controller.awaitBound(key("d"), SOON).metadata().name()).isEqualTo("pvc-uid-d");
        storage.blockingGate().releaseAll();
        assertThat(controller.awaitBound(key("slow9"), SOON).metadata().name()).isEqualTo("pvc-uid-slow9");
    }

    @Test
    void callsOfAClassKeepToItsLimitWhileOthersGoOn() {
        cluster.apply(Classes.storageClass("fast", "mem"));
        cluster.apply(Classes.storageClass("other", "mem"));
        storage.faults().add(Fault.on("provision").as(FaultKind.HANG).times(7));
        for (int i = 0; i < 5; i++) {
            cluster.apply(claim("fast" + i).ofClass("fast").made());
            cluster.apply(claim("other" + i).ofClass("other").made());
        }
        try (PersistentVolumeController limited = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .classLimit("fast", 2)
                .build()) {
            limited.start();

            awaitHanging(7);
            assertThat(storage.calls())
                    .filteredOn(call -> call.text().contains("uid-fast"))
                    .as("five of the other class and two of the limited one")
                    .hasSize(2);
            storage.blockingGate().releaseAll();
            for (int i = 0; i < 5; i++) {
                limited.awaitBound(key("fast" + i), SOON);
                limited.awaitBound(key("other" + i), SOON);
            }
        }
    }

    @Test
    void theCallsOfAllClassesTogetherKeepToTheLimitOfTheirPlugin() throws Exception {
        InMemoryPlugin narrow = InMemoryPlugin.builder(storage)
                .name("narrow")
                .driver("mem")
                .maxConcurrentCalls(3)
                .build();
        for (int i = 0; i < 4; i++) {
            cluster.apply(Classes.storageClass("limited" + i, "narrow"));
            cluster.apply(claim("c" + i).ofClass("limited" + i).made());
            cluster.apply(claim("d" + i).ofClass("limited" + i).made());
        }
        storage.faults().add(Fault.on("provision").as(FaultKind.HANG).times(3));
        PersistentVolumeControllerBuilder builder = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(PluginRegistry.builder(InMemoryPluginHost.named("").build())
                        .plugin(narrow)
                        .build());
        for (int i = 0; i < 4; i++) {
            builder.classLimit("limited" + i, 2);
        }
        try (PersistentVolumeController limited = builder.build()) {
            limited.start();

            awaitHanging(3);
            limited.explain(key("c0")).get(60, TimeUnit.SECONDS);
            assertThat(storage.calls())
                    .as("two of one class and one of another")
                    .hasSize(3);
            storage.blockingGate().releaseAll();
            for (int i = 0; i < 4; i++) {
                limited.awaitBound(key("c" + i), SOON);
                limited.awaitBound(key("d" + i), SOON);
            }
        }
    }

    @Test
    void closesInTimeWhateverAPluginDoesAndSaysWhatItLeft() {
        cluster.apply(Classes.storageClass("fast", "mem"));
        storage.faults().add(Fault.on("provision").as(FaultKind.HANG));
        cluster.apply(claim("c").ofClass("fast").made());
        controller.start();
        CompletableFuture<PersistentVolume> bound = controller.whenBound(key("c"));
        Awaitility.await().atMost(SOON).until(() -> !storage.calls().isEmpty());

        List<String> left = controller.closeReportingLeft();

        assertThat(left).hasSize(1).first().asString().contains("mem");
        Awaitility.await().atMost(SOON).until(bound::isDone);
        assertThatThrownBy(bound::join)
                .hasRootCauseInstanceOf(VolumeException.class)
                .hasMessageContaining("was closed");
    }

    @Test
    void knowsNothingOfAnObjectThatDoesNotExist() throws Exception {
        controller.start();
        cluster.apply(volume("v").made());
        cluster.apply(claim("c").made());
        controller.awaitBound(key("c"), SOON);

        assertThat(controller
                        .explain(ObjectKey.volume("other"))
                        .get(60, TimeUnit.SECONDS)
                        .known())
                .isFalse();
    }
}
