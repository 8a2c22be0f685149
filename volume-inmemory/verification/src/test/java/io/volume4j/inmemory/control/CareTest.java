package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What people ask for by name, and what they are told of backends. */
class CareTest {
    private final ControlBench bench = new ControlBench();

    private static GivenVolume kept() {
        return volume("v").boundTo("gone", "uid-gone").byController().phase(VolumePhase.RELEASED);
    }

    @Test
    void releasesARetainedVolumeToAnyClaimThatFits() {
        bench.given(kept().made(), claim("c").made()).startAndSettle();
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.PENDING);

        bench.answer(bench.requests().release("v", null));
        bench.settle();

        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("v");
        assertThat(bench.volume("v").status().phase()).isEqualTo(VolumePhase.BOUND);
    }

    @Test
    void rebindsARetainedVolumeToTheClaimOfThatNameAndNoOther() {
        bench.given(kept().made(), claim("a").made(), claim("c").made()).startAndSettle();

        bench.answer(bench.requests().release("v", key("c")));
        bench.settle();

        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("v");
        assertThat(bench.claim("a").spec().volumeName()).isEmpty();
    }

    @Test
    void rebindsToAClaimThatComesLater() {
        bench.given(kept().made(), claim("a").made()).startAndSettle();
        bench.answer(bench.requests().release("v", key("later")));
        bench.settle();
        assertThat(bench.volume("v").status().phase()).isEqualTo(VolumePhase.AVAILABLE);

        bench.given(claim("later").made()).settle();

        assertThat(bench.claim("later").spec().volumeName()).isEqualTo("v");
    }

    @Test
    void releasesNothingWhoseClaimIsThere() {
        bench.given(
                        volume("v")
                                .boundTo("c", "uid-c")
                                .phase(VolumePhase.BOUND)
                                .made(),
                        claim("c").volumeName("v").completed().bound().made())
                .startAndSettle();

        assertThat(failure(bench.requests().release("v", null)))
                .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining("delete the claim first");
        assertThat(bench.writes()).isEmpty();
    }

    @Test
    void releasesNothingThatIsToBeDeletedOrEmptied() {
        bench.given(kept().policy(ReclaimPolicy.DELETE)
                        .provisionedBy("example.com/outside")
                        .made())
                .startAndSettle();

        assertThat(failure(bench.requests().release("v", null))).hasMessageContaining("set it to Retain first");
    }

    @Test
    void releasesNothingThatIsAttachedThoughNoWatchHasShownItYet() {
        bench.given(kept().made()).startAndSettle();
        bench.hideFromWatches(Nodes.nodeUsing("n1", "mem^v"));

        assertThat(failure(bench.requests().release("v", null)))
                .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.IN_USE))
                .hasMessageContaining("n1");
    }

    @Test
    void releasesNothingThatAPodUses() {
        bench.given(kept().made(), Pods.using("p", "gone", PodPhase.RUNNING)).startAndSettle();

        assertThat(failure(bench.requests().release("v", null))).hasMessageContaining("ns/p");
    }

    @Test
    void releasesNothingThatDoesNotExist() {
        bench.startAndSettle();

        assertThat(failure(bench.requests().release("v", null))).hasMessageContaining("there is no volume v");
    }

    @Test
    void letsALostClaimBeginAnew() {
        bench.given(
                        claim("c")
                                .volumeName("gone")
                                .byController()
                                .completed()
                                .bound()
                                .made(),
                        volume("w").made())
                .startAndSettle();
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.LOST);

        bench.answer(bench.requests().repairLost(key("c")));
        bench.settle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("w");
    }

    @Test
    void saysWhatToDoWhereTheServerLetsNoClaimGiveUpTheNameOfItsVolume() {
        bench.given(claim("c").volumeName("gone").completed().bound().made()).startAndSettle();
        bench.server(patch -> {
            if (patch.changes().stream().anyMatch(change -> change.path().equals(List.of("spec", "volumeName")))) {
                throw new ClusterException(Reason.INVALID, "spec: Forbidden: spec is immutable after creation");
            }
            return patch;
        });

        assertThat(failure(bench.requests().repairLost(key("c"))))
                .satisfies(refused -> assertThat(refused.advice()).contains("create it again", "PersistentVolume gone"))
                .hasMessageContaining("spec is immutable");
    }

    @Test
    void repairsNoClaimThatIsNotLostOrThatAPodUses() {
        bench.given(
                        claim("c").made(),
                        claim("d").volumeName("gone").completed().bound().made(),
                        Pods.using("p", "d", PodPhase.RUNNING))
                .startAndSettle();

        assertThat(failure(bench.requests().repairLost(key("c")))).hasMessageContaining("is not lost");
        assertThat(failure(bench.requests().repairLost(key("d")))).hasMessageContaining("ns/p");
        assertThat(bench.claim("d").status().phase()).isEqualTo(ClaimPhase.LOST);
    }

    @Test
    void tellsOfStorageThatNothingInTheClusterTellsOf() {
        bench.given(
                        Classes.storageClass("fast", "mem"),
                        claim("c").ofClass("fast").made(),
                        volume("v").made())
                .startAndSettle();
        bench.storage.add("v", 1 << 30);
        bench.storage.add("pvc-lost", 1 << 30);

        assertThat(bench.answer(bench.requests().orphans())).containsExactly(new OrphanedStorage("mem", "pvc-lost", 0));
        assertThat(bench.storage.volumes()).as("nothing is removed").hasSize(3);
    }

    @Test
    void takesNothingForAnOrphanThatIsBeingMade() {
        bench.given(
                Classes.storageClass("fast", "mem"), claim("c").ofClass("fast").made());
        bench.plugin
                .faults()
                .add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER).times(1000));
        bench.start().run();
        bench.storage.add("opaque-handle", 1 << 30);
        assertThat(bench.storage.volume("pvc-uid-c")).isPresent();
        assertThat(bench.has(ObjectKey.volume("pvc-uid-c"))).isFalse();

        assertThat(bench.answer(bench.requests().orphans())).isEmpty();
    }

    /** The sink may outlive the controller. */
    @Test
    void leavesNoGaugeBehindWhenItIsClosed() {
        bench.given(claim("c").made(), volume("v").made()).startAndSettle();
        assertThat(bench.metrics.gauges()).isNotEmpty();
        bench.given(claim("d").made()).run();

        requireNonNull(bench.agent).end();
        bench.settle();

        assertThat(bench.metrics.gauges()).isEmpty();
    }

    @Test
    void countsClaimsAndVolumesAsTheyChange() {
        bench.given(
                        Classes.defaultClass("std", "mem"),
                        claim("c").noClassSaid().made(),
                        claim("d").size("9Gi").made(),
                        volume("v").made())
                .startAndSettle();

        assertThat(bench.metrics.gauges())
                .containsEntry("pv_collector_total_pv_count{plugin_name=mem,volume_mode=Filesystem}", 1L)
                .containsEntry("pv_collector_bound_pv_count{storage_class=}", 1L)
                .as("a series of nothing is none, because namespaces and classes come and go")
                .doesNotContainKey("pv_collector_unbound_pv_count{storage_class=}")
                .containsEntry(
                        "pv_collector_unbound_pvc_count{namespace=ns,storage_class=,volume_attributes_class=}", 1L)
                .containsEntry(
                        "pv_collector_bound_pvc_count{namespace=ns,storage_class=,volume_attributes_class=}", 1L);
        bench.given(claim("e").noClassSaid().made()).settle();
        assertThat(bench.metrics.counter("retroactive_storageclass_total")).isEqualTo(1);
        assertThat(bench.metrics.gauges())
                .containsEntry(
                        "pv_collector_bound_pvc_count{namespace=ns,storage_class=std,volume_attributes_class=}", 1L);
    }

    private VolumeException failure(CompletableFuture<?> asked) {
        Throwable thrown = catchThrowable(() -> bench.answer(asked));
        assertThat(thrown).isInstanceOf(CompletionException.class).hasCauseInstanceOf(VolumeException.class);
        return (VolumeException) requireNonNull(thrown.getCause());
    }
}
