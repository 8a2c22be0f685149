package io.volume4j.spi.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.host.Patch.FieldChange;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a patch makes of a document, so that stores of hosts need not say it again. */
class PatchTest {
    private static final Map<String, @Nullable Object> CLAIM =
            Map.of("kind", "PersistentVolumeClaim", "spec", Map.of("a", 1, "b", Map.of("c", 2)));

    private static Map<String, @Nullable Object> patched(FieldChange... changes) {
        return new Patch(Preconditions.none(), false, List.of(changes)).applyTo(CLAIM);
    }

    private static Map<String, @Nullable Object> spec(Object spec) {
        return Map.of("kind", "PersistentVolumeClaim", "spec", spec);
    }

    @Test
    void setsOneFieldAndKeepsAllOthers() {
        assertThat(patched(FieldChange.set(3, "spec", "a"))).isEqualTo(spec(Map.of("a", 3, "b", Map.of("c", 2))));
    }

    @Test
    void makesMissingParents() {
        assertThat(patched(FieldChange.set("x", "spec", "d", "e")))
                .isEqualTo(spec(Map.of("a", 1, "b", Map.of("c", 2), "d", Map.of("e", "x"))));
    }

    @Test
    void removesAndMakesNoParentsForIt() {
        assertThat(patched(FieldChange.remove("spec", "b"), FieldChange.remove("spec", "d", "e")))
                .isEqualTo(spec(Map.of("a", 1)));
    }

    @Test
    void aMapReplacesWhatWasThere() {
        assertThat(patched(FieldChange.set(Map.of("f", 1), "spec", "b")))
                .isEqualTo(spec(Map.of("a", 1, "b", Map.of("f", 1))));
    }

    @Test
    void changesAreMadeInTheirOrderAndLeaveTheGivenValuesAlone() {
        Map<String, Object> given = new HashMap<>(Map.of("f", 1));

        assertThat(patched(
                        FieldChange.set(given, "spec", "b"),
                        FieldChange.set(2, "spec", "b", "g"),
                        FieldChange.remove("spec", "b", "f")))
                .isEqualTo(spec(Map.of("a", 1, "b", Map.of("g", 2))));
        assertThat(given).isEqualTo(Map.of("f", 1));
    }

    @Test
    void sharesWhatDoesNotChange() {
        assertThat(patched(FieldChange.set("x", "metadata", "name")).get("spec"))
                .isSameAs(CLAIM.get("spec"));
    }

    @Test
    void goesThroughNothingButMaps() {
        assertThatThrownBy(() -> patched(FieldChange.set(1, "spec", "a", "x")))
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ClusterException.Reason.INVALID))
                .hasMessageContaining("a, which is not a map");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"kind", "apiVersion", "metadata", "metadata/uid", "metadata/name", "status", "status/phase"})
    void whatIsTheStoresOrOfTheOtherSideIsRefused(String path) {
        FieldChange change = new FieldChange(Arrays.asList(path.split("/")), "x");

        assertThat(new Patch(Preconditions.none(), false, List.of(change)).refusal())
                .isPresent();
    }

    @Test
    void labelsAndSpecAreTheCallers() {
        assertThat(new Patch(
                                Preconditions.none(),
                                false,
                                List.of(FieldChange.set("x", "metadata", "labels"), FieldChange.remove("spec", "a")))
                        .refusal())
                .isEmpty();
        assertThat(new Patch(Preconditions.none(), true, List.of(FieldChange.set("x", "status", "phase"))).refusal())
                .isEmpty();
    }
}
