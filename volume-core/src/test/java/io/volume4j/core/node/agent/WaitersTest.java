package io.volume4j.core.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.node.report.NodeQueries;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.PairWatch;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private final DesiredStateOfWorld desired = new DesiredStateOfWorld(PairWatch.none());
    private final ActualStateOfWorld actual = new ActualStateOfWorld(PairWatch.none());
    private final NodeLayout layout = new NodeLayout(Path.of("/root"));
    private final PodMounts podMounts = new PodMounts(layout, true);
    private final Waiters waiters =
            new Waiters(desired, actual, new NodeQueries("n1", desired, actual, layout, podMounts), podMounts);

    @Test
    void whoGivesUpIsForgotten() {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<MountedPod> future = new CompletableFuture<>();
            waiters.whenMounted("pod", future);
            assertThat(waiters.size()).isEqualTo(1);
            future.cancel(false);
            waiters.letGo("pod");
            assertThat(waiters.size()).isZero();
        }
    }

    /** Callers may poll with short timeouts for days, and what they wait for may never happen. */
    @Test
    void whoGivesUpIsForgottenWhenTheNextCallerWaitsForTheSameOfTheNode() {
        actual.put(VolumeRow.unknown(VolumeId.shared("p", "v"), "v", false));
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Boolean> empty = new CompletableFuture<>();
            CompletableFuture<List<String>> pods = new CompletableFuture<>();
            waiters.whenEmpty(empty);
            waiters.whenPodsKnown(false, pods);
            assertThat(waiters.size()).isEqualTo(2);
            empty.cancel(false);
            pods.cancel(false);
        }
    }

    @Test
    void whoStillWaitsIsToldThoughAnotherGaveUp() {
        CompletableFuture<MountedPod> patient = new CompletableFuture<>();
        CompletableFuture<MountedPod> impatient = new CompletableFuture<>();
        waiters.whenMounted("pod", patient);
        waiters.whenMounted("pod", impatient);
        impatient.cancel(false);
        waiters.letGo("pod");
        assertThat(waiters.size()).isEqualTo(1);

        waiters.fail("pod", VolumeException.finalFailure("no"));
        assertThat(patient).isCompletedExceptionally();
    }

    @Test
    void whoAsksForWhatIsSoDoesNotWait() {
        CompletableFuture<String> future = new CompletableFuture<>();
        waiters.whenUnmounted("pod", future);

        assertThat(future).isCompletedWithValue("pod");
        assertThat(waiters.size()).isZero();
    }

    /** Code that depends on the first future closes the manager. */
    @Test
    void allWhoWaitForTheSameAreToldThoughTheFirstOfThemEndsTheWaitOfAll() {
        CompletableFuture<List<String>> first = new CompletableFuture<>();
        CompletableFuture<List<String>> second = new CompletableFuture<>();
        waiters.whenPodsKnown(false, first);
        waiters.whenPodsKnown(false, second);
        var unused = first.thenRun(() -> waiters.failAll(VolumeException.transientFailure("closed")));

        waiters.checkPodsKnown(true);

        assertThat(first).isCompletedWithValue(List.of());
        assertThat(second).isCompletedWithValue(List.of());
    }

    @Test
    void aPodThatWantsVolumesIsNotUnmountedWhileNoneOfThemIsResolved() {
        Pod pod = new Pod(
                ObjectMeta.named("ns", "pod").withUid("pod"),
                Pod.Spec.builder().nodeName("n1").build(),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
        Problem unresolved = new Problem("the claim is not bound", false, null);
        desired.put(new ResolvedPod(pod, List.of(), Map.of("data", unresolved)));
        CompletableFuture<String> future = new CompletableFuture<>();
        waiters.whenUnmounted("pod", future);
        assertThat(future).isNotDone();

        desired.remove("pod");
        waiters.changed("pod");
        assertThat(future).isCompletedWithValue("pod");
    }
}
