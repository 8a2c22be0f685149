package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.Classes.storageClass;
import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Nodes.node;
import static io.volume4j.inmemory.control.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** X-x: what a provisioner that runs apart does and leaves to others. */
class ProvisionerTableTest {
    private static final StorageClass FAST = storageClass("fast", "mem");
    private static final StorageClass LATE =
            storageClass("late", "mem", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
    private static final Consumer<ControlBench> APART =
            bench -> bench.features(ControllerFeatures.ofProvisioner("mem"));
    private static final Consumer<ControlBench> STORAGE = APART.andThen(bench -> bench.storage.add("v", 1 << 30));

    static Stream<Row> claims() {
        return Stream.of(
                row("X-1", "makes a volume for a claim that names it, and binds nothing")
                        .given(FAST)
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER).ofClass("fast"))
                        .when(APART)
                        .expect("volume pvc-uid-c Pending c/uid-c bc kept", "claim c Pending - kept")
                        .told("Normal ProvisioningSucceeded")
                        .then(bench -> assertThat(
                                        bench.volume("pvc-uid-c").metadata().annotation(WellKnown.PROVISIONED_BY))
                                .isEqualTo("mem")),
                row("X-2", "reads the beta annotation too")
                        .given(FAST)
                        .given(asking("c", WellKnown.BETA_STORAGE_PROVISIONER).ofClass("fast"))
                        .when(APART)
                        .expect("volume pvc-uid-c Pending c/uid-c bc kept", "claim c Pending - kept")
                        .told("Normal ProvisioningSucceeded"),
                row("X-3", "leaves a claim alone that names no provisioner")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(APART)
                        .expect("claim c Pending -")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-4", "leaves a claim alone that names another provisioner, whatever the beta annotation says")
                        .given(FAST)
                        .given(asking("c", WellKnown.BETA_STORAGE_PROVISIONER)
                                .annotation(WellKnown.STORAGE_PROVISIONER, "example.com/other")
                                .ofClass("fast"))
                        .when(APART)
                        .expect("claim c Pending -")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-5", "leaves a claim alone that names a volume")
                        .given(FAST)
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER)
                                .ofClass("fast")
                                .volumeName("v"))
                        .when(APART)
                        .expect("claim c Pending v")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-6", "leaves a claim alone whose class is not its own")
                        .given(storageClass("fast", "example.com/other"))
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER).ofClass("fast"))
                        .when(APART)
                        .expect("claim c Pending -")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-7", "waits for the node of a claim that waits for its first consumer")
                        .given(LATE)
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER).ofClass("late"))
                        .when(APART)
                        .expect("claim c Pending -")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-8", "makes its volume when the node was chosen")
                        .given(LATE)
                        .given(node("n1", Map.of()))
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER)
                                .ofClass("late")
                                .onNode("n1"))
                        .when(APART)
                        .expect("volume pvc-uid-c Pending c/uid-c bc kept", "claim c Pending - kept")
                        .told("Normal ProvisioningSucceeded"),
                row("X-9", "refuses a device where its plugin makes none")
                        .given(FAST)
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER)
                                .ofClass("fast")
                                .block())
                        .when(APART.andThen(bench -> bench.plugin.set(Capability.BLOCK, false)))
                        .expect("claim c Pending -")
                        .told("Warning ProvisioningFailed"),
                row("X-10", "closes its intent when the claim is bound")
                        .given(FAST)
                        .given(asking("c", WellKnown.STORAGE_PROVISIONER).ofClass("fast"))
                        .when(APART.andThen(bench -> bench.later(() -> {
                            VirtualLoop other = new VirtualLoop();
                            bench.newAgent(other, "binder", ControllerFeatures.ofController(), ControlBench.noPlugins())
                                    .start();
                            other.advance(Duration.ofMinutes(1));
                        })))
                        .expect("volume pvc-uid-c Bound c/uid-c bc kept", "claim c Bound pvc-uid-c bc done")
                        .toldAmongOthers("Normal ProvisioningSucceeded"));
    }

    static Stream<Row> volumes() {
        return Stream.of(
                row("X-11", "deletes a volume that it made and that was released")
                        .given(made().phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect()
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row("X-12", "leaves a volume to the controller that is not released yet")
                        .given(made().phase(VolumePhase.BOUND))
                        .when(STORAGE)
                        .expect("volume v Bound c/uid-c kept")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("X-13", "leaves a volume alone that another provisioner made")
                        .given(made().provisionedBy("example.com/other").phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-14", "leaves a volume alone that people made")
                        .given(volume("v")
                                .policy(ReclaimPolicy.DELETE)
                                .boundTo("c", "uid-c")
                                .phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("X-15", "keeps a volume that is to be retained")
                        .given(made().policy(ReclaimPolicy.RETAIN).phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("X-16", "does not trust a phase: a volume whose claim lives is not deleted")
                        .given(made().phase(VolumePhase.RELEASED))
                        .given(claim("c").volumeName("v").completed().bound())
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c kept", "claim c Bound v done")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("X-17", "removes the finalizer of the controller that made the volume before")
                        .given(made().finalizer("kubernetes.io/pv-controller").phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect());
    }

    @ParameterizedTest
    @MethodSource({"claims", "volumes"})
    void endsAsTheTableSays(Row row) {
        row.run();
    }

    @Test
    void provisionerAndControllerTogetherMakeBindAndDeleteWhateverTheirOrder() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            ControlBench bench = new ControlBench();
            bench.given(
                    FAST,
                    claim("a").ofClass("fast").made(),
                    claim("b").ofClass("fast").made());
            VirtualLoop controller = new VirtualLoop();
            VirtualLoop provisioner = new VirtualLoop();
            bench.newAgent(controller, "controller", ControllerFeatures.ofController(), ControlBench.noPlugins())
                    .start();
            bench.newAgent(provisioner, "provisioner", ControllerFeatures.ofProvisioner("mem"), bench.plugins)
                    .start();
            settle(controller, provisioner, random, seed);

            assertThat(bench.volumes()).as("seed %d", seed).hasSize(2);
            for (String name : new String[] {"a", "b"}) {
                assertThat(bench.claim(name).status().phase())
                        .as("seed %d", seed)
                        .isEqualTo(ClaimPhase.BOUND);
                assertThat(bench.claim(name).metadata().finalizers())
                        .as("seed %d", seed)
                        .isEmpty();
                bench.cluster.remove(GivenClaim.key(name));
            }
            settle(controller, provisioner, random, seed);
            assertThat(bench.volumes()).as("seed %d", seed).isEmpty();
            assertThat(bench.storage.volumes()).as("seed %d", seed).isEmpty();
            assertThat(bench.storage.violations()).isEmpty();
        }
    }

    private static void settle(VirtualLoop controller, VirtualLoop provisioner, Random random, int seed) {
        int idle = 0;
        for (int step = 0; idle < 3; step++) {
            assertThat(step).as("seed %d comes to rest", seed).isLessThan(20_000);
            int ran = (random.nextBoolean() ? controller : provisioner).advance(Duration.ZERO, 1 + random.nextInt(4));
            if (ran == 0) {
                controller.advance(Duration.ofSeconds(90));
                provisioner.advance(Duration.ofSeconds(90));
                idle++;
            }
        }
    }

    private static GivenClaim asking(String name, String annotation) {
        return claim(name).annotation(annotation, "mem");
    }

    private static GivenVolume made() {
        return volume("v").policy(ReclaimPolicy.DELETE).provisionedBy("mem").boundTo("c", "uid-c");
    }
}
