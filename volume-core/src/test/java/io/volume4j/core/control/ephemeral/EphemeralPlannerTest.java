package io.volume4j.core.control.ephemeral;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which claims are made for a pod, which are left alone, and which go with it. */
class EphemeralPlannerTest {
    @ParameterizedTest(name = "pod {0}, claim {1}: {2}")
    @CsvSource({
        "Running, absent,  CREATE",
        "Pending, absent,  CREATE",
        "Running, unknown, wait",
        "Running, own,     nothing",
        "Running, other,   TELL",
        "Running, nobody,  TELL",
        "Failed,  absent,  nothing",
        "Failed,  own,     nothing",
        "Failed,  other,   TELL",
    })
    void ofAnEphemeralVolume(String phase, String there, String does) {
        Pod pod = (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: u1},
                 spec: {containers: [{name: a, image: b}], volumes: [{name: data, ephemeral: {volumeClaimTemplate:
                   {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}}}}]},
                 status: {phase: %s}}
                """.formatted(phase)).get(0);
        Lookup<PersistentVolumeClaim> existing = switch (there) {
            case "absent" -> Lookup.missing();
            case "unknown" -> Lookup.unknown();
            case "own" -> Lookup.found(claim("u1"));
            case "other" -> Lookup.found(claim("u2"));
            default -> Lookup.found(claim(""));
        };
        List<PodView.Item> items = PodClaims.of(pod).stream()
                .map(desired -> new PodView.Item(desired, existing))
                .toList();

        assertThat(items).hasSize(1);
        assertThat(outcome(EphemeralPlanner.plan(new PodView(pod, items, LastEvents.nothing()))))
                .isEqualTo(does);
    }

    @ParameterizedTest(name = "its pod is {0}: {1}")
    @CsvSource({"FOUND, nothing", "UNKNOWN, nothing", "MISSING, VERIFY", "ABSENT, REMOVE"})
    void ofAClaimThatBelongsToAPod(Lookup.State state, String does) {
        OwnerReference owner = new OwnerReference("v1", "Pod", "p", "u1", true);

        assertThat(outcome(EphemeralPlanner.plan(new OwnedClaimView(claim("u1"), owner, new Lookup<Pod>(state, null)))))
                .isEqualTo(does);
    }

    private static String outcome(Plan<ClusterStep> plan) {
        if (!plan.steps().isEmpty()) {
            return plan.steps().get(0).kind().name();
        }
        return plan.waits().isEmpty() ? "nothing" : "wait";
    }

    private static PersistentVolumeClaim claim(String owner) {
        String owners = owner.isEmpty()
                ? ""
                : ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: " + owner + ", controller: true}]";
        return (PersistentVolumeClaim)
                Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: p-data, namespace: ns, uid: c%s},
                 spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                """.formatted(owners)).get(0);
    }
}
