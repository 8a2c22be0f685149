package io.volume4j.core.node.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.ManualLoop;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.agent.StepObserver;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.PodMounts;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a pod hears that it waits long until a volume is its group's. */
class LongOwnershipChangesTest {
    private static final VolumeId ID = VolumeId.shared("mem", "v");
    private static final NodeStep APPLY_FS_GROUP =
            new NodeStep(NodeStep.Kind.APPLY_FS_GROUP, ID, "a", "v", "default/a");

    private final ManualLoop loop = new ManualLoop();
    private final DesiredStateOfWorld desired = new DesiredStateOfWorld();
    private final List<Event> told = new ArrayList<>();
    private final LongOwnershipChanges walks =
            new LongOwnershipChanges(loop, new NodeEvents(told::add, desired, queries(), pod -> ""));

    @Test
    void isToldAfterHalfAMinuteAndThenEveryMinuteHowFarItIs() {
        wantsAVolume();
        walks.started(APPLY_FS_GROUP);
        loop.advance(Duration.ofSeconds(29));
        assertThat(told).isEmpty();

        loop.advance(Duration.ofSeconds(1));
        walks.progress(APPLY_FS_GROUP, "7000 files");
        loop.advance(Duration.ofMinutes(2));

        assertThat(told).hasSize(3).allSatisfy(event -> {
            assertThat(event.reason()).isEqualTo("VolumePermissionChangeInProgress");
            assertThat(event.type()).isEqualTo(Event.Type.WARNING);
            assertThat(event.object().uid()).isEqualTo("a");
            assertThat(event.message()).contains("volume v for pod default/a", "OnRootMismatch");
        });
        assertThat(told.get(0).message()).doesNotContain("files");
        assertThat(told.get(2).message()).contains("7000 files");
    }

    @Test
    void isToldNothingMoreWhenTheWalkIsOver() {
        wantsAVolume();
        walks.started(APPLY_FS_GROUP);
        loop.advance(Duration.ofSeconds(29));
        walks.ended(APPLY_FS_GROUP);
        loop.advance(Duration.ofHours(1));

        assertThat(told).isEmpty();
    }

    @Test
    void countsTheTimeOfEachTryByItself() {
        wantsAVolume();
        walks.started(APPLY_FS_GROUP);
        loop.advance(Duration.ofSeconds(20));
        walks.ended(APPLY_FS_GROUP);
        walks.started(APPLY_FS_GROUP);
        loop.advance(Duration.ofSeconds(29));

        assertThat(told).isEmpty();
    }

    private NodeQueries queries() {
        NodeLayout layout = new NodeLayout(Path.of("/root"));
        return new NodeQueries("n", desired, new ActualStateOfWorld(), layout, new PodMounts(layout, true));
    }

    private void wantsAVolume() {
        Pod pod = new Pod(
                ObjectMeta.named("default", "a").withUid("a"),
                new Pod.Spec("n", List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
        desired.put(new ResolvedPod(pod, List.of(), Map.of()));
    }

    /** An event that an observer does not pass on is lost, and no other test would show it. */
    @Test
    void theAgentPassesOnEverythingThatTheEngineTells() {
        List<String> told = names(Engine.Observer.class);

        assertThat(names(StepObserver.class)).containsAll(told);
        assertThat(names(NodeReports.class)).containsAll(told);
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .toList();
    }
}
