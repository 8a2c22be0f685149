package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A claim that asks for more gets it, whatever fails on the way; see docs/expansion.md. */
class ExpansionTest {
    private static final ControllerFeatures EXPANDING =
            ControllerFeatures.ofController().with(ControllerFeature.EXPAND, ControllerFeature.MODIFY);
    private static final ObjectKey VOLUME = ObjectKey.volume("pvc-uid-c");

    private final ControlBench bench = bound(new ControlBench());

    /** A claim of 1Gi, bound to a volume that was made for it. */
    private static ControlBench bound(ControlBench bench) {
        bench.features(EXPANDING);
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        GivenClaim.claim("c").ofClass("fast").made())
                .startAndSettle();
        return bench;
    }

    private void ask(String size) {
        bench.patch(key("c"), false, FieldChange.set(size, "spec", "resources", "requests", "storage"));
    }

    private ResizeStatus status() {
        return ResizeStatus.of(bench.claim("c"));
    }

    private String has() {
        return String.valueOf(bench.claim("c").status().capacity());
    }

    private String size() {
        return String.valueOf(bench.volume("pvc-uid-c").spec().capacity());
    }

    private long atTheBackend() {
        return bench.storage.volume("pvc-uid-c").orElseThrow().bytes();
    }

    private void nodeSays(String size) {
        bench.patch(
                key("c"),
                true,
                FieldChange.set(size, "status", "capacity", "storage"),
                FieldChange.remove("status", "allocatedResourceStatuses", "storage"),
                FieldChange.remove("status", "allocatedResources", "storage"),
                FieldChange.remove("status", "conditions"));
    }

    @Test
    void isDoneByTheControlPlaneAloneWhereNodesHaveNoPart() {
        bench.plugin.set(Capability.NODE_EXPAND, false);
        ask("2Gi");
        bench.settle();

        assertThat(has()).isEqualTo("2Gi");
        assertThat(size()).isEqualTo("2Gi");
        assertThat(atTheBackend()).isEqualTo(2L << 30);
        assertThat(status()).isEqualTo(ResizeStatus.NONE);
        assertThat(bench.claim("c").status().allocatedResources()).isEmpty();
        assertThat(bench.told(key("c"))).contains("VolumeResizeSuccessful");
    }

    @Test
    void isLeftToTheNodeAsTheClaimSaysAndClosedWhenTheNodeIsDone() {
        ask("2Gi");
        bench.settle();

        assertThat(status()).isEqualTo(ResizeStatus.NODE_PENDING);
        assertThat(has()).as("the filesystem is as it was").isEqualTo("1Gi");
        assertThat(size()).isEqualTo("2Gi");
        assertThat(bench.volume("pvc-uid-c").metadata().annotations())
                .containsEntry("volume.alpha.kubernetes.io/pre-resize-capacity", "1Gi");
        assertThat(bench.told(key("c"))).contains("FileSystemResizeRequired");

        nodeSays("2Gi");
        bench.settle();
        assertThat(bench.volume("pvc-uid-c").metadata().annotations())
                .doesNotContainKey("volume.alpha.kubernetes.io/pre-resize-capacity");
        assertThat(status()).isEqualTo(ResizeStatus.NONE);
    }

    /** Kubernetes 1.31 keeps the two fields only with a feature gate, and accepts the write of a controller that sets them. */
    @Test
    void repeatsItsIntentEverMoreRarelyWhereTheServerDoesNotKeepIt() {
        AtomicInteger dropped = new AtomicInteger();
        bench.server(patch -> {
            List<FieldChange> kept = patch.changes().stream()
                    .filter(change -> !change.path().get(1).startsWith("allocatedResource"))
                    .toList();
            dropped.addAndGet(kept.size() < patch.changes().size() ? 1 : 0);
            return new Patch(patch.preconditions(), patch.status(), kept);
        });
        ask("2Gi");
        bench.settle();

        assertThat(atTheBackend()).as("nothing is done without an intent").isEqualTo(1L << 30);
        assertThat(bench.told(key("c"))).contains("FailedWrite");
        assertThat(bench.explain(key("c")).text())
                .contains("did not keep them")
                .contains("status.allocatedResourceStatuses.storage");
        assertThat(bench.events.withReason("FailedWrite"))
                .allSatisfy(event -> assertThat(event.message())
                        .contains("did not keep them")
                        .containsOnlyOnce("tried again")
                        .endsWith("min and is tried again"));
        assertThat(dropped).as("in a quarter of an hour").hasValueBetween(2, 20);
        int sofar = dropped.get();
        bench.settle();
        assertThat(dropped).as("in another").hasValueBetween(sofar + 1, sofar + 8);

        bench.server(UnaryOperator.identity());
        bench.settle();
        assertThat(atTheBackend())
                .as("it is tried again without any change of the claim")
                .isEqualTo(2L << 30);
    }

    @Test
    void asksForTheSizeBegunWithUntilItIsSureWhatCameOfIt() {
        bench.plugin
                .faults()
                .add(Fault.on("expand").as(FaultKind.UNCERTAIN_AFTER).times(3));
        ask("9Gi");
        bench.run();
        assertThat(status()).isEqualTo(ResizeStatus.CONTROLLER_IN_PROGRESS);
        ask("2Gi");
        bench.settle();

        assertThat(size()).as("the backend may have given it").isEqualTo("9Gi");
        assertThat(asked()).containsExactly("9Gi");
    }

    @Test
    void takesASmallerRequestOnceTheLargerOneFailedForGood() {
        bench.plugin.set(Capability.NODE_EXPAND, false);
        bench.plugin.faults().add(Fault.on("expand").as(FaultKind.FINAL).times(2));
        ask("9Gi");
        bench.run();
        assertThat(bench.told(key("c"))).contains("VolumeResizeFailed");
        ask("2Gi");
        bench.settle();

        assertThat(has()).isEqualTo("2Gi");
        assertThat(atTheBackend()).isEqualTo(2L << 30);
    }

    @Test
    void saysWhatCannotBeDoneAndTriesItRarely() {
        bench.plugin.faults().add(Fault.on("expand").as(FaultKind.INFEASIBLE).times(2));
        ask("9Gi");
        bench.run();
        assertThat(status()).isEqualTo(ResizeStatus.CONTROLLER_INFEASIBLE);
        long tries = attempts();
        bench.loop.advance(Duration.ofMinutes(4));
        assertThat(attempts()).isEqualTo(tries);

        bench.settle();
        assertThat(size()).isEqualTo("9Gi");
    }

    @Test
    void triesAnotherSizeAtOnceAfterOneThatCannotBe() {
        bench.plugin.faults().add(Fault.on("expand").as(FaultKind.INFEASIBLE));
        ask("9Gi");
        bench.run();
        ask("2Gi");
        bench.loop.advance(Duration.ofSeconds(2));

        assertThat(size()).isEqualTo("2Gi");
    }

    @Test
    void waitsForThePodsWhereTheBackendExpandsOnlyUnusedVolumes() {
        bench.expandsOffline().given(Pods.using("p", "c", PodPhase.RUNNING));
        ask("2Gi");
        bench.settle();
        assertThat(size()).isEqualTo("1Gi");
        assertThat(bench.told(key("c"))).contains("VolumeResizeFailed");

        bench.cluster.remove(ObjectKey.pod("ns", "p"));
        bench.settle();
        assertThat(size()).isEqualTo("2Gi");
    }

    @Test
    void waitsForThePodsOnceTheBackendSaysThatTheVolumeIsInUse() {
        bench.given(Pods.using("p", "c", PodPhase.RUNNING));
        bench.plugin.faults().add(Fault.on("expand").as(FaultKind.IN_USE));
        ask("2Gi");
        bench.settle();
        assertThat(attempts()).isEqualTo(1);

        bench.cluster.remove(ObjectKey.pod("ns", "p"));
        bench.settle();
        assertThat(size()).isEqualTo("2Gi");
    }

    @Test
    void isNotBegunWhereTheClassForbidsItAndBegunOnceItDoesNot() {
        bench.manifests("""
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem,
                 allowVolumeExpansion: false}
                """);
        ask("2Gi");
        bench.settle();
        assertThat(asked()).isEmpty();
        assertThat(status()).isEqualTo(ResizeStatus.NONE);

        bench.patch(ObjectKey.storageClass("fast"), false, FieldChange.set(true, "allowVolumeExpansion"));
        bench.settle();
        assertThat(size()).isEqualTo("2Gi");
    }

    @Test
    void isLeftToAResizerOutsideWhereNoPluginHereCan() {
        bench.plugin.set(Capability.EXPAND, false);
        bench.plugin.set(Capability.NODE_EXPAND, false);
        ask("2Gi");
        bench.settle();

        assertThat(bench.told(key("c"))).contains("ExternalExpanding");
        assertThat(status()).isEqualTo(ResizeStatus.NONE);
    }

    @Test
    void goesToTheNodesAtOnceWhereTheyAloneExpand() {
        bench.plugin.set(Capability.EXPAND, false);
        ask("2Gi");
        bench.settle();

        assertThat(size()).isEqualTo("2Gi");
        assertThat(status()).isEqualTo(ResizeStatus.NODE_PENDING);
        assertThat(asked()).isEmpty();
    }

    @Test
    void hasANodeThatGaveUpTryAgainRarely() {
        ask("2Gi");
        bench.settle();
        bench.patch(
                key("c"),
                true,
                FieldChange.set("NodeResizeInfeasible", "status", "allocatedResourceStatuses", "storage"));
        bench.loop.advance(Duration.ofMinutes(4));
        assertThat(status()).isEqualTo(ResizeStatus.NODE_INFEASIBLE);

        bench.loop.advance(Duration.ofMinutes(2));
        assertThat(status()).isEqualTo(ResizeStatus.NODE_PENDING);
    }

    @Test
    void asksForNothingWhereTheClaimHasWhatItAsksFor() {
        int writes = bench.writes().size();
        bench.settle();
        assertThat(bench.writes()).hasSize(writes);
        assertThat(asked()).isEmpty();
    }

    @Test
    void convergesAfterACrashBehindEveryWrite() {
        for (int write = 1; write < 40; write++) {
            ControlBench other = bound(new ControlBench());
            other.plugin.set(Capability.NODE_EXPAND, false);
            other.plugin.faults().add(Fault.on("expand").as(FaultKind.UNCERTAIN_AFTER));
            other.patch(key("c"), false, FieldChange.set("2Gi", "spec", "resources", "requests", "storage"));
            other.crashAfterWrite(write).settle();
            boolean crashed = other.crashed();
            if (crashed) {
                other.startAndSettle();
            }
            assertThat(other.claim("c").status().capacity())
                    .as("crash behind write %d", write)
                    .isEqualTo(Quantity.parse("2Gi"));
            assertThat(ResizeStatus.of(other.claim("c"))).isEqualTo(ResizeStatus.NONE);
            assertThat(other.cluster.get(VOLUME)).isPresent();
            if (!crashed) {
                assertThat(write).as("some writes were there to crash behind").isGreaterThan(2);
                return;
            }
        }
        throw new AssertionError("too many writes");
    }

    /** The sizes that the backend was asked for. */
    private Set<String> asked() {
        Set<String> sizes = new TreeSet<>();
        for (PluginCall call : bench.plugin.calls()) {
            if (call.request() instanceof ExpandRequest request) {
                sizes.add(Quantity.ofBytes(request.newBytes()).toString());
            }
        }
        return sizes;
    }

    private long attempts() {
        return bench.plugin.calls().stream()
                .filter(call -> call.name().equals("expand"))
                .count();
    }
}
