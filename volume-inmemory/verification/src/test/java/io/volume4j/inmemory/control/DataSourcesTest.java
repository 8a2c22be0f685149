package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import org.junit.jupiter.api.Test;

/** Claims that are filled from objects of other kinds and other namespaces. */
class DataSourcesTest {
    private final ControlBench bench = new ControlBench();

    DataSourcesTest() {
        bench.features(ControllerFeatures.ofController().dataSources());
        bench.given(Classes.storageClass("fast", "mem"));
    }

    @Test
    void leavesAVolumeToItsPopulatorAndBindsWhatThatReserves() {
        bench.given(claim("dataSourceRef: {apiGroup: hello.example.com, kind: Hello, name: h}"))
                .startAndSettle();
        assertThat(bench.told(key("c"))).containsExactly("UnrecognizedDataSourceKind");

        bench.given(object(
                        "apiVersion: populator.storage.k8s.io/v1beta1, kind: VolumePopulator, metadata: {name: hello}, "
                                + "sourceKind: {group: hello.example.com, kind: Hello}"))
                .settle();
        assertThat(bench.told(key("c"))).containsExactly("UnrecognizedDataSourceKind", "ExternalProvisioning");
        assertThat(bench.storage.calls()).as("nothing is made here").isEmpty();

        bench.given(volume("filled").ofClass("fast").boundTo("c", "uid-c").made())
                .settle();

        assertThat(bench.claim("c").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(bench.claim("c").spec().volumeName()).isEqualTo("filled");
    }

    @Test
    void waitsForTheGrantOfAnotherNamespace() {
        bench.given(claim("dataSourceRef: {kind: PersistentVolumeClaim, name: golden, namespace: prod}"))
                .startAndSettle();
        assertThat(bench.told(key("c"))).containsExactly("ProvisioningFailed");
        assertThat(bench.explain(key("c")).text()).contains("no ReferenceGrant in namespace prod");

        bench.given(grant("prod")).settle();

        assertThat(bench.explain(key("c")).text())
                .as("allowed now; the in-memory plugin copies nothing")
                .contains("does not fill volumes from a data source");
    }

    /** Users of any namespace may make grants there, and a cluster has many claims. */
    @Test
    void aGrantHasOnlyTheClaimsVisitedThatNameItsNamespace() {
        VisitedObjects visited = bench.visits(Kind.PERSISTENT_VOLUME_CLAIM);
        bench.given(claim("dataSourceRef: {kind: PersistentVolumeClaim, name: golden, namespace: prod}"))
                .startAndSettle();
        visited.take();

        bench.given(grant("test")).settle();
        assertThat(visited.take()).isEmpty();

        bench.given(grant("prod")).settle();
        assertThat(visited.take()).contains(key("c"));
    }

    private static ApiObject grant(String namespace) {
        return object(
                "apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: {name: g, namespace: "
                        + namespace
                        + "}, spec: {from: [{group: '', kind: PersistentVolumeClaim, namespace: ns}], to: [{group: '', kind:"
                        + " PersistentVolumeClaim}]}");
    }

    private static ApiObject claim(String source) {
        return object(
                "apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: uid-c}, spec: {accessModes: "
                        + "[ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}, " + source
                        + "}");
    }

    private static ApiObject object(String fields) {
        return Manifests.read("test", "{" + fields + "}").get(0);
    }
}
