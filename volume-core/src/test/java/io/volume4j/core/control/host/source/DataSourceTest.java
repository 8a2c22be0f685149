package io.volume4j.core.control.host.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.VolumePopulator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a claim in namespace {@code dev} is filled from, and whether it may be. */
class DataSourceTest {
    private static final String SNAPSHOT = "{apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s";
    private static final String HELLO = "{apiGroup: hello.example.com, kind: Hello, name: h";

    @ParameterizedTest
    @CsvSource({
        "'dataSource: {kind: PersistentVolumeClaim, name: c}', CLAIM, PersistentVolumeClaim dev/c",
        "'dataSourceRef: {kind: PersistentVolumeClaim, name: c}', CLAIM, PersistentVolumeClaim dev/c",
        "'dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s}', SNAPSHOT, VolumeSnapshot.snapshot.storage.k8s.io dev/s",
        "'dataSourceRef: {apiGroup: hello.example.com, kind: Hello, name: h}', POPULATED, Hello.hello.example.com dev/h",
        "'dataSourceRef: {apiGroup: other.example.com, kind: VolumeSnapshot, name: s}', POPULATED, VolumeSnapshot.other.example.com dev/s",
        "'dataSource: {kind: PersistentVolumeClaim, name: c}, dataSourceRef: {apiGroup: hello.example.com, kind: Hello, name: h}', POPULATED, Hello.hello.example.com dev/h",
        "'storageClassName: x', NONE, ''",
    })
    void tellsWhoFillsTheVolume(String spec, DataSource.Kind kind, String what) {
        DataSource source = DataSource.of(claim(spec), new DataSource.Rules(false, false, List.of(), List.of()));

        assertThat(source).isEqualTo(new DataSource(kind, what, true, ""));
    }

    @ParameterizedTest
    @CsvSource({
        // from kind, from namespace, to group, to kind, to name, grant's namespace, allowed
        "PersistentVolumeClaim, dev, snapshot.storage.k8s.io, VolumeSnapshot, '', prod, true",
        "PersistentVolumeClaim, dev, snapshot.storage.k8s.io, VolumeSnapshot, s, prod, true",
        "PersistentVolumeClaim, dev, snapshot.storage.k8s.io, VolumeSnapshot, other, prod, false",
        "PersistentVolumeClaim, qa, snapshot.storage.k8s.io, VolumeSnapshot, '', prod, false",
        "Pod, dev, snapshot.storage.k8s.io, VolumeSnapshot, '', prod, false",
        "PersistentVolumeClaim, dev, '', VolumeSnapshot, '', prod, false",
        "PersistentVolumeClaim, dev, snapshot.storage.k8s.io, PersistentVolumeClaim, '', prod, false",
        "PersistentVolumeClaim, dev, snapshot.storage.k8s.io, VolumeSnapshot, '', dev, false",
    })
    void needsAGrantOfTheNamespaceThatTheSourceIsIn(
            String from, String namespace, String group, String kind, String name, String at, boolean allowed) {
        ReferenceGrant grant = (ReferenceGrant) Manifests.read(
                        "g",
                        "{apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: {name: g, namespace: "
                                + at
                                + "}, spec: {from: [{group: '', kind: " + from + ", namespace: " + namespace
                                + "}], to: [{group: '"
                                + group + "', kind: " + kind + ", name: '" + name + "'}]}}")
                .get(0);
        PersistentVolumeClaim claim = claim("dataSourceRef: " + SNAPSHOT + ", namespace: prod}");

        String refusal = DataSource.of(claim, rules(List.of(grant), List.of())).refusal();

        assertThat(refusal)
                .isEqualTo(
                        allowed
                                ? ""
                                : "no ReferenceGrant in namespace prod allows claims of namespace dev to use"
                                        + " VolumeSnapshot.snapshot.storage.k8s.io prod/s");
    }

    @Test
    void needsNoGrantInItsOwnNamespace() {
        assertThat(DataSource.of(claim("dataSourceRef: " + SNAPSHOT + "}"), rules(List.of(), List.of()))
                        .refusal())
                .isEmpty();
        assertThat(DataSource.of(claim("dataSourceRef: " + SNAPSHOT + ", namespace: dev}"), rules(List.of(), List.of()))
                        .refusal())
                .isEmpty();
    }

    @Test
    void neverLeavesTheNamespaceByTheOlderField() {
        DataSource source =
                DataSource.of(claim("dataSource: " + SNAPSHOT + ", namespace: prod}"), rules(List.of(), List.of()));

        assertThat(source.what()).isEqualTo("VolumeSnapshot.snapshot.storage.k8s.io dev/s");
        assertThat(source.refusal()).isEmpty();
    }

    @Test
    void needsAPopulatorThatIsRegistered() {
        VolumePopulator populator = (VolumePopulator) Manifests.read(
                        "p",
                        "{apiVersion: populator.storage.k8s.io/v1beta1, kind: VolumePopulator, metadata: {name: p}, sourceKind: {group: hello.example.com, kind: Hello}}")
                .get(0);
        PersistentVolumeClaim claim = claim("dataSourceRef: " + HELLO + "}");

        assertThat(DataSource.of(claim, rules(List.of(), List.of())).refusal())
                .isEqualTo("no VolumePopulator is registered for Hello.hello.example.com dev/h");
        assertThat(DataSource.of(claim, rules(List.of(), List.of(populator))).refusal())
                .isEmpty();
    }

    @Test
    void refusesWhatItCannotKnow() {
        PersistentVolumeClaim elsewhere = claim("dataSourceRef: " + SNAPSHOT + ", namespace: prod}");

        assertThat(DataSource.of(elsewhere, new DataSource.Rules(true, false, List.of(), List.of()))
                        .known())
                .isFalse();
        assertThat(DataSource.of(elsewhere, new DataSource.Rules(false, false, List.of(), List.of()))
                        .refusal())
                .contains("grants between namespaces are not read here");
    }

    private static DataSource.Rules rules(List<ReferenceGrant> grants, List<VolumePopulator> populators) {
        return new DataSource.Rules(true, true, grants, populators);
    }

    private static PersistentVolumeClaim claim(String spec) {
        return (PersistentVolumeClaim) Manifests.read(
                        "c",
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: dev}, spec: {accessModes: [ReadWriteOnce], "
                                + spec + "}}")
                .get(0);
    }
}
