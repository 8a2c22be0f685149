package io.volume4j.core.control.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an object gets its finalizer, when it loses it, and when the store is asked before. */
class ProtectionPlannerTest {
    @ParameterizedTest(name = "deleted {0}, protected {1}, users known {2} used {3}, seen {4} s ago {5}: {6}")
    @CsvSource(
            nullValues = "-",
            value = {
                // deleted, protected, known, used, seen, ago, does
                "false, false, true,  false, -,     0, protect",
                "false, false, false, false, -,     0, protect",
                "false, true,  true,  false, -,     0, nothing",
                "false, true,  true,  true,  -,     0, nothing",
                "false, true,  true,  false, false, 0, nothing",
                "true,  false, true,  false, -,     0, nothing",
                "true,  false, true,  true,  -,     0, nothing",
                "true,  true,  false, false, -,     0, wait",
                "true,  true,  false, false, false, 0, wait",
                "true,  true,  true,  true,  -,     0, wait",
                "true,  true,  true,  true,  false, 0, wait",
                "true,  true,  true,  false, -,     0, look",
                "true,  true,  true,  false, false, 4, let go",
                "true,  true,  true,  false, false, 5, look",
                "true,  true,  true,  false, true,  4, wait",
                "true,  true,  true,  false, true,  5, look",
            })
    void asksTheStoreBeforeTheLastFinalizerGoes(
            boolean deleted,
            boolean isProtected,
            boolean known,
            boolean used,
            @Nullable Boolean seen,
            long ago,
            String does) {
        long now = 1_000_000_000_000L;
        ProtectedView view = new ProtectedView(
                claim(deleted, isProtected),
                WellKnown.PVC_PROTECTION,
                used ? List.of("Pod/ns/p") : List.of(),
                known,
                At.PODS,
                seen == null ? null : seen ? List.of("Pod/ns/q") : List.of(),
                now - ago * 1_000_000_000L,
                now);

        assertThat(outcome(ProtectionPlanner.plan(view))).isEqualTo(does);
        assertThat(view.awaitsLook()).isEqualTo(does.equals("look"));
    }

    @ParameterizedTest(name = "deleted {0}, bound {1}: {2}")
    @CsvSource({"false, true, nothing", "true, true, wait", "true, false, let go"})
    void makesNoRequestWhereTheObjectItselfShowsItsUse(boolean deleted, boolean bound, String does) {
        ProtectedView view = new ProtectedView(
                claim(deleted, true),
                WellKnown.PVC_PROTECTION,
                bound ? List.of("its claim") : List.of(),
                true,
                null,
                null,
                0,
                0);

        assertThat(outcome(ProtectionPlanner.plan(view))).isEqualTo(does);
    }

    @Test
    void looksAgainWhenWhatTheStoreShowedSaysTooLittleAboutNow() {
        long now = 1_000_000_000_000L;
        long seenAt = now - 4_000_000_000L;
        ProtectedView view = new ProtectedView(
                claim(true, true),
                WellKnown.PVC_PROTECTION,
                List.of(),
                true,
                At.PODS,
                List.of("Pod/ns/q", "Pod/ns/r"),
                seenAt,
                now);

        assertThat(ProtectionPlanner.plan(view).waits())
                .extracting(Wait::why, Wait::notBeforeNanos)
                .containsExactly(
                        tuple("deleted, but kept while it is used by Pod/ns/q, Pod/ns/r", Wait.NO_TIME),
                        tuple("the store shows a use that no watch has shown yet", seenAt + 5_000_000_000L));
    }

    private static String outcome(Plan<ClusterStep> plan) {
        if (plan.steps().isEmpty()) {
            return plan.waits().isEmpty() ? "nothing" : "wait";
        }
        ClusterStep step = plan.steps().get(0);
        if (step instanceof ClusterWork.Write write) {
            boolean gives = String.valueOf(
                            write.writes().get(0).changes().get(0).value())
                    .contains(WellKnown.PVC_PROTECTION);
            return gives ? "protect" : "let go";
        }
        return step.kind().name().toLowerCase(Locale.ROOT);
    }

    private static ApiObject claim(boolean deleted, boolean isProtected) {
        return Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: c, namespace: ns, uid: u%s, finalizers: [example.com/mine%s]},
                 spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                """.formatted(
                                deleted ? ", deletionTimestamp: \"2026-01-01T00:00:00Z\"" : "",
                                isProtected ? ", " + WellKnown.PVC_PROTECTION : ""))
                .get(0);
    }
}
