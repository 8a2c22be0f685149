package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ApiWord;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSnapshotClass;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Words that a newer version of Kubernetes may add. An object that a store holds is read in spite of one, because a list with an
 * object that cannot be read says nothing about its kind at all; and what is written back is what was there.
 */
class UnknownWordsTest {
    private static final String VOLUME =
            "{apiVersion: v1, kind: PersistentVolume, metadata: {name: x}, spec: {nfs: {server: s, path: /p}%s}%s}";
    private static final String CLAIM =
            "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: x, namespace: a}, spec: {%s}%s}";

    private record Row(String manifest, Function<ApiObject, ApiWord> read, ApiWord unknown) {
        @Override
        public String toString() {
            return manifest;
        }
    }

    private static <T extends ApiObject> Row row(
            String manifest, Class<T> type, Function<T, ApiWord> read, ApiWord unknown) {
        return new Row(manifest, object -> read.apply(type.cast(object)), unknown);
    }

    static Stream<Row> words() {
        return Stream.of(
                row(
                        VOLUME.formatted(", accessModes: [ReadWriteOnce, Future]", ""),
                        PersistentVolume.class,
                        volume -> volume.spec().accessModes().get(1),
                        AccessMode.UNKNOWN),
                row(
                        VOLUME.formatted(", volumeMode: Future", ""),
                        PersistentVolume.class,
                        volume -> volume.spec().volumeMode(),
                        VolumeMode.UNKNOWN),
                row(
                        VOLUME.formatted(", persistentVolumeReclaimPolicy: Future", ""),
                        PersistentVolume.class,
                        volume -> volume.spec().reclaimPolicy(),
                        ReclaimPolicy.UNKNOWN),
                row(
                        VOLUME.formatted("", ", status: {phase: Future}"),
                        PersistentVolume.class,
                        volume -> volume.status().phase(),
                        VolumePhase.UNKNOWN),
                row(
                        CLAIM.formatted("accessModes: [Future]", ""),
                        PersistentVolumeClaim.class,
                        claim -> claim.spec().accessModes().get(0),
                        AccessMode.UNKNOWN),
                row(
                        CLAIM.formatted("volumeMode: Future", ""),
                        PersistentVolumeClaim.class,
                        claim -> claim.spec().volumeMode(),
                        VolumeMode.UNKNOWN),
                row(
                        CLAIM.formatted("", ", status: {phase: Future}"),
                        PersistentVolumeClaim.class,
                        claim -> claim.status().phase(),
                        ClaimPhase.UNKNOWN),
                row(
                        CLAIM.formatted("", ", status: {accessModes: [Future]}"),
                        PersistentVolumeClaim.class,
                        claim -> claim.status().accessModes().get(0),
                        AccessMode.UNKNOWN),
                row(
                        "{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: a}, status: {phase: Future}}",
                        Pod.class,
                        pod -> pod.status().phase(),
                        PodPhase.UNKNOWN),
                row(
                        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: x}, provisioner: p,"
                                + " volumeBindingMode: Future}",
                        StorageClass.class,
                        StorageClass::volumeBindingMode,
                        VolumeBindingMode.UNKNOWN),
                row(
                        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: x}, provisioner: p,"
                                + " reclaimPolicy: Future}",
                        StorageClass.class,
                        StorageClass::reclaimPolicy,
                        ReclaimPolicy.UNKNOWN),
                row(
                        "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: x}, spec: {fsGroupPolicy:"
                                + " Future}}",
                        CsiDriver.class,
                        driver -> driver.spec().fsGroupPolicy(),
                        CsiDriver.FsGroupPolicy.UNKNOWN),
                row(
                        "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: x}, spec:"
                                + " {volumeLifecycleModes: [Future]}}",
                        CsiDriver.class,
                        driver -> driver.spec().volumeLifecycleModes().get(0),
                        CsiDriver.LifecycleMode.UNKNOWN),
                row(
                        "{apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: x},"
                                + " driver: d, deletionPolicy: Future}",
                        VolumeSnapshotClass.class,
                        VolumeSnapshotClass::deletionPolicy,
                        DeletionPolicy.UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource("words")
    void isReadFromAStoreAsUnknownAndWrittenBackAsItWas(Row row) {
        ApiObject stored = Manifests.fromTree(tree(row.manifest()));

        assertThat(row.read().apply(stored)).isSameAs(row.unknown());
        assertThat(row.unknown().known()).isFalse();
        assertThat(Manifests.toTree(stored)).isEqualTo(tree(row.manifest()));
    }

    @ParameterizedTest
    @MethodSource("words")
    void isNotTakenForTheDefaultByWhoReadsACopyThatWasMadeWithoutTheDocument(Row row) {
        ApiObject stored = Manifests.fromTree(tree(row.manifest()));

        ApiObject copy = Manifests.fromTree(Manifests.toTree(withoutDocument(stored)));

        assertThat(row.read().apply(copy)).isSameAs(row.unknown());
    }

    private static ApiObject withoutDocument(ApiObject object) {
        if (object instanceof PersistentVolume volume) {
            return new PersistentVolume(volume.metadata(), volume.spec(), volume.status(), Unmodeled.none());
        }
        if (object instanceof PersistentVolumeClaim claim) {
            return new PersistentVolumeClaim(claim.metadata(), claim.spec(), claim.status(), Unmodeled.none());
        }
        if (object instanceof CsiDriver driver) {
            return new CsiDriver(driver.metadata(), driver.spec(), Unmodeled.none());
        }
        return object;
    }

    @ParameterizedTest
    @ValueSource(strings = {"accessModes: [ReadWriteSometimes]", "volumeMode: FileSystem"})
    void isAMistakeInATextThatAPersonWrote(String spec) {
        String text = CLAIM.formatted(spec, "");

        assertThatThrownBy(() -> Manifests.read("f.yaml", text))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("is not known: write one of ");
        assertThatThrownBy(() -> Manifests.fromWrittenTree(tree(text)))
                .isInstanceOfSatisfying(
                        ManifestException.class,
                        wrong -> assertThat(wrong.path()).startsWith("spec."))
                .hasMessageContaining("is not known: write one of ");
    }

    /** A tree as a server's answer is read: by no reader of manifests. */
    private static Map<String, @Nullable Object> tree(String manifest) {
        try {
            return new YAMLMapper().readValue(manifest, new TypeReference<Map<String, @Nullable Object>>() {});
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    @Test
    void namesTheFieldThatHoldsIt() {
        var volume = (PersistentVolume)
                Manifests.fromTree(tree(VOLUME.formatted(", accessModes: [ReadWriteOnce, Future]", "")));
        var claim = (PersistentVolumeClaim) Manifests.fromTree(tree(CLAIM.formatted("volumeMode: Future", "")));

        assertThat(volume.spec().unknownWord()).contains("accessModes");
        assertThat(claim.spec().unknownWord()).contains("volumeMode");
        assertThat(PersistentVolumeClaim.Spec.builder().build().unknownWord()).isEmpty();
    }
}
