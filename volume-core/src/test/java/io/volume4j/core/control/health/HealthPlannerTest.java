package io.volume4j.core.control.health;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.HealthReporter.Health;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done about the health of a bound volume, row by row. */
class HealthPlannerTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long EVERY = HealthPlanner.EVERY.toNanos();
    private static final Health WELL = new Health(false, "all is well");
    private static final Health ILL = new Health(true, "a disk is slow");
    private static final Health SILENT = Health.notReported();

    private static final String SAYS_ILL = "{type: volume4j.io/VolumeHealthy, status: \"False\", reason:"
            + " VolumeConditionAbnormal, message: a disk is slow}";
    private static final String SAYS_WELL =
            "{type: volume4j.io/VolumeHealthy, status: \"True\", reason: VolumeConditionNormal, message: \"\"}";
    private static final String ASK = "CHECK ask mem how volume v is";
    private static final String ILL_EVENT = "tell Warning VolumeConditionAbnormal: a disk is slow";
    private static final String WELL_EVENT = "tell Normal VolumeConditionNormal: the volume is well again";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<HealthView> row) {
        row.check(HealthPlanner::plan);
    }

    static Stream<PlanRow<HealthView>> decides() {
        return Stream.of(
                row("asks at once about a volume that was never asked about", view("", null, 0), ASK),
                row("leaves a volume alone that was well just now", view("", WELL, 0))
                        .waits("the volume is well"),
                row("leaves it alone until the time is over", view("", WELL, EVERY - 1))
                        .waits("the volume is well"),
                row("asks again when the time is over", view("", WELL, EVERY), ASK),
                row("tells the claim that its volume is not well", view("", ILL, 0), writesIll(""), ILL_EVENT)
                        .waits("the volume is not well: a disk is slow"),
                row("does not write what the claim says already", view(SAYS_ILL, ILL, 0), ILL_EVENT)
                        .waits("the volume is not well: a disk is slow"),
                row("tells each illness once", told(view(SAYS_ILL, ILL, 0)))
                        .waits("the volume is not well: a disk is slow"),
                row(
                                "writes another illness over the first",
                                view(SAYS_ILL, new Health(true, "a disk is lost"), 0),
                                "write PersistentVolumeClaim/status c: status.conditions="
                                        + stored("False", "VolumeConditionAbnormal", "a disk is lost"),
                                "tell Warning VolumeConditionAbnormal: a disk is lost")
                        .waits("the volume is not well: a disk is lost"),
                row(
                                "tells that the volume is well again",
                                view(SAYS_ILL, WELL, 0),
                                "write PersistentVolumeClaim/status c: status.conditions="
                                        + stored("True", "VolumeConditionNormal", WELL.message()),
                                WELL_EVENT)
                        .waits("the volume is well"),
                row(
                                "keeps the conditions of others, in front of its own",
                                view("{type: Resizing, status: \"True\"}", ILL, 0),
                                writesIll("{type=Resizing, status=True}, "),
                                ILL_EVENT)
                        .waits("the volume is not well: a disk is slow"),
                row("writes nothing about a plugin that does not say", view("", SILENT, 0))
                        .waits("the plugin does not say how the volume is"),
                row("does not take silence for health", view(SAYS_ILL, SILENT, 0))
                        .waits("the plugin does not say how the volume is"),
                row("tells and asks again in one plan", view(SAYS_ILL, ILL, EVERY), ILL_EVENT, ASK));
    }

    @Test
    void looksAgainFiveMinutesAfterTheAnswer() {
        assertThat(HealthPlanner.plan(view("", WELL, 7)).waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(NOW - 7 + EVERY);
    }

    @Test
    void aClaimThatSaysThatItsVolumeIsWellIsNotWrittenToAgain() {
        String says = SAYS_WELL.replace("\"\"", "\"" + WELL.message() + "\"");
        assertThat(HealthPlanner.plan(view(says, WELL, 0)).steps())
                .noneMatch(step -> step.kind().name().equals("WRITE"));
    }

    private static String writesIll(String others) {
        return "write PersistentVolumeClaim/status c: status.conditions="
                + stored("False", "VolumeConditionAbnormal", "a disk is slow").replace("[", "[" + others);
    }

    private static String stored(String status, String reason, String message) {
        return "[{type=volume4j.io/VolumeHealthy, status=" + status + ", reason=" + reason + ", message=" + message
                + "}]";
    }

    private static HealthView view(String conditions, @Nullable Health answer, long ago) {
        return new HealthView(
                object(PersistentVolume.class, """
                        {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u-v},
                         spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}}
                        """),
                object(PersistentVolumeClaim.class, """
                        {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: u-c},
                         spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}},
                         status: {phase: Bound, conditions: [%s]}}
                        """.formatted(conditions)),
                VolumeId.shared("mem", "v"),
                answer,
                NOW - ago,
                NOW,
                LastEvents.nothing());
    }

    /** The same after the illness was told. */
    private static HealthView told(HealthView view) {
        Event event = PlanBuilder.event(Event.Type.WARNING, view.claim(), HealthPlanner.ABNORMAL, ILL.message());
        return new HealthView(
                view.volume(),
                view.claim(),
                view.id(),
                view.answer(),
                view.answeredAt(),
                view.now(),
                LastEvents.nothing().with(List.of(event), NOW));
    }
}
