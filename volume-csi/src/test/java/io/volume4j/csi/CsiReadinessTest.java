package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GetSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.GroupSnapshotter.CreateGroupRequest;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupRequest;
import io.volume4j.spi.plugin.GroupSnapshotter.GroupSnapshot;
import io.volume4j.spi.plugin.GroupSnapshotter.Member;
import io.volume4j.spi.plugin.Snapshotter.CreateRequest;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots that are not ready are asked for with growing pauses, for as long as there is something to wait for. */
@Timeout(180)
class CsiReadinessTest {
    private static final CreateRequest MADE = new CreateRequest("n1", Given.source(), Map.of());
    private static final Snapshot CUT = new Snapshot("s-1", Instant.EPOCH, 5, false);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final ManualTimer timer = new ManualTimer();

    /** Runs what is due when the test says so, on the test's thread. */
    private static final class ManualTimer implements CsiReadiness.Timer {
        private final List<Duration> delays = new ArrayList<>();
        private @Nullable Runnable due;

        @Override
        public Runnable after(Duration delay, Runnable action) {
            delays.add(delay);
            due = action;
            return () -> {
                if (action.equals(due)) {
                    due = null;
                }
            };
        }

        boolean idle() {
            return due == null;
        }

        void fire() {
            Runnable action = due;
            assertThat(action).as("a caller waits").isNotNull();
            due = null;
            java.util.Objects.requireNonNull(action).run();
        }
    }

    private CsiReadiness readiness(CsiPlugin plugin, Executor workers) {
        return world.later(CsiReadiness.builder(plugin, timer, workers).build());
    }

    private CsiReadiness readiness(CsiPlugin plugin) {
        return readiness(plugin, Runnable::run);
    }

    @Test
    void whatWasReadyWhenItWasCutIsNotAskedFor() {
        Snapshot ready = new Snapshot("s-1", Instant.EPOCH, 5, true);
        CsiReadiness readiness = readiness(world.plugin());
        assertThat(readiness.snapshot(MADE, ready)).isCompletedWithValue(ready);
        assertThat(timer.delays).isEmpty();
        assertThat(readiness.waiting()).isZero();
    }

    @Test
    void asksWithPausesThatDoubleUpToALimitUntilItIsReady() {
        readyAfter(9);
        CsiReadiness readiness = readiness(world.plugin());
        CompletableFuture<Snapshot> future = readiness.snapshot(MADE, CUT);
        while (!future.isDone()) {
            timer.fire();
        }
        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
        assertThat(timer.delays.stream().map(Duration::toSeconds))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
        assertThat(timer.idle()).isTrue();
        assertThat(readiness.waiting()).isZero();
        assertThat(world.driver.calls("GetSnapshot")).isEqualTo(9);
        assertThat(world.driver.calls("CreateSnapshot")).isZero();
    }

    @Test
    void anExecutorThatIsFullOnceDelaysTheQuestion() {
        readyAfter(1);
        AtomicInteger submissions = new AtomicInteger();
        CsiReadiness readiness = readiness(world.plugin(), task -> {
            if (submissions.getAndIncrement() == 0) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        });
        CompletableFuture<Snapshot> future = readiness.snapshot(MADE, CUT);
        timer.fire();
        assertThat(future).isNotDone();

        timer.fire();

        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
    }

    @Test
    void anExecutorThatWasShutDownEndsTheWait() {
        ExecutorService workers = Executors.newSingleThreadExecutor();
        CompletableFuture<Snapshot> future = readiness(world.plugin(), workers).snapshot(MADE, CUT);
        workers.shutdownNow();

        timer.fire();

        assertThat(future).isCancelled();
    }

    @Test
    void aDriverThatCanOnlyListIsAskedForItsList() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> ListSnapshotsResponse.newBuilder()
                        .addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(told(true)))
                        .build());
        CompletableFuture<Snapshot> future = readiness(world.plugin()).snapshot(MADE, CUT);
        timer.fire();
        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
    }

    /** Backends list what they have just cut a little later, and some drivers list only what is ready. */
    @Test
    void aSnapshotThatIsNotListedYetIsWaitedFor() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS);
        world.calls.on(
                ControllerGrpc.getListSnapshotsMethod(),
                request -> world.driver.calls("ListSnapshots") == 1
                        ? ListSnapshotsResponse.getDefaultInstance()
                        : ListSnapshotsResponse.newBuilder()
                                .addEntries(
                                        ListSnapshotsResponse.Entry.newBuilder().setSnapshot(told(true)))
                                .build());
        CompletableFuture<Snapshot> future = readiness(world.plugin()).snapshot(MADE, CUT);
        timer.fire();
        assertThat(future).isNotDone();
        timer.fire();
        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
    }

    /** "The CO SHOULD re-issue CreateSnapshot until ready_to_use", where nothing else tells. */
    @Test
    void aDriverThatCanBeAskedNothingIsToldTheSameAgain() {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT);
        world.calls.on(
                ControllerGrpc.getCreateSnapshotMethod(),
                request -> CreateSnapshotResponse.newBuilder()
                        .setSnapshot(told(world.driver.calls("CreateSnapshot") > 1))
                        .build());
        CompletableFuture<Snapshot> future = readiness(world.plugin()).snapshot(MADE, CUT);
        timer.fire();
        assertThat(future).isNotDone();
        timer.fire();
        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
        assertThat(world.calls.of(io.volume4j.csi.internal.proto.CreateSnapshotRequest.class))
                .hasSize(2)
                .allMatch(request -> request.getName().equals("n1"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"UNAVAILABLE", "INTERNAL", "UNKNOWN", "ABORTED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"})
    void whatMayPassIsWaitedOut(Status.Code code) {
        AtomicInteger asked = new AtomicInteger();
        world.calls.on(ControllerGrpc.getGetSnapshotMethod(), request -> {
            if (asked.incrementAndGet() == 1) {
                throw code.toStatus().asRuntimeException();
            }
            return GetSnapshotResponse.newBuilder().setSnapshot(told(true)).build();
        });
        CompletableFuture<Snapshot> future = readiness(world.plugin()).snapshot(MADE, CUT);
        timer.fire();
        assertThat(future).isNotDone();
        timer.fire();
        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
    }

    @ParameterizedTest
    @CsvSource({"NOT_FOUND, true", "PERMISSION_DENIED, false", "INVALID_ARGUMENT, false"})
    void whatWillNeverBeReadyEndsTheWait(Status.Code code, boolean absent) {
        world.driver.failing(ControllerGrpc.getGetSnapshotMethod(), code.toStatus());
        CompletableFuture<Snapshot> future = readiness(world.plugin()).snapshot(MADE, CUT);
        timer.fire();
        assertThatThrownBy(future::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.provesAbsent()).isEqualTo(absent));
        assertThat(timer.idle()).isTrue();
    }

    @Test
    void deletingTheSnapshotEndsTheWaitBeforeTheDriverHearsOfIt() {
        CsiPlugin plugin = world.plugin();
        CompletableFuture<Snapshot> future = readiness(plugin).snapshot(MADE, CUT);
        CompletableFuture<Boolean> endedBefore = new CompletableFuture<>();
        world.calls.on(ControllerGrpc.getDeleteSnapshotMethod(), request -> {
            endedBefore.complete(future.isCancelled());
            return DeleteSnapshotResponse.getDefaultInstance();
        });
        plugin.snapshotter().orElseThrow().delete("s-1", TestContext.patient());
        assertThat(endedBefore).isCompletedWithValue(true);
        assertThat(timer.idle()).isTrue();
    }

    /** A create that follows a delete would make what no object names: the two exclude each other. */
    @Test
    void aSnapshotIsNotMadeAnewByAQuestionThatComesAfterItsDeletion() throws Exception {
        world.controller(RPC.Type.CREATE_DELETE_SNAPSHOT);
        CountDownLatch deleting = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        world.calls.on(ControllerGrpc.getDeleteSnapshotMethod(), request -> {
            deleting.countDown();
            await(goOn);
            return DeleteSnapshotResponse.getDefaultInstance();
        });
        CsiPlugin plugin = world.plugin();
        List<Runnable> questions = new ArrayList<>();
        CsiReadiness readiness = readiness(plugin, questions::add);
        CompletableFuture<Snapshot> future = readiness.snapshot(MADE, CUT);
        timer.fire();
        CompletableFuture<Void> deleted = CompletableFuture.runAsync(
                () -> plugin.snapshotter().orElseThrow().delete("s-1", TestContext.patient()));
        assertThat(deleting.await(60, TimeUnit.SECONDS)).isTrue();
        questions.forEach(Runnable::run);
        goOn.countDown();
        deleted.get(60, TimeUnit.SECONDS);
        assertThat(future).isCancelled();
        assertThat(world.driver.calls("CreateSnapshot")).isZero();
    }

    @Test
    void aQuestionForWhichThereIsNoThreadIsAskedAfterAnotherPause() {
        readyAfter(1);
        AtomicInteger left = new AtomicInteger(2);
        CsiReadiness readiness = readiness(world.plugin(), task -> {
            if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });
        CompletableFuture<Snapshot> future = readiness.snapshot(MADE, CUT);
        while (!future.isDone()) {
            timer.fire();
        }
        assertThat(future).isCompletedWithValueMatching(Snapshot::ready);
        assertThat(timer.delays).hasSize(3);
    }

    @Test
    void aCallerThatNoLongerWaitsGetsNoAnswer() {
        CsiReadiness readiness = readiness(world.plugin());
        CompletableFuture<Snapshot> future = readiness.snapshot(MADE, CUT);
        future.cancel(true);
        assertThat(timer.idle()).isTrue();
        assertThat(readiness.waiting()).isZero();
        assertThat(world.driver.calls("GetSnapshot")).isZero();
    }

    @Test
    void closingEndsAllWaits() {
        CsiReadiness readiness = readiness(world.plugin());
        CompletableFuture<Snapshot> future = readiness.snapshot(MADE, CUT);
        readiness.close();
        assertThat(future).isCancelled();
        assertThat(timer.idle()).isTrue();
        assertThat(readiness.snapshot(MADE, CUT)).isCancelled();
    }

    @Test
    void aGroupIsReadyWhenTheDriverSaysSo() {
        groupReadyAfter(2);
        CompletableFuture<GroupSnapshot> future = readiness(world.plugin()).group(groupMade(), groupCut());
        timer.fire();
        assertThat(future).isNotDone();
        timer.fire();
        assertThat(future).isCompletedWithValueMatching(GroupSnapshot::ready);
    }

    @Test
    void deletingAGroupEndsItsWait() {
        world.calls.on(
                GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                request -> DeleteVolumeGroupSnapshotResponse.getDefaultInstance());
        CsiPlugin plugin = world.plugin();
        CompletableFuture<GroupSnapshot> future = readiness(plugin).group(groupMade(), groupCut());
        plugin.groupSnapshotter()
                .orElseThrow()
                .delete(new GroupRequest("g-1", List.of("s-1"), Map.of()), TestContext.patient());
        assertThat(future).isCancelled();
        assertThat(timer.idle()).isTrue();
    }

    private static CreateGroupRequest groupMade() {
        return new CreateGroupRequest("g", List.of(Given.source()), Map.of());
    }

    private static GroupSnapshot groupCut() {
        return new GroupSnapshot("g-1", Instant.EPOCH, false, List.of(new Member("vol-1", CUT)));
    }

    private void groupReadyAfter(int questions) {
        AtomicInteger asked = new AtomicInteger();
        world.calls.on(GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(), request -> {
            boolean ready = asked.incrementAndGet() >= questions;
            return GetVolumeGroupSnapshotResponse.newBuilder()
                    .setGroupSnapshot(VolumeGroupSnapshot.newBuilder()
                            .setGroupSnapshotId(request.getGroupSnapshotId())
                            .setReadyToUse(ready)
                            .addSnapshots(told(ready)))
                    .build();
        });
    }

    private void readyAfter(int questions) {
        AtomicInteger asked = new AtomicInteger();
        world.calls.on(
                ControllerGrpc.getGetSnapshotMethod(),
                request -> GetSnapshotResponse.newBuilder()
                        .setSnapshot(told(asked.incrementAndGet() >= questions))
                        .build());
    }

    private static io.volume4j.csi.internal.proto.Snapshot told(boolean ready) {
        return io.volume4j.csi.internal.proto.Snapshot.newBuilder()
                .setSnapshotId("s-1")
                .setSourceVolumeId("vol-1")
                .setSizeBytes(5)
                .setReadyToUse(ready)
                .build();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
