package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is in use stays, and goes when its last user does. */
class ProtectionTest {
    private static final ObjectKey GOLD = new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", "gold");

    private final ControlBench bench = new ControlBench();

    ProtectionTest() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.PROTECTION));
    }

    private static Pod ephemeral(String name, String node, PodPhase phase) {
        return (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: ns, uid: uid-%s},
                 spec: {nodeName: "%s", containers: [{name: a, image: b}], volumes: [{name: data, ephemeral:
                   {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]},
                 status: {phase: %s}}
                """.formatted(name, name, node, phase.apiName()))
                .get(0);
    }

    @Test
    void claimsAndVolumesAreProtectedFromTheBeginning() {
        bench.given(claim("c").made(), volume("v").made()).startAndSettle();

        assertThat(bench.claim("c").metadata().finalizers()).contains(WellKnown.PVC_PROTECTION);
        assertThat(bench.volume("v").metadata().finalizers()).contains(WellKnown.PV_PROTECTION);
    }

    @ParameterizedTest(name = "a pod that is {0}: {1}")
    @CsvSource({
        "RUNNING, true",
        "SUCCEEDED, true",
        "FAILED, true",
        "PENDING, false",
    })
    void aDeletedClaimStaysWhileAPodThatHasANodeNamesIt(PodPhase phase, boolean stays) {
        bench.given(claim("c").finalizer(WellKnown.PVC_PROTECTION).made(), Pods.using("p", "c", phase))
                .startAndSettle();
        bench.cluster.remove(key("c"));
        bench.settle();
        assertThat(bench.has(key("c"))).isEqualTo(stays);

        bench.cluster.remove(ObjectKey.pod("ns", "p"));
        bench.settle();
        assertThat(bench.has(key("c"))).isFalse();
    }

    /** The server's answer shows the claim as it was before. Until the watch shows that it is gone, this is no failure. */
    @Test
    void lettingAClaimGoIsAWriteThatWasKept() {
        bench.given(claim("c").finalizer(WellKnown.PVC_PROTECTION).made()).startAndSettle();
        bench.server(patch -> {
            bench.cluster.get(key("c")).ifPresent(bench::hideFromWatches);
            return patch;
        });
        bench.cluster.remove(key("c"));
        bench.settle();

        assertThat(bench.has(key("c"))).isFalse();
        assertThat(bench.told(key("c"))).doesNotContain("FailedWrite");
    }

    @ParameterizedTest(name = "an ephemeral volume of a pod on {0} that is {1}: {2}")
    @CsvSource({"n1, RUNNING, true", "n1, SUCCEEDED, false", "'', PENDING, false"})
    void aClaimOfAnEphemeralVolumeStaysWhileItsPodRuns(String node, PodPhase phase, boolean stays) {
        bench.given(claim("p-data").finalizer(WellKnown.PVC_PROTECTION).made(), ephemeral("p", node, phase))
                .startAndSettle();
        bench.cluster.remove(key("p-data"));
        bench.settle();

        assertThat(bench.has(key("p-data"))).isEqualTo(stays);
    }

    @Test
    void thePodOfAnotherNamespaceKeepsNothing() {
        bench.given(claim("c").finalizer(WellKnown.PVC_PROTECTION).made())
                .manifests("""
                {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: elsewhere},
                 spec: {nodeName: n1, containers: [{name: a, image: b}],
                        volumes: [{name: data, persistentVolumeClaim: {claimName: c}}]},
                 status: {phase: Running}}
                """)
                .startAndSettle();
        bench.cluster.remove(key("c"));
        bench.settle();

        assertThat(bench.has(key("c"))).isFalse();
    }

    @Test
    void aUseThatNoWatchHasShownYetKeepsTheClaim() {
        bench.given(claim("c").finalizer(WellKnown.PVC_PROTECTION).made()).startAndSettle();
        bench.hideFromWatches(Pods.using("p", "c", PodPhase.RUNNING));
        bench.cluster.remove(key("c"));
        bench.settle();
        assertThat(bench.has(key("c"))).isTrue();

        bench.cluster.remove(ObjectKey.pod("ns", "p"));
        bench.settle();
        assertThat(bench.has(key("c"))).isFalse();
    }

    @Test
    void aStoreThatAnswersSlowlyKeepsNoClaim() {
        bench.given(claim("c").finalizer(WellKnown.PVC_PROTECTION).made()).startAndSettle();
        int before = bench.listings(Kind.POD);
        listingsOfPodsTakeAWhile(10);
        bench.cluster.remove(key("c"));
        bench.settle();

        assertThat(bench.has(key("c"))).isFalse();
        assertThat(bench.listings(Kind.POD) - before).isEqualTo(1);
    }

    private void listingsOfPodsTakeAWhile(int howMany) {
        if (howMany > 0) {
            bench.duringListing(Kind.POD, () -> {
                bench.loop.pass(Duration.ofSeconds(20));
                listingsOfPodsTakeAWhile(howMany - 1);
            });
        }
    }

    @Test
    void manyClaimsThatGoAtOnceCostAFewListings() {
        for (int i = 0; i < 100; i++) {
            bench.given(claim("c-" + i).finalizer(WellKnown.PVC_PROTECTION).made());
        }
        bench.startAndSettle();
        int before = bench.listings(Kind.POD);
        for (int i = 0; i < 100; i++) {
            bench.cluster.remove(key("c-" + i));
        }
        bench.settle();

        assertThat(bench.has(key("c-99"))).isFalse();
        assertThat(bench.listings(Kind.POD) - before).isBetween(1, 3);
    }

    @Test
    void aDeletedVolumeStaysWhileItIsBound() {
        bench.given(
                        claim("c").volumeName("v").completed().bound().made(),
                        volume("v")
                                .boundTo("c", "uid-c")
                                .phase(VolumePhase.BOUND)
                                .finalizer(WellKnown.PV_PROTECTION)
                                .made())
                .startAndSettle();
        bench.cluster.remove(ObjectKey.volume("v"));
        bench.settle();
        assertThat(bench.has(ObjectKey.volume("v"))).isTrue();

        bench.cluster.remove(key("c"));
        bench.settle();
        assertThat(bench.has(key("c"))).isFalse();
        assertThat(bench.has(ObjectKey.volume("v"))).isFalse();
    }

    @Test
    void anAttributesClassStaysWhileAClaimOrAVolumeNamesIt() {
        bench.manifests("""
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold}, driverName: mem}
                """)
                .given(
                        claim("c").attributesClass("gold").made(),
                        volume("v").attributesClass("gold").size("1Mi").made())
                .startAndSettle();
        bench.cluster.remove(GOLD);
        bench.settle();
        assertThat(bench.has(GOLD)).isTrue();

        bench.cluster.remove(key("c"));
        bench.settle();
        assertThat(bench.has(GOLD)).as("the volume still names it").isTrue();

        bench.cluster.remove(ObjectKey.volume("v"));
        bench.settle();
        assertThat(bench.has(GOLD)).isFalse();
    }

    @Test
    void aClassThatAClaimNamesWithoutAnyWatchHavingShownItStays() {
        bench.manifests("""
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold}, driverName: mem}
                """).startAndSettle();
        bench.hideFromWatches(claim("c").attributesClass("gold").made());
        bench.cluster.remove(GOLD);
        bench.settle();

        assertThat(bench.has(GOLD)).isTrue();
    }
}
