package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * API servers check few of the names by which objects refer to others. An object that a server has accepted is read, whatever it says: a
 * list with one object that cannot be read would stop the work for all others. A person's manifest with the same mistake is refused.
 */
class AcceptedByServersTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    static List<Map<String, @Nullable Object>> odd() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                AcceptedByServersTest.class.getResourceAsStream("/manifests/accepted/odd.yaml"))) {
            return YAML.readerFor(new TypeReference<Map<String, @Nullable Object>>() {})
                    .<Map<String, @Nullable Object>>readValues(in)
                    .readAll();
        }
    }

    @ParameterizedTest
    @MethodSource("odd")
    void isReadAndWrittenBackAsItWas(Map<String, @Nullable Object> tree) {
        assertThat(Manifests.toTree(Manifests.fromTree(tree))).isEqualTo(tree);
    }

    @ParameterizedTest
    @MethodSource("odd")
    void isRefusedWhereAPersonWroteIt(Map<String, @Nullable Object> tree) {
        assertThatThrownBy(() -> Manifests.fromWrittenTree(tree)).isInstanceOf(ManifestException.class);
    }

    @Test
    void aNameStaysAsItIs() throws IOException {
        PersistentVolumeClaim claim = read("PersistentVolumeClaim", "odd-path", PersistentVolumeClaim.class);

        assertThat(Objects.requireNonNull(claim.spec().dataSourceRef()).name()).isEqualTo("../x");
    }

    @Test
    void aMissingNameIsOneThatNoObjectHas() throws IOException {
        PersistentVolume volume = read("PersistentVolume", "odd-ref-empty", PersistentVolume.class);
        VolumeSnapshot snapshot = read("VolumeSnapshot", "odd-empty", VolumeSnapshot.class);

        ObjectReference claim = Objects.requireNonNull(volume.spec().claimRef());
        assertThat(List.of(claim.namespace(), claim.name())).containsExactly("?", "?");
        assertThat(snapshot.spec().claimName()).isEqualTo("?");
    }

    /** That no claim has an impossible name proves nothing of the claim with the UID: its storage must not be deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"odd-ref-uid", "odd-ref-space"})
    void aReferenceThatCannotBeFollowedHasNoUid(String name) throws IOException {
        PersistentVolume volume = read("PersistentVolume", name, PersistentVolume.class);

        assertThat(Objects.requireNonNull(volume.spec().claimRef()).uid()).isEmpty();
    }

    @Test
    void aSelectorWithAnUnknownOperatorSelectsNothing() throws IOException {
        VolumeGroupSnapshot group = read("VolumeGroupSnapshot", "odd-operator", VolumeGroupSnapshot.class);

        LabelSelector selector = Objects.requireNonNull(group.spec().selector());
        assertThat(selector.matches(Map.of())).isFalse();
        assertThat(selector.matches(Map.of("a", "b"))).isFalse();
    }

    @Test
    void aNegativeAmountIsZero() throws IOException {
        VolumeSnapshot snapshot = read("VolumeSnapshot", "odd-claim", VolumeSnapshot.class);

        assertThat(snapshot.status().restoreSize()).isEqualTo(Quantity.ofBytes(0));
    }

    /** Without them there is no object. */
    @Test
    void kindAndNameAreRequired() {
        assertThatThrownBy(() -> Manifests.fromTree(Map.of("metadata", Map.of("name", "x"))))
                .hasMessageContaining("kind");
        assertThatThrownBy(() -> Manifests.fromTree(Map.of("kind", "Node", "metadata", Map.of("uid", "u"))))
                .hasMessageContaining("metadata.name");
        assertThatThrownBy(() -> Manifests.fromTree(Map.of("kind", "Node", "metadata", Map.of("name", "../x"))))
                .hasMessageContaining("metadata.name");
    }

    private static <T> T read(String kind, String name, Class<T> type) throws IOException {
        return odd().stream()
                .filter(tree -> kind.equals(tree.get("kind")))
                .map(Manifests::fromTree)
                .filter(object -> object.metadata().name().equals(name))
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }
}
