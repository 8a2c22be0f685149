package io.volume4j.core.control.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.PersistentVolume;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ends is kept for others of one storage. */
class StorageTest {
    private static final Storage STORAGE = new Storage(CsiMigration.standard());

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            csi: {driver: d, volumeHandle: h}  | csi: {driver: d, volumeHandle: h}   | true
            csi: {driver: d, volumeHandle: h}  | csi: {driver: e, volumeHandle: h}   | false
            csi: {driver: d, volumeHandle: h}  | csi: {driver: d, volumeHandle: i}   | false
            nfs: {server: s, path: /p}         | nfs: {server: s, path: /p}          | true
            nfs: {server: s, path: /p}         | nfs: {server: t, path: /p}          | false
            nfs: {server: s, path: h}          | csi: {driver: d, volumeHandle: h}   | false
            """)
    void ofOneStorageIsWhatHasOneNameThere(String one, String other, boolean kept) {
        PersistentVolume ending = volume("a", "Delete", "Released", one);
        PersistentVolume keeping = volume("b", "Retain", "Released", other);

        assertThat(STORAGE.keeps(keeping, ending)).isEqualTo(kept);
        assertThat(STORAGE.keys(keeping)).hasSize(1);
    }

    @ParameterizedTest(name = "a is to {0}, b {1} is to {2}: {3}")
    @CsvSource({
        "Delete, Bound, Delete, true",
        "Delete, Available, Delete, true",
        "Delete, Released, Delete, false",
        "Delete, Failed, Delete, false",
        "Delete, Released, Recycle, true",
        "Delete, Released, Retain, true",
        "Delete, Released, '', true",
        "Recycle, Released, Delete, false",
        "Recycle, Bound, Recycle, true",
        "Recycle, Released, Recycle, false",
        "Recycle, Released, Retain, true",
    })
    void whatIsOverItselfKeepsNothing(String ending, String phase, String other, boolean kept) {
        String source = "csi: {driver: d, volumeHandle: h}";

        assertThat(STORAGE.keeps(volume("b", other, phase, source), volume("a", ending, "Released", source)))
                .isEqualTo(kept);
    }

    /** Otherwise both are emptied at once, and the slower call empties what the first one's next claim has written. */
    @ParameterizedTest
    @CsvSource({"a, b, false", "b, a, true"})
    void ofTwoThatAreToBeEmptiedTheFirstByNameGoesFirst(String ending, String other, boolean kept) {
        String source = "nfs: {server: s, path: /p}";

        assertThat(STORAGE.keeps(
                        volume(other, "Recycle", "Released", source), volume(ending, "Recycle", "Released", source)))
                .isEqualTo(kept);
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            {key: n, operator: In, values: [a]}     | {key: n, operator: In, values: [a]}     | true
            {key: n, operator: In, values: [a]}     | {key: n, operator: In, values: [b]}     | false
            {key: n, operator: In, values: [a]}     | {key: n, operator: In, values: [a, b]}  | true
            {key: n, operator: In, values: [a]}     | {key: z, operator: In, values: [b]}     | true
            {key: n, operator: In, values: [a]}     | {key: n, operator: NotIn, values: [b]}  | true
            """)
    void whatNoNodeCanHaveTogetherIsInTwoPlaces(String one, String other, boolean kept) {
        String source = "csi: {driver: d, volumeHandle: h}, nodeAffinity: {required: {nodeSelectorTerms:"
                + " [{matchExpressions: [%s]}]}}";

        assertThat(STORAGE.keeps(
                        volume("b", "Retain", "Bound", source.formatted(other)),
                        volume("a", "Delete", "Released", source.formatted(one))))
                .isEqualTo(kept);
    }

    private static PersistentVolume volume(String name, String policy, String phase, String source) {
        return (PersistentVolume) Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s, uid: u-%s},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: '%s', %s},
                 status: {phase: %s}}
                """.formatted(name, name, policy, source, phase))
                .get(0);
    }
}
