package io.volume4j.core.control.unused;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;

import io.volume4j.core.control.PlanRow;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a claim says of its use, row by row. */
class UnusedPlannerTest {
    private static final String RESIZING = "{type: Resizing, status: \"True\"}";
    private static final String UNUSED =
            "{type: Unused, status: \"True\", reason: NoPodsUsingPVC, message: no pod uses the claim,"
                    + " lastTransitionTime: \"2026-01-01T00:00:00Z\"}";
    private static final String USED =
            "{type: Unused, status: \"False\", reason: PodUsingPVC, message: a pod uses the claim,"
                    + " lastTransitionTime: \"2026-01-01T00:00:00Z\"}";
    private static final String SAYS_UNUSED = "{type=Unused, status=True, reason=NoPodsUsingPVC,"
            + " message=no pod uses the claim, lastTransitionTime=NOW}";
    private static final String SAYS_USED =
            "{type=Unused, status=False, reason=PodUsingPVC, message=a pod uses the claim, lastTransitionTime=NOW}";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<UnusedView> row) {
        row.check(UnusedPlanner::plan);
    }

    static Stream<PlanRow<UnusedView>> decides() {
        return Stream.of(
                row("a claim that no pod uses says so, and since when", view("", false), writes(SAYS_UNUSED)),
                row("a claim that a pod uses says so, and since when", view("", true), writes(SAYS_USED)),
                row("the first pod ends the time without use", view(UNUSED, true), writes(SAYS_USED)),
                row("the end of the last pod begins it anew", view(USED, false), writes(SAYS_UNUSED)),
                row("the time stays as long as no pod comes", view(UNUSED, false)),
                row("the time stays as long as a pod is there", view(USED, true)),
                row(
                        "conditions of others stay, in front of it",
                        view(UNUSED + ", " + RESIZING, true),
                        writes("{type=Resizing, status=True}, " + SAYS_USED)),
                row("nothing is said before all pods are known", unknown("", false))
                        .waits("the pods of the cluster are not known completely"),
                row("a pod that is known is enough", unknown(UNUSED, true), writes(SAYS_USED)));
    }

    private static String writes(String conditions) {
        return "write PersistentVolumeClaim/status c: status.conditions=[" + conditions + "]";
    }

    private static UnusedView view(String conditions, boolean used) {
        return new UnusedView(claim(conditions), used, true);
    }

    private static UnusedView unknown(String conditions, boolean used) {
        return new UnusedView(claim(conditions), used, false);
    }

    private static PersistentVolumeClaim claim(String conditions) {
        return object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: u-c},
                 spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}},
                 status: {phase: Bound, conditions: [%s]}}
                """.formatted(conditions));
    }
}
