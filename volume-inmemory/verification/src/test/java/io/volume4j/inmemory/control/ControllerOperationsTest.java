package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.control.ExternalResizer;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.PersistentVolumeControllerBuilder;
import io.volume4j.core.control.PlannedStep;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation.State;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a host sees of the reconciler and the operations of the controllers of objects. */
@Timeout(120)
class ControllerOperationsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration NEVER = Duration.ofDays(1);

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final PluginRegistry plugins = PluginRegistry.builder(
                    InMemoryPluginHost.named("").build())
            .plugin(InMemoryPlugin.on(storage))
            .build();

    private PersistentVolumeControllerBuilder claims() {
        cluster.apply(Classes.storageClass("fast", "mem"));
        return PersistentVolumeController.builder().cluster(cluster, cluster).plugins(plugins);
    }

    @Test
    void showsACallThatHangsAndIsIdleWhenItHasReturned() {
        storage.faults().add(Fault.on("provision").as(FaultKind.HANG));
        try (PersistentVolumeController controller =
                claims().operationLimits(new OperationLimits(8, 2, 4)).build()) {
            controller.reconciler().start();
            cluster.apply(claim("c").ofClass("fast").made());
            await().atMost(SOON).until(() -> !storage.blockingGate().hanging().isEmpty());

            OperationExecutor<ObjectKey> operations = controller.operationExecutor();
            assertThat(operations.pending().join())
                    .filteredOn(operation -> operation.step().equals("PROVISION"))
                    .singleElement()
                    .satisfies(operation -> {
                        assertThat(operation.key()).isEqualTo(key("c"));
                        assertThat(operation.attempt()).isEqualTo(1);
                        assertThat(operation.state()).isEqualTo(State.RUNNING);
                        assertThat(operation.deadline()).isAfter(operation.since());
                    });
            assertThat(operations.limits()).isEqualTo(new OperationLimits(8, 2, 4));
            assertThat(controller.reconciler().quiescence().join().reasons())
                    .anySatisfy(reason -> assertThat(reason).contains("PROVISION", key("c").toString(), "RUNNING"));
            CompletableFuture<Boolean> idle = operations.whenIdle();
            assertThat(idle).isNotDone();

            storage.blockingGate().releaseAll();
            controller.awaitBound(key("c"), SOON);
            assertThat(idle.join()).isTrue();
            await().atMost(SOON)
                    .until(() -> controller.reconciler().quiescence().join().quiescent());
        }
    }

    @Test
    void triesAtOnceWhatWaitsForItsNextTryWhenTheHostAsks() {
        storage.faults().add(Fault.on("provision").as(FaultKind.TRANSIENT));
        try (PersistentVolumeController controller =
                claims().backoff(new RetryBackoff(NEVER, NEVER, NEVER)).build()) {
            controller.start();
            cluster.apply(claim("c").ofClass("fast").made());
            await().atMost(SOON)
                    .until(() -> controller
                            .reconciler()
                            .explain(key("c"))
                            .join()
                            .text()
                            .contains("failed 1 time"));
            assertThat(controller.operationExecutor().whenIdle().join()).isTrue();
            Reconciler.Quiescence waiting = controller.reconciler().quiescence().join();
            assertThat(waiting.quiescent()).isFalse();
            assertThat(waiting.reasons()).isNotEmpty();
            assertThat(controller.reconciler().plan().join()).isNotEmpty();

            assertThat(controller.reconciler().reconcile(key("c")).join()).isTrue();
            controller.awaitBound(key("c"), SOON);
            assertThat(controller.reconciler().reconcile(key("other")).join()).isFalse();
        }
    }

    @Test
    void saysThatAnotherProcessLeads() {
        LeaderEpoch follower = new LeaderEpoch() {
            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public Duration remaining() {
                return Duration.ZERO;
            }
        };
        try (PersistentVolumeController controller = claims().leader(follower).build()) {
            controller.start();
            await().atMost(SOON)
                    .until(
                            () -> controller.reconciler().quiescence().join().reasons(),
                            List.of("another process leads")::equals);
            assertThat(controller.operationExecutor().pending().join()).isEmpty();
        }
    }

    /** What any controller gives. */
    private record Doors(
            String name, Reconciler<ObjectKey, PlannedStep> reconciler, OperationExecutor<ObjectKey> operations) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Doors> controllers() {
        ControllerOperationsTest test = new ControllerOperationsTest();
        PersistentVolumeController claims = test.claims().build();
        ExternalProvisioner provisioner = ExternalProvisioner.builder()
                .cluster(test.cluster, test.cluster)
                .plugin("mem", test.plugins)
                .build();
        ExternalResizer resizer = ExternalResizer.builder()
                .cluster(test.cluster, test.cluster)
                .plugin("mem", test.plugins)
                .build();
        SnapshotController snapshots = SnapshotController.builder()
                .cluster(test.cluster, test.cluster)
                .plugins(test.plugins)
                .build();
        return Stream.of(
                new Doors("claims", claims.reconciler(), claims.operationExecutor()),
                new Doors("provisioner", provisioner.reconciler(), provisioner.operationExecutor()),
                new Doors("resizer", resizer.reconciler(), resizer.operationExecutor()),
                new Doors("snapshots", snapshots.reconciler(), snapshots.operationExecutor()));
    }

    @ParameterizedTest
    @MethodSource("controllers")
    void everyControllerStartsComesToRestAndRefusesWhatIsAskedAfterItsEnd(Doors controller) {
        controller.reconciler().start();
        await().atMost(SOON)
                .until(() -> controller.reconciler().quiescence().join().quiescent());
        assertThat(controller.operations().pending().join()).isEmpty();
        assertThat(controller.operations().limits()).isEqualTo(new OperationLimits(512, 128, 512));
        controller.reconciler().close();
        assertThatThrownBy(() -> controller.reconciler().quiescence().get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(VolumeException.class);
    }
}
