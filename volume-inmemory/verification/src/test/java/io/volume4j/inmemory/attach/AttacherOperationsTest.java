package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.ExternalAttacherBuilder;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.scale.LiveHeap;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a host sees of the reconciler and the operations of an attacher that runs apart. */
@Timeout(120)
class AttacherOperationsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final ObjectKey RECORD = ObjectKey.attachment("a");
    private static final VolumeAttachment RECORDED = new VolumeAttachment(
            ObjectMeta.named("", "a"),
            VolumeAttachment.Spec.ofVolume("mem", "n1", "pv-v"),
            new VolumeAttachment.Status(false, Map.of(), null, null),
            Unmodeled.none());
    private static final int MANY = 20;

    /** Less than an object has. */
    private static final int BYTES = 8;

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemoryStorage storage = InMemoryStorage.create();

    @BeforeEach
    void given() {
        storage.add("h-v", 1 << 30);
        cluster.apply(NodeObjects.node("n1", true));
        cluster.apply(VolumeObjects.volume("mem", "v", null, AccessMode.READ_WRITE_ONCE));
        cluster.apply(RECORDED);
    }

    private ExternalAttacherBuilder builder() {
        PluginRegistry plugins = PluginRegistry.builder(
                        InMemoryPluginHost.named("").build())
                .plugin(InMemoryPlugin.on(storage))
                .build();
        return ExternalAttacher.builder("mem").cluster(cluster, cluster).plugins(plugins);
    }

    private boolean attached() {
        return cluster.get(RECORD)
                .map(object -> ((VolumeAttachment) object).status().attached())
                .orElse(false);
    }

    @Test
    void showsACallThatHangsAndIsIdleWhenItHasReturned() {
        storage.faults().add(Fault.on("attach").as(FaultKind.HANG));
        try (ExternalAttacher attacher =
                builder().operationLimits(new OperationLimits(8, 2, 4)).build()) {
            attacher.reconciler().start();
            await().atMost(SOON).until(() -> !storage.blockingGate().hanging().isEmpty());

            assertThat(attacher.operationExecutor().pending().join())
                    .singleElement()
                    .satisfies(operation -> {
                        assertThat(operation.step()).isEqualTo("ATTACH");
                        assertThat(operation.key()).isEqualTo(RECORD);
                        assertThat(operation.state()).isEqualTo(PendingOperation.State.RUNNING);
                    });
            assertThat(attacher.operationExecutor().limits()).isEqualTo(new OperationLimits(8, 2, 4));
            assertThat(attacher.reconciler().quiescence().join().reasons())
                    .anySatisfy(reason -> assertThat(reason).contains("ATTACH", "RUNNING"));
            var idle = attacher.operationExecutor().whenIdle();
            assertThat(idle).isNotDone();

            storage.blockingGate().releaseAll();
            assertThat(idle.join()).isTrue();
            await().atMost(SOON).until(this::attached);
            await().atMost(SOON)
                    .until(() -> attacher.reconciler().quiescence().join().quiescent());
        }
    }

    @Test
    void plansAndTriesAtOnceWhatWaitsForItsNextTryWhenTheHostAsks() {
        storage.faults().add(Fault.on("attach").as(FaultKind.TRANSIENT));
        try (ExternalAttacher attacher =
                builder().backoff(new RetryBackoff(NEVER, NEVER, NEVER)).build()) {
            attacher.start();
            await().atMost(SOON).until(() -> attacher.explain("a").join().text().contains("failed 1 time"));
            assertThat(attacher.plan().join()).singleElement().satisfies(step -> {
                assertThat(step.object()).isEqualTo(RECORD);
                assertThat(step.kind()).isEqualTo("ATTACH");
            });
            assertThat(attacher.reconciler()
                            .reconcile(ObjectKey.attachment("no-such"))
                            .join())
                    .isFalse();
            assertThat(attached()).isFalse();

            assertThat(attacher.reconciler().reconcile(RECORD).join()).isTrue();
            await().atMost(SOON).until(this::attached);
            assertThat(attacher.plan().join()).isEqualTo(List.of());
        }
    }

    @Test
    void explainsVolumeAttachmentsOnly() {
        try (ExternalAttacher attacher = builder().build()) {
            attacher.start();
            assertThatThrownBy(() -> attacher.reconciler().explain(ObjectKey.node("n1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("VolumeAttachments");
        }
    }

    @Test
    void aCallThatEndsAfterItsRecordIsGoneLeavesNoMemory() {
        storage.faults().add(Fault.on("attach").as(FaultKind.HANG).always());
        try (ExternalAttacher attacher = builder().build()) {
            attacher.reconciler().start();
            removeDuringItsCall(attacher);
            long before = memories();
            for (int time = 0; time < MANY; time++) {
                removeDuringItsCall(attacher);
            }

            // A thread may still hold what it made for the last round.
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(memories() - before).isLessThan(MANY * BYTES));
        }
    }

    private void removeDuringItsCall(ExternalAttacher attacher) {
        cluster.apply(RECORDED);
        await().atMost(SOON).until(() -> !storage.blockingGate().hanging().isEmpty());
        // By force: without the attacher's finalizer.
        cluster.apply(RECORDED);
        cluster.remove(RECORD);
        storage.blockingGate().releaseAll();
        await().atMost(SOON)
                .until(() -> attacher.reconciler().quiescence().join().quiescent());
    }

    private static long memories() {
        return LiveHeap.now(List.of("io.volume4j.core.control.attach")).ours();
    }
}
