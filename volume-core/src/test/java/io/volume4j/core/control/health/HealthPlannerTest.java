package io.volume4j.core.control.health;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.health.HealthView.Listing;
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
    private static final String LIST = "LIST ask mem how all its volumes are";
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
                row("tells and asks again in one plan", view(SAYS_ILL, ILL, EVERY), ILL_EVENT, ASK),
                row("asks for the list first", of("", null, Listing.DUE), LIST),
                row("asks for the list again when the time is over", of("", read(WELL, EVERY), Listing.DUE), LIST),
                row("leaves the list alone before", of("", read(WELL, EVERY - 1), Listing.DUE))
                        .waits("the volume is well"),
                row("asks nothing while the list is read", of("", null, Listing.UNDER_WAY))
                        .waits("mem is being asked how all its volumes are"),
                row("asks for a volume that the list says nothing about", of("", null, Listing.READ), ASK),
                row("asks for a volume where the list cannot be had", of("", null, Listing.NONE), ASK),
                row("believes the list that a volume is well", of("", missed(WELL), Listing.READ))
                        .waits("the volume is well"),
                row(
                        "asks before it tells that a volume is well that the list lacks",
                        of(SAYS_ILL, missed(WELL), Listing.READ),
                        ASK),
                row(
                        "asks for a volume that was not well and that the list lacks",
                        of("", missed(ILL), Listing.READ),
                        ASK),
                row(
                                "tells it when the plugin was asked for the volume itself",
                                of(SAYS_ILL, read(WELL, 0), Listing.READ),
                                "write PersistentVolumeClaim/status c: status.conditions="
                                        + stored("True", "VolumeConditionNormal", WELL.message()),
                                WELL_EVENT)
                        .waits("the volume is well"),
                row("asks half as often after no answer", of("", unanswered(1, 2 * EVERY - 1), Listing.NONE))
                        .waits("the plugin does not say how the volume is"),
                row("and then again", of("", unanswered(1, 2 * EVERY), Listing.NONE), ASK),
                row("and half as often after each further one", of("", unanswered(3, 8 * EVERY - 1), Listing.NONE))
                        .waits("the plugin does not say how the volume is"),
                row("but once an hour", of("", unanswered(1000, 12 * EVERY), Listing.NONE), ASK));
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

    private static Reading read(Health health, long ago) {
        return new Reading(health, NOW - ago, false, 0);
    }

    private static Reading missed(Health health) {
        return new Reading(health, NOW, true, 0);
    }

    private static Reading unanswered(int times, long ago) {
        return new Reading(SILENT, NOW - ago, false, times);
    }

    private static HealthView view(String conditions, @Nullable Health answer, long ago) {
        return of(conditions, answer == null ? null : read(answer, ago), Listing.NONE);
    }

    private static HealthView of(String conditions, @Nullable Reading reading, Listing listing) {
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
                reading,
                listing,
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
                view.reading(),
                view.listing(),
                view.now(),
                LastEvents.nothing().with(List.of(event), NOW));
    }
}
