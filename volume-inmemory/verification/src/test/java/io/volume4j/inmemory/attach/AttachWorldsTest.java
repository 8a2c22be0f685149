package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.AttachDetachControllerBuilder;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachActualStateOfWorld.Attachment;
import io.volume4j.core.worlds.AttachActualStateOfWorld.State;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a host sees of the worlds, the reconciler and the operations of attach and detach. */
@Timeout(120)
class AttachWorldsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final VolumeId ID = VolumeId.shared("mem", "h-v");

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryStorage storage = InMemoryStorage.create();
    private final Pod pod = VolumeObjects.pod("default", "a", "n1", PodPhase.RUNNING, "v");

    @BeforeEach
    void given() {
        storage.add("h-v", 1 << 30);
        Node node = NodeObjects.node("n1", true);
        cluster.apply(
                NodeObjects.with(node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")));
        cluster.apply(NodeObjects.node("left-alone", true));
        var claim = VolumeObjects.claim("v", AccessMode.READ_WRITE_ONCE);
        cluster.apply(VolumeObjects.volume(
                "mem",
                "v",
                new ObjectReference(
                        Kind.PERSISTENT_VOLUME_CLAIM.apiVersion(),
                        Kind.PERSISTENT_VOLUME_CLAIM.apiName(),
                        "default",
                        "v",
                        "uid-v",
                        ""),
                AccessMode.READ_WRITE_ONCE));
        cluster.apply(claim);
        cluster.apply(pod);
    }

    private AttachDetachControllerBuilder builder() {
        PluginRegistry plugins = PluginRegistry.builder(
                        InMemoryPluginHost.named("").build())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        return AttachDetachController.builder().cluster(cluster, cluster).plugins(plugins);
    }

    private static void becomes(AttachDetachController controller, State state) {
        await().atMost(SOON)
                .until(() -> controller.actualState().state(ID, "n1").join(), state::equals);
    }

    @Test
    void readsWhatPodsWantWhereAndWhatIsThere() {
        try (AttachDetachController controller = builder().build()) {
            assertThat(controller.desiredState().read().join().complete()).isFalse();
            assertThat(controller.actualState().state(ID, "n1").join()).isEqualTo(State.UNCERTAIN);
            controller.reconciler().start();
            becomes(controller, State.ATTACHED);

            AttachDesiredStateOfWorld.Reading wanted =
                    controller.desiredState().read().join();
            assertThat(wanted.complete()).isTrue();
            assertThat(wanted.nodes()).singleElement().satisfies(node -> {
                assertThat(node.name()).isEqualTo("n1");
                assertThat(node.volumes()).singleElement().satisfies(volume -> {
                    assertThat(volume.volume()).isEqualTo(ID);
                    assertThat(volume.pods()).containsExactly(java.util.Map.entry("a", pod.key()));
                });
            });
            assertThat(controller.desiredState().wants(ID, "n1").join()).isTrue();
            assertThat(controller.desiredState().wants(ID, "left-alone").join()).isFalse();

            AttachActualStateOfWorld.Reading there =
                    controller.actualState().read().join();
            Attachment attachment = there.attachment(ID, "n1").orElseThrow();
            assertThat(attachment.state()).isEqualTo(State.ATTACHED);
            assertThat(attachment.record()).isNotEmpty();
            assertThat(attachment.devicePath()).isNotEmpty();
            assertThat(attachment.detachRequestedAt()).isNull();
            assertThat(there.ofVolume(ID)).isEqualTo(there.onNode("n1")).containsExactly(attachment);

            cluster.remove(pod.key());
            becomes(controller, State.DETACHED);
            assertThat(controller.actualState().read().join().attachments()).isEmpty();
            assertThat(controller.desiredState().read().join().revision()).isGreaterThan(wanted.revision());
        }
    }

    @Test
    void aReadingChangesItsRevisionOnlyWhenItDiffers() {
        try (AttachDetachController controller = builder().build()) {
            controller.start();
            await().atMost(SOON)
                    .until(() -> controller.reconciler().quiescence().join().quiescent());
            assertThat(controller.desiredState().read().join())
                    .isEqualTo(controller.desiredState().read().join());
            assertThat(controller.actualState().read().join())
                    .isEqualTo(controller.actualState().read().join());
        }
    }

    @Test
    void aVolumeThatNoPodWantsSaysSinceWhenWhileTheBackendHangs() {
        try (AttachDetachController controller = builder().build()) {
            controller.start();
            becomes(controller, State.ATTACHED);
            storage.faults().add(Fault.on("detach").as(FaultKind.HANG));
            cluster.remove(pod.key());
            await().atMost(SOON).until(() -> !storage.blockingGate().hanging().isEmpty());

            Attachment leaving =
                    controller.actualState().read().join().attachment(ID, "n1").orElseThrow();
            assertThat(leaving.state()).isEqualTo(State.UNCERTAIN);
            assertThat(leaving.detachRequestedAt()).isNotNull();
            storage.blockingGate().releaseAll();
            becomes(controller, State.DETACHED);
        }
    }

    @Test
    void showsACallThatHangsAndIsIdleWhenItHasReturned() {
        storage.faults().add(Fault.on("attach").as(FaultKind.HANG));
        try (AttachDetachController controller =
                builder().operationLimits(new OperationLimits(8, 2, 4)).build()) {
            controller.start();
            await().atMost(SOON).until(() -> !storage.blockingGate().hanging().isEmpty());

            assertThat(controller.operationExecutor().pending().join())
                    .filteredOn(operation -> operation.step().equals("ATTACH"))
                    .singleElement()
                    .satisfies(operation -> {
                        assertThat(operation.key().kind()).isEqualTo(Kind.VOLUME_ATTACHMENT);
                        assertThat(operation.state()).isEqualTo(PendingOperation.State.RUNNING);
                        assertThat(operation.deadline()).isAfter(operation.since());
                    });
            assertThat(controller.operationExecutor().limits()).isEqualTo(new OperationLimits(8, 2, 4));
            assertThat(controller.reconciler().quiescence().join().reasons())
                    .anySatisfy(reason -> assertThat(reason).contains("ATTACH", "RUNNING"));
            var idle = controller.operationExecutor().whenIdle();
            assertThat(idle).isNotDone();

            storage.blockingGate().releaseAll();
            assertThat(idle.join()).isTrue();
            becomes(controller, State.ATTACHED);
        }
    }

    @Test
    void triesAtOnceWhatWaitsForItsNextTryWhenTheHostAsks() {
        for (ObjectKey asked : List.of(ObjectKey.node("n1"), ObjectKey.volume("pv-v"))) {
            storage.faults().add(Fault.on("attach").as(FaultKind.TRANSIENT));
            try (AttachDetachController controller =
                    builder().backoff(new RetryBackoff(NEVER, NEVER, NEVER)).build()) {
                controller.start();
                await().atMost(SOON)
                        .until(() -> controller
                                .explain(ObjectKey.node("n1"))
                                .join()
                                .text()
                                .contains("failed 1 time"));
                assertThat(controller.actualState().state(ID, "n1").join()).isEqualTo(State.UNCERTAIN);

                assertThat(controller.reconciler().reconcile(asked).join()).isTrue();
                becomes(controller, State.ATTACHED);
                assertThat(controller
                                .reconciler()
                                .reconcile(ObjectKey.node("no-such"))
                                .join())
                        .isFalse();
                assertThatThrownBy(() -> controller.reconciler().reconcile(pod.key()))
                        .isInstanceOf(IllegalArgumentException.class);
                cluster.remove(pod.key());
                becomes(controller, State.DETACHED);
            }
            cluster.apply(pod);
        }
    }
}
