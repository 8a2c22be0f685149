package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scheduler's way with its binder, beside a controller that binds. */
class VolumeBinderTest {
    private static final StorageClass LOCAL = waiting("local", WellKnown.NO_PROVISIONER);
    private static final StorageClass MADE = waiting("made", "mem");

    private boolean noThread;

    private final ControlBench bench = new ControlBench()
            .given(Nodes.node("n1", Map.of("zone", "a")), Nodes.node("n2", Map.of("zone", "b")), LOCAL, MADE);
    private final VolumeBinder binder = VolumeBinder.builder()
            .cluster(bench.cluster, bench.cluster)
            .nanoClock(() -> bench.clock.elapsed().toNanos())
            .workers(task -> {
                if (noThread) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                task.run();
            })
            .build();
    private final List<ClusterSource.Watch> watches = new java.util.ArrayList<>();

    @AfterEach
    void endWatches() {
        watches.forEach(ClusterSource.Watch::close);
    }

    @Test
    void getsAPodAnAvailableVolumeAtItsNode() {
        Pod pod = given(
                claim("c").ofClass("local").made(),
                volume("v").ofClass("local").onlyWhere("zone", "b").made());
        assertThat(binder.filter(pod, List.of("n1", "n2")).fitting()).containsExactly("n2");

        VolumeReservation reservation = binder.reserve(pod, "n2");
        CompletableFuture<Void> bound = binder.preBind(reservation);
        assertThat(bound).as("written, and the controller has not bound it yet").isNotDone();
        bench.startAndSettle();

        assertThat(bound).isCompleted();
        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("v");
    }

    @Test
    void aPodThatSharesAClaimWaitsForTheVolumeThatAnotherWasPromised() {
        Pod first = given(
                claim("c").ofClass("local").made(), volume("v").ofClass("local").made());
        Pod second = Pods.using("q", "c", PodPhase.PENDING);
        bench.given(second);
        VolumeReservation promised = binder.reserve(first, "n1");

        VolumeReservation shared = binder.reserve(second, "n2");
        assertThat(shared.claims())
                .extracting(VolumeReservation.Claim::volume)
                .as("the same volume")
                .containsExactly("v");
        CompletableFuture<Void> bound = binder.preBind(shared);
        assertThat(bound).as("the claim is not bound").isNotDone();
        binder.unreserve(promised);
        bench.startAndSettle();

        assertThat(bound).isCompleted();
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("v");
    }

    @Test
    void hasAVolumeMadeForTheNode() {
        Pod pod = given(claim("c").ofClass("made").made());

        CompletableFuture<Void> bound = binder.preBind(binder.reserve(pod, "n1"));
        bench.startAndSettle();

        assertThat(bound).isCompleted();
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("pvc-uid-c");
        assertThat(bench.claim("c").metadata().annotation(WellKnown.SELECTED_NODE))
                .isEqualTo("n1");
    }

    @Test
    void completesAtOnceWhenNothingIsLeftToBind() {
        Pod pod = given(
                claim("c").volumeName("v").completed().bound().made(),
                volume("v").boundTo("c", "uid-c").made());

        assertThat(binder.preBind(binder.reserve(pod, "n1"))).isCompleted();
    }

    @Test
    void aReservationForWhoseWritesThereIsNoThreadFailsAndMayBeTriedAgain() {
        Pod pod = given(claim("c").ofClass("made").made());
        VolumeReservation reservation = binder.reserve(pod, "n1");
        noThread = true;

        assertThatThrownBy(() -> binder.preBind(reservation).join())
                .cause()
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT));

        noThread = false;
        CompletableFuture<Void> bound = binder.preBind(reservation);
        bench.startAndSettle();
        assertThat(bound).isCompleted();
    }

    @Test
    void losesToTheClaimThatTookTheVolumeFirst() {
        Pod pod = given(
                claim("c").ofClass("local").made(), volume("v").ofClass("local").made());
        VolumeReservation reservation = binder.reserve(pod, "n1");
        bench.cluster.apply(
                volume("v").ofClass("local").boundTo("other", "uid-other").made());

        assertThatThrownBy(() -> binder.preBind(reservation).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                .hasMessageContaining("volume v is not reserved for claim c any more");
        binder.unreserve(reservation);
        assertThat(binder.filter(pod, List.of("n1")).fitting()).isEmpty();
    }

    @Test
    void saysWhichWriteTheClusterDidNotDo() {
        Pod pod = given(claim("c").ofClass("made").made());
        VolumeReservation reservation = binder.reserve(pod, "n1");
        bench.cluster.fail(ClusterFault.on(ClusterVerb.PATCH)
                .of(Kind.PERSISTENT_VOLUME_CLAIM)
                .as(ClusterFault.Rejection.UNAVAILABLE)
                .times(1));

        assertThatThrownBy(() -> binder.preBind(reservation).join()).hasMessageContaining("PersistentVolumeClaim/ns/c");

        CompletableFuture<Void> again = binder.preBind(reservation);
        bench.startAndSettle();
        assertThat(again).as("the same again is right").isCompleted();
    }

    @Test
    void endsTheWaitingWhenTheProvisionerGivesTheNodeBack() {
        Pod pod = given(claim("c").ofClass("made").made());
        CompletableFuture<Void> bound = binder.preBind(binder.reserve(pod, "n1"));

        bench.cluster.apply(claim("c").ofClass("made").made());

        assertThatThrownBy(bound::join).hasMessageContaining("no volume for claim c could be made for node n1");
    }

    /** It never gets another volume. */
    @Test
    void endsTheWaitingWhenAClaimHasLostItsVolume() {
        Pod pod = given(claim("c").ofClass("made").made());
        CompletableFuture<Void> bound = binder.preBind(binder.reserve(pod, "n1"));

        bench.cluster.apply(claim("c")
                .ofClass("made")
                .volumeName("pvc-uid-c")
                .completed()
                .phase(ClaimPhase.LOST)
                .made());

        assertThat(bound).isDone();
        assertThatThrownBy(bound::join).hasMessageContaining("claim c has lost its volume");
    }

    @Test
    void endsTheWaitingWhenThePodOrItsClaimIsGone() {
        Pod pod = given(claim("c").ofClass("made").made());
        CompletableFuture<Void> first = binder.preBind(binder.reserve(pod, "n1"));
        bench.cluster.remove(pod.key());
        assertThatThrownBy(first::join).hasMessageContaining("its pod is gone");

        Pod other = Pods.using("other", "c", PodPhase.PENDING);
        bench.cluster.apply(other);
        CompletableFuture<Void> second = binder.preBind(binder.reserve(other, "n1"));
        bench.cluster.remove(key("c"));
        assertThatThrownBy(second::join).hasMessageContaining("claim c is gone");
    }

    @Test
    void writesNothingForAPodThatWasDeletedAfterItsReservation() {
        Pod pod = given(claim("c").ofClass("made").made());
        VolumeReservation reservation = binder.reserve(pod, "n1");
        bench.cluster.remove(pod.key());

        CompletableFuture<Void> bound = binder.preBind(reservation);

        assertThat(bound).as("no later event would end the waiting").isCompletedExceptionally();
        assertThatThrownBy(bound::join).hasMessageContaining("its pod is gone");
        assertThat(bench.claim("c").metadata().annotations()).doesNotContainKey(WellKnown.SELECTED_NODE);
    }

    @Test
    void aSecondReleaseOfAnEarlierReservationDoesNotReleaseTheLaterOne() {
        Pod pod = given(
                claim("c").ofClass("local").made(),
                volume("v1").ofClass("local").onlyWhere("zone", "a").made(),
                volume("v2").ofClass("local").onlyWhere("zone", "b").made(),
                claim("other").ofClass("local").made());
        VolumeReservation earlier = binder.reserve(pod, "n1");
        binder.unreserve(earlier);
        VolumeReservation later = binder.reserve(pod, "n2");

        binder.unreserve(earlier);

        Pod second = Pods.using("q", "other", PodPhase.PENDING);
        bench.cluster.apply(second);
        assertThat(fitting(second)).as("v2 stays reserved").containsExactly("n1");
        binder.unreserve(later);
        assertThat(fitting(second)).containsExactly("n1", "n2");
    }

    @Test
    void endsTheWaitingWhenTheNodeIsGone() {
        Pod pod = given(
                claim("c").ofClass("local").made(), volume("v").ofClass("local").made());
        VolumeReservation reservation = binder.reserve(pod, "n1");
        CompletableFuture<Void> bound = binder.preBind(reservation);

        bench.cluster.remove(ObjectKey.node("n1"));

        assertThatThrownBy(bound::join)
                .as("every node reaches the volume, but only one that is there")
                .hasMessageContaining("pod p cannot have its volumes on node n1: the node is gone");
        assertThatThrownBy(() -> binder.preBind(reservation).join()).hasMessageContaining("the node is gone");
    }

    @Test
    void cancellingEndsTheWaitingAndNothingElse() {
        Pod pod = given(claim("c").ofClass("made").made());
        CompletableFuture<Void> bound = binder.preBind(binder.reserve(pod, "n1"));

        bound.cancel(false);
        bench.startAndSettle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void isNotLedBackBehindItsOwnWrites() {
        Pod pod = given(claim("c").ofClass("made").made());
        PersistentVolumeClaim before = bench.claim("c");
        CompletableFuture<Void> bound = binder.preBind(binder.reserve(pod, "n1"));

        binder.accept(io.volume4j.spi.host.WatchEvent.changed(before));

        assertThat(bound).as("the old state has no chosen node, but it is old").isNotDone();
    }

    @Test
    void explainsAReservationThatCannotBe() {
        Pod pod = given(claim("c").ofClass("local").made());

        assertThatThrownBy(() -> binder.reserve(pod, "n1"))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("there is no available volume for claim c of class local");
    }

    @Test
    void bytesOfANewVolumeStayPromisedForTheirTimeWhateverTheWallClockShows() {
        bench.given(
                new CsiDriver(
                        ObjectMeta.named("", "mem"),
                        CsiDriver.Spec.defaults().toBuilder()
                                .storageCapacity(true)
                                .build(),
                        Unmodeled.none()),
                CsiStorageCapacity.builder(ObjectMeta.named("default", "pool"), "made")
                        .nodeTopology(new LabelSelector(Map.of(), List.of()))
                        .capacity(Quantity.parse("10Gi"))
                        .build());
        Pod pod = given(claim("c").ofClass("made").size("6Gi").made());
        GivenClaim other = claim("c2").ofClass("made").size("6Gi").annotation(WellKnown.SELECTED_NODE, "n1");
        bench.given(other.made());
        bench.given(other.volumeName("v").completed().made());
        assertThat(fitting(pod))
                .as("the driver has not published the new volume")
                .isEmpty();

        bench.clock.step(Duration.ofHours(5));
        assertThat(fitting(pod)).as("an administrator sets the clock forward").isEmpty();

        bench.clock.step(Duration.ofHours(-10));
        bench.clock.advance(Duration.ofMinutes(2));
        assertThat(fitting(pod)).as("the clock is behind, but the time is over").contains("n1");
    }

    private List<String> fitting(Pod pod) {
        return binder.filter(pod, List.of("n1", "n2")).fitting();
    }

    @Test
    void isKeptInformedByAController() throws Exception {
        bench.cluster.apply(claim("c").ofClass("made").made());
        Pod pod = Pods.using("p", "c", PodPhase.PENDING);
        bench.cluster.apply(pod);
        VolumeBinder fed =
                VolumeBinder.builder().cluster(bench.cluster, bench.cluster).build();
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(bench.cluster, bench.cluster)
                .plugins(bench.plugins)
                .volumeBinder(fed)
                .build()) {
            assertThat(fed.filter(pod, List.of("n1")).text())
                    .isEqualTo("0/1 nodes are available: 1 volumes and claims of the cluster are not known yet.");
            controller.start();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> !fed.filter(pod, List.of("n1", "n2")).fitting().isEmpty());

            fed.preBind(fed.reserve(pod, "n2")).get(60, TimeUnit.SECONDS);

            assertThat(bench.claim("c").spec().volumeName()).isEqualTo("pvc-uid-c");
        }
    }

    /** The objects and a pod that uses claim c; the binder hears of everything from now on, as from a host. */
    private Pod given(io.volume4j.spi.model.ApiObject... objects) {
        Pod pod = Pods.using("p", "c", PodPhase.PENDING);
        bench.given(objects).given(pod);
        for (Kind kind : Kind.values()) {
            ClusterSource.Listing listing = bench.cluster.list(kind, Selection.all());
            listing.objects().forEach(object -> binder.accept(io.volume4j.spi.host.WatchEvent.changed(object)));
            watches.add(bench.cluster.watch(kind, Selection.all(), listing.revision(), binder::accept));
        }
        return pod;
    }

    private static StorageClass waiting(String name, String provisioner) {
        return Classes.storageClass(name, provisioner, ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
    }
}
