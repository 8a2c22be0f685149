package io.volume4j.core.control.ephemeral;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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
        "Running, unowned, TELL",
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
        List<PodView.Item> items = PodClaims.ofVolumes(pod).stream()
                .map(desired -> new PodView.Item(desired, existing))
                .toList();

        assertThat(items).hasSize(1);
        Plan<ClusterStep> plan = EphemeralPlanner.plan(new PodView(pod, items, LastEvents.nothing()));
        assertThat(outcome(plan)).isEqualTo(does);
        assertThat(plan.waits()).hasSize(does.equals("TELL") || does.equals("wait") ? 1 : 0);
    }

    /** What others gave it stays; of pod and set the claim belongs to whom the policy says. */
    @ParameterizedTest(name = "{0}, scaled away {1}, belongs to {2}: to {3}")
    @CsvSource(delimiter = '|', textBlock = """
            whenDeleted=Retain,whenScaled=Retain | false | -         | unchanged
            whenDeleted=Delete,whenScaled=Retain | false | -         | set
            whenDeleted=Delete,whenScaled=Retain | false | set       | unchanged
            whenDeleted=Delete,whenScaled=Retain | false | user      | user, set
            whenDeleted=Retain,whenScaled=Retain | false | set       | -
            whenDeleted=Retain,whenScaled=Retain | false | set, user | user
            whenDeleted=Retain,whenScaled=Delete | true  | -         | p
            whenDeleted=Retain,whenScaled=Delete | true  | p         | unchanged
            whenDeleted=Delete,whenScaled=Delete | true  | set, user | user, p
            whenDeleted=Delete,whenScaled=Delete | false | p, user   | user, set
            whenDeleted=Retain,whenScaled=Retain | false | job       | job
            """)
    void aClaimOfATemplateBelongsToWhomItsRetentionPolicySays(
            String policy, boolean scaledAway, String owners, String after) {
        Pod pod =
                (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod,
                 metadata: {name: p, namespace: ns, uid: u-p,
                   annotations: {volume4j.io/claim-retention: "%s", volume4j.io/scaled-away: "%s"},
                   ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: set, uid: u-set, controller: true},
                                     {apiVersion: batch/v1, kind: Job, name: job, uid: u-job}]},
                 spec: {}}
                """.formatted(policy, scaledAway)).get(0);
        DesiredClaim desired = new DesiredClaim(ObjectKey.claim("ns", "data-p"), claim(""), false, "");
        EphemeralView view = new PodView(
                pod, List.of(new PodView.Item(desired, Lookup.found(ownedBy(owners)))), LastEvents.nothing());

        Plan<ClusterStep> plan = EphemeralPlanner.plan(view);

        if (after.equals("unchanged") || after.equals(owners)) {
            assertThat(plan.steps()).isEmpty();
        } else {
            assertThat(plan.steps())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            ClusterWork.Write.class,
                            write -> assertThat(write.writes().get(0).changes())
                                    .singleElement()
                                    .satisfies(change ->
                                            assertThat(namesOf(change.value())).isEqualTo(after)));
        }
    }

    /** Some API servers allow a change of blockOwnerDeletion only to those who may finalize the owner. */
    @Test
    void theReferencesOfOthersStayAsTheyAre() {
        Pod pod = (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: u-p,
                   annotations: {volume4j.io/claim-retention: "whenDeleted=Retain,whenScaled=Delete",
                                 volume4j.io/scaled-away: "true"}},
                 spec: {}}
                """).get(0);
        PersistentVolumeClaim claim =
                (PersistentVolumeClaim) Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: data-p, namespace: ns, ownerReferences: [
                   {apiVersion: v1, kind: ConfigMap, name: user, uid: u-user, blockOwnerDeletion: false}]}, spec: {}}
                """).get(0);
        DesiredClaim desired = new DesiredClaim(ObjectKey.claim("ns", "data-p"), claim, false, "");

        Plan<ClusterStep> plan = EphemeralPlanner.plan(
                new PodView(pod, List.of(new PodView.Item(desired, Lookup.found(claim))), LastEvents.nothing()));

        assertThat(plan.steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClusterWork.Write.class,
                        write -> assertThat((List<?>) Objects.requireNonNull(
                                        write.writes().get(0).changes().get(0).value()))
                                .first()
                                .isEqualTo(Map.of(
                                        "apiVersion", "v1",
                                        "kind", "ConfigMap",
                                        "name", "user",
                                        "uid", "u-user",
                                        "blockOwnerDeletion", false)));
    }

    private static String namesOf(@Nullable Object trees) {
        List<String> names = new ArrayList<>();
        for (Object tree : (List<?>) Objects.requireNonNull(trees)) {
            names.add(String.valueOf(((Map<?, ?>) tree).get("name")));
        }
        return names.isEmpty() ? "-" : String.join(", ", names);
    }

    private static PersistentVolumeClaim ownedBy(String owners) {
        StringBuilder references = new StringBuilder();
        for (String name : owners.equals("-") ? new String[0] : owners.split(", ")) {
            String kind = switch (name) {
                case "p" -> "apiVersion: v1, kind: Pod, controller: true";
                case "set" -> "apiVersion: apps/v1, kind: StatefulSet";
                case "job" -> "apiVersion: batch/v1, kind: Job";
                default -> "apiVersion: v1, kind: ConfigMap";
            };
            references.append("{%s, name: %s, uid: u-%s},".formatted(kind, name, name));
        }
        return (PersistentVolumeClaim)
                Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: data-p, namespace: ns, ownerReferences: [%s]}, spec: {}}
                """.formatted(references)).get(0);
    }

    @Test
    void aClaimThatCannotBeMadeIsToldAndWaitsForAnotherPod() {
        Pod pod = (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: u1},
                 spec: {volumes: [{name: data, ephemeral: {}}]}}
                """).get(0);
        EphemeralView view = new PodView(
                pod,
                PodClaims.ofVolumes(pod).stream()
                        .map(desired -> new PodView.Item(desired, Lookup.missing()))
                        .toList(),
                LastEvents.nothing());

        Plan<ClusterStep> plan = EphemeralPlanner.plan(view);

        assertThat(outcome(plan)).isEqualTo("TELL");
        assertThat(plan.waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.why()).isEqualTo("there is no template for claim p-data"));
    }

    /** Another controller's claim, and one that a pod owns without controlling it, are no claims of pods. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            apiVersion: v1, kind: Pod, name: p, uid: u, controller: true             | true
            apiVersion: v1, kind: Pod, name: p, uid: u                               | false
            apiVersion: apps/v1, kind: StatefulSet, name: p, uid: u, controller: true | false
            apiVersion: example.com/v1, kind: Pod, name: p, uid: u, controller: true | false
            """)
    void thePodThatControlsAClaimOwnsIt(String owner, boolean owned) {
        PersistentVolumeClaim claim = (PersistentVolumeClaim)
                Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: data-p, namespace: ns, ownerReferences: [{%s}]}, spec: {}}
                """.formatted(owner)).get(0);

        assertThat(EphemeralPlanner.owningPod(claim).isPresent()).isEqualTo(owned);
    }

    @ParameterizedTest(name = "its pod is {0}: {1}")
    @CsvSource({"FOUND, nothing", "UNKNOWN, nothing", "MISSING, VERIFY", "ABSENT, REMOVE"})
    void ofAClaimThatBelongsToAPod(Lookup.State state, String does) {
        OwnerReference owner = new OwnerReference("v1", "Pod", "p", "u1", true);

        EphemeralView view = new OwnedClaimView(claim("u1"), owner, new Lookup<Pod>(state, null));

        assertThat(outcome(EphemeralPlanner.plan(view))).isEqualTo(does);
    }

    /** As with Kubernetes' garbage collector, an object stays while it has another owner. */
    @ParameterizedTest(name = "of {0}")
    @CsvSource({"'p, user', user", "'set, p', set"})
    void aClaimWithAnotherOwnerOnlyLeavesThePodThatIsGone(String owners, String after) {
        OwnerReference pod = new OwnerReference("v1", "Pod", "p", "u-p", true);

        EphemeralView view = new OwnedClaimView(ownedBy(owners), pod, new Lookup<Pod>(Lookup.State.ABSENT, null));

        assertThat(EphemeralPlanner.plan(view).steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClusterWork.Write.class,
                        write -> assertThat(write.writes().get(0).changes())
                                .singleElement()
                                .satisfies(change ->
                                        assertThat(namesOf(change.value())).isEqualTo(after)));
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
