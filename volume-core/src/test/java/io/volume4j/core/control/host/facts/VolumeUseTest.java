package io.volume4j.core.control.host.facts;

import static io.volume4j.core.control.PlanRow.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which claims a pod keeps from removal. */
class VolumeUseTest {
    private static final Map<String, ObjectKey> CLAIMS = Map.of(
            "named",
            ObjectKey.claim("a", "named"),
            "own",
            ObjectKey.claim("a", "p-own"),
            "other",
            ObjectKey.claim("b", "named"));

    @ParameterizedTest(name = "a {1} pod {0}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            on a node      | Running   | named own
            on a node      | Pending   | named own
            # Its volumes may still be in use for inspection, but the claim made for it goes with it.
            on a node      | Succeeded | named
            on a node      | Failed    | named
            without a node | Pending   |
            """)
    void aPodKeeps(String where, String phase, String kept) {
        Pod pod = object(Pod.class, """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: a}
                spec:
                  nodeName: "NODE"
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: named}}
                  - {name: own, ephemeral: {volumeClaimTemplate: {spec: {}}}}
                  - {name: scratch, emptyDir: {}}
                status: {phase: PHASE}
                """.replace("NODE", where.startsWith("on") ? "n1" : "")
                .replace("PHASE", phase));
        List<ObjectKey> expected = kept == null
                ? List.of()
                : List.of(kept.split(" ")).stream().map(CLAIMS::get).toList();

        assertThat(VolumeUse.kept(pod)).containsExactlyElementsOf(expected);
        CLAIMS.values().forEach(claim -> assertThat(VolumeUse.keeps(pod, claim)).isEqualTo(expected.contains(claim)));
    }
}
