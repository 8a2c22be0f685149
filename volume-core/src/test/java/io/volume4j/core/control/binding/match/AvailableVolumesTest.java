package io.volume4j.core.control.binding.match;

import static io.volume4j.core.control.PlanRow.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.match.AvailableVolumes.Candidate;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The volumes that any claim may have, and which of them is the best for one. */
class AvailableVolumesTest {
    private final AvailableVolumes volumes = new AvailableVolumes();

    @Test
    void holdsAVolumeAsItWasPutLast() {
        volumes.put(volume("v", "1Gi", "ReadWriteOnce"));
        volumes.put(volume("v", "2Gi", "ReadWriteOnce"));

        assertThat(volumes.size()).isEqualTo(1);
        assertThat(volumes.get("v").orElseThrow().spec().capacity())
                .isEqualTo(volume("x", "2Gi", "ReadWriteOnce").spec().capacity());
        assertThat(best("2Gi", "ReadWriteOnce")).isEqualTo("v");
        assertThat(volumes.get("w")).isEmpty();
        assertThat(volumes.affinityOf("w")).isNull();

        volumes.remove("v");
        volumes.remove("v");
        assertThat(volumes.size()).isZero();
        assertThat(volumes.get("v")).isEmpty();
        assertThat(best("1Gi", "ReadWriteOnce")).isNull();
    }

    /** Fewest modes beyond those that are asked for, then the smallest, then the first by name. */
    @Test
    void prefersFewModesThenASmallSizeThenTheFirstName() {
        volumes.put(volume("many", "1Gi", "ReadWriteOnce, ReadWriteMany"));
        volumes.put(volume("large", "3Gi", "ReadWriteOnce"));
        volumes.put(volume("small-b", "2Gi", "ReadWriteOnce"));
        volumes.put(volume("small-a", "2Gi", "ReadWriteOnce"));

        for (String next : List.of("small-a", "small-b", "large", "many")) {
            assertThat(best("1Gi", "ReadWriteOnce")).isEqualTo(next);
            volumes.remove(next);
        }
        assertThat(best("1Gi", "ReadWriteOnce")).isNull();
    }

    @Test
    void ranksCandidatesInThatOrderToo() {
        volumes.put(volume("many", "1Gi", "ReadWriteOnce, ReadWriteMany"));
        volumes.put(volume("small", "2Gi", "ReadWriteOnce"));
        volumes.put(volume("large", "3Gi", "ReadWriteOnce"));
        AvailableVolumes.Search search = volumes.search(needs("1Gi", "ReadWriteOnce"));

        Candidate first = Objects.requireNonNull(search.bestOf(null, List.of()));
        Candidate second = Objects.requireNonNull(search.bestOf(null, List.of(first)));
        Candidate third = Objects.requireNonNull(search.bestOf(null, List.of(first, second)));

        assertThat(List.of(first, second, third))
                .isSorted()
                .extracting(each -> each.volume().metadata().name())
                .containsExactly("small", "large", "many");
        assertThat(search.bestOf(null, List.of(first, second, third))).isNull();
        assertThat(second.compareTo(first)).isPositive();
        assertThat(third.compareTo(first)).isPositive();
        assertThat(first.sameVolume(Objects.requireNonNull(search.bestOf(null, List.of()))))
                .isTrue();
        assertThat(first.sameVolume(second)).isFalse();
    }

    @Test
    void givesVolumesOfOnePlaceOneAffinityAsLongAsAnyOfThemIsThere() {
        volumes.put(inZone("one", "a"));
        volumes.put(inZone("two", "a"));
        Affinity place = Objects.requireNonNull(volumes.affinityOf("one"));
        assertThat(volumes.affinityOf("two")).isSameAs(place);

        volumes.remove("one");
        assertThat(volumes.affinityOf("two")).isSameAs(place);

        volumes.remove("two");
        volumes.put(inZone("three", "b"));
        assertThat(Objects.requireNonNull(volumes.affinityOf("three")).number())
                .as("the number is free again")
                .isEqualTo(place.number());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            the same                  | resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce], storageClassName: a | true
            another size              | resources: {requests: {storage: 2Gi}}, accessModes: [ReadWriteOnce], storageClassName: a | false
            other modes               | resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteMany], storageClassName: a | false
            another class             | resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce], storageClassName: b | false
            another form              | resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce], storageClassName: a, volumeMode: Block | false
            another attributes class  | resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce], storageClassName: a, volumeAttributesClassName: x | false
            a selector                | resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce], storageClassName: a, selector: {matchLabels: {k: v}} | false
            """)
    void theSameVolumesFitClaimsThatAskForTheSame(String rule, String spec, boolean same) {
        ClaimNeeds needs = ClaimNeeds.of(
                claim("resources: {requests: {storage: 1Gi}}, accessModes: [ReadWriteOnce], storageClassName: a"),
                null);

        assertThat(needs.sameVolumesFit(ClaimNeeds.of(claim(spec), null)))
                .as(rule)
                .isEqualTo(same);
    }

    private @Nullable String best(String bytes, String mode) {
        return volumes.best(needs(bytes, mode))
                .map(found -> found.metadata().name())
                .orElse(null);
    }

    private static ClaimNeeds needs(String size, String modes) {
        return ClaimNeeds.of(
                claim("resources: {requests: {storage: %s}}, accessModes: [%s], storageClassName: ''"
                        .formatted(size, modes)),
                null);
    }

    private static PersistentVolumeClaim claim(String spec) {
        return object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns}, spec: {%s}}
                """.formatted(spec));
    }

    private static PersistentVolume volume(String name, String size, String modes) {
        return object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
                 spec: {capacity: {storage: %s}, accessModes: [%s], csi: {driver: d, volumeHandle: h}},
                 status: {phase: Available}}
                """.formatted(name, size, modes));
    }

    private static PersistentVolume inZone(String name, String zone) {
        return object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], csi: {driver: d, volumeHandle: h},
                        nodeAffinity: {required: {nodeSelectorTerms: [
                          {matchExpressions: [{key: zone, operator: In, values: [%s]}]}]}}},
                 status: {phase: Available}}
                """.formatted(name, zone));
    }
}
