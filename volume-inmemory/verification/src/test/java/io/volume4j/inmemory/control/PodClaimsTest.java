package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.Pod;
import org.junit.jupiter.api.Test;

/** Claims that come with pods: of ephemeral volumes, which go with the pod, and of templates, which stay. */
class PodClaimsTest {
    private static final ObjectKey POD = ObjectKey.pod("ns", "p");

    private final ControlBench bench = new ControlBench();

    PodClaimsTest() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.EPHEMERAL));
        bench.given(Classes.defaultClass("fast", "mem"));
    }

    private static Pod ephemeral(String uid) {
        return (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: %s},
                 spec: {containers: [{name: a, image: b}], volumes: [{name: data, ephemeral: {volumeClaimTemplate:
                   {metadata: {labels: {app: x}},
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}}}}]},
                 status: {phase: Pending}}
                """.formatted(uid)).get(0);
    }

    /** A pod of a set, with a claim of a template. */
    private static Pod ofSet(String uid, String more) {
        return (Pod) Manifests.read("test", """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: p
                  namespace: ns
                  uid: %s
                  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: s, uid: uid-s, controller: true}]
                  annotations:
                    volume4j.io/volume-claim-templates: |
                      apiVersion: v1
                      kind: PersistentVolumeClaim
                      metadata: {name: data}
                      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 3Gi}}}
                %s
                spec:
                  containers: [{name: a, image: b}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data-p}}]
                status: {phase: Pending}
                """.formatted(uid, more)).get(0);
    }

    @Test
    void anEphemeralVolumeGetsAClaimOfThePod() {
        bench.given(ephemeral("u1")).startAndSettle();

        assertThat(bench.claim("p-data").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.claim("p-data").metadata().labels()).containsEntry("app", "x");
        assertThat(bench.claim("p-data").metadata().ownerReferences())
                .containsExactly(new OwnerReference("v1", "Pod", "p", "u1", true));
    }

    @Test
    void theClaimGoesWithThePodAndItsStorageToo() {
        bench.given(ephemeral("u1")).startAndSettle();
        bench.cluster.remove(POD);
        bench.settle();

        assertThat(bench.has(key("p-data"))).isFalse();
        assertThat(bench.storage.volumes()).isEmpty();
    }

    @Test
    void theClaimOfAPodThatIsGoneWhenTheControllerStartsGoesToo() {
        bench.given(ephemeral("u1")).startAndSettle();
        bench.kill();
        bench.cluster.remove(POD);
        bench.startAndSettle();

        assertThat(bench.has(key("p-data"))).isFalse();
    }

    @Test
    void theClaimStaysWhileOnlyAWatchMissesItsPod() {
        Pod pod = ephemeral("u1");
        bench.given(pod).startAndSettle();
        bench.kill();
        bench.hideFromLists(pod);
        bench.startAndSettle();

        assertThat(bench.has(key("p-data"))).isTrue();
    }

    /** It would say of the first failure of the new pod that it has lasted since the old one. */
    @Test
    void theFailureOfACreationForAPodThatIsGoneMeanwhileIsNoneOfTheNextPodOfTheName() {
        ClusterFault refused =
                ClusterFault.on(ClusterVerb.CREATE).of(key("p-data")).as(Rejection.FORBIDDEN);
        bench.cluster.fail(refused);
        bench.duringCreation(() -> bench.cluster.remove(POD));
        bench.given(ephemeral("u1")).startAndSettle();

        bench.cluster.fail(refused);
        bench.given(ephemeral("u2")).settle();

        assertThat(bench.claim("p-data").metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly("u2");
        assertThat(bench.told(POD)).isEmpty();
    }

    @Test
    void theNextPodOfTheNameGetsAClaimOfItsOwn() {
        bench.given(ephemeral("u1")).startAndSettle();
        String first = bench.claim("p-data").metadata().uid();
        bench.cluster.remove(POD);
        bench.given(ephemeral("u2")).settle();

        assertThat(bench.claim("p-data").metadata().uid()).isNotEqualTo(first);
        assertThat(bench.claim("p-data").metadata().ownerReferences().get(0).uid())
                .isEqualTo("u2");
        assertThat(bench.claim("p-data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void aClaimOfAnotherIsNeverTakenAndNeverRemoved() {
        bench.given(claim("p-data").made(), ephemeral("u1")).startAndSettle();
        assertThat(bench.told(POD)).contains("ClaimNotOwned");
        bench.cluster.remove(POD);
        bench.settle();

        assertThat(bench.has(key("p-data"))).isTrue();
    }

    @Test
    void aDeletedClaimIsMadeAgainWhileThePodIsThere() {
        bench.given(ephemeral("u1")).startAndSettle();
        bench.cluster.remove(key("p-data"));
        bench.settle();

        assertThat(bench.claim("p-data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void aPodThatHasEndedGetsNone() {
        bench.given(ephemeral("u1"));
        bench.patch(POD, true, FieldChange.set("Failed", "status", "phase"));
        bench.startAndSettle();

        assertThat(bench.has(key("p-data"))).isFalse();
    }

    @Test
    void aTemplatesClaimIsKeptForTheNextPodOfTheName() {
        bench.given(ofSet("u1", "")).startAndSettle();
        String first = bench.claim("data-p").metadata().uid();
        assertThat(bench.claim("data-p").metadata().ownerReferences()).isEmpty();
        bench.cluster.remove(POD);
        bench.settle();
        assertThat(bench.has(key("data-p"))).isTrue();

        bench.given(ofSet("u2", "")).settle();
        assertThat(bench.claim("data-p").metadata().uid()).isEqualTo(first);
    }

    @Test
    void aTemplatesClaimBelongsToTheSetWhereItIsToGoWithIt() {
        bench.given(ofSet("u1", "    volume4j.io/claim-retention: whenDeleted=Delete,whenScaled=Retain"))
                .startAndSettle();

        assertThat(bench.claim("data-p").metadata().ownerReferences())
                .containsExactly(new OwnerReference("apps/v1", "StatefulSet", "s", "uid-s", false));
    }

    @Test
    void aTemplatesClaimGoesWithAPodThatIsScaledAwayWhereItsPolicySaysSo() {
        String delete = "    volume4j.io/claim-retention: whenScaled=Delete";
        bench.given(ofSet("u1", delete)).startAndSettle();
        bench.cluster.remove(POD);
        bench.given(ofSet("u2", delete)).settle();
        assertThat(bench.claim("data-p").metadata().ownerReferences()).isEmpty();

        bench.patch(POD, false, FieldChange.set("true", "metadata", "annotations", "volume4j.io/scaled-away"));
        bench.settle();
        bench.cluster.remove(POD);
        bench.settle();

        assertThat(bench.has(key("data-p"))).isFalse();
    }

    @Test
    void aTemplateThatCannotBeReadIsTold() {
        bench.manifests("""
                {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns,
                   annotations: {volume4j.io/volume-claim-templates: "}{"}},
                 spec: {containers: [{name: a, image: b}]}, status: {phase: Pending}}
                """).startAndSettle();

        assertThat(bench.told(POD)).containsExactly("FailedCreateClaim");
    }

    @Test
    void templatesThatAreTooLargeAreToldAndMakeNoClaim() {
        bench.given(withTemplates("u1", "#" + "x".repeat(40_000) + "\n" + TEMPLATE));
        bench.startAndSettle();

        assertThat(bench.told(POD)).containsExactly("FailedCreateClaim");
        assertThat(bench.has(key("data-p"))).isFalse();

        bench.given(withTemplates("u1", TEMPLATE)).settle();
        assertThat(bench.claim("data-p").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    private static final String TEMPLATE = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 3Gi}}}
            """;

    private static Pod withTemplates(String uid, String text) {
        Pod pod = ofSet(uid, "");
        return new Pod(
                pod.metadata().withAnnotation("volume4j.io/volume-claim-templates", text),
                pod.spec(),
                pod.status(),
                pod.unmodeled());
    }

    @Test
    void convergesAfterACrashBehindEveryWrite() {
        for (int write = 1; write < 40; write++) {
            PodClaimsTest other = new PodClaimsTest();
            other.bench.given(ephemeral("u1"), ofSetNamed("q"));
            other.bench.crashAfterWrite(write).startAndSettle();
            boolean crashed = other.bench.crashed();
            if (crashed) {
                other.bench.startAndSettle();
            }
            assertThat(other.bench.claim("p-data").status().phase()).isEqualTo(ClaimPhase.BOUND);
            assertThat(other.bench.claim("data-q").status().phase()).isEqualTo(ClaimPhase.BOUND);
            assertThat(other.bench.storage.volumes()).hasSize(2);
            if (!crashed) {
                assertThat(write).isGreaterThan(8);
                return;
            }
        }
        throw new AssertionError("too many writes");
    }

    private static Pod ofSetNamed(String name) {
        return (Pod) Manifests.read(
                        "test",
                        Manifests.toYaml(ofSet("uid-" + name, ""))
                                .replace("name: \"p\"", "name: " + name)
                                .replace("name: p\n", "name: " + name + "\n"))
                .get(0);
    }
}
