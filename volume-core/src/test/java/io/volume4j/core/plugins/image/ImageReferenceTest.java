package io.volume4j.core.plugins.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ImageResolver.PullPolicy;
import io.volume4j.spi.model.OtherSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pod says of an image. */
class ImageReferenceTest {
    @ParameterizedTest
    @CsvSource({
        // reference | pullPolicy | what is done
        "files, '', ALWAYS",
        "files:latest, '', ALWAYS",
        "registry:5000/files, '', ALWAYS",
        "registry:5000/files:latest, '', ALWAYS",
        "files:1, '', IF_NOT_PRESENT",
        "registry:5000/files:1, '', IF_NOT_PRESENT",
        "files@sha256:0123, '', IF_NOT_PRESENT",
        "files:latest@sha256:0123, '', IF_NOT_PRESENT",
        "files:1, Always, ALWAYS",
        "files, IfNotPresent, IF_NOT_PRESENT",
        "files, Never, NEVER"
    })
    void isPulledAsItsPolicySaysOrAsItsTagSuggests(String reference, String word, PullPolicy policy) {
        assertThat(ImageReference.of(image(reference, word))).isEqualTo(new ImageReference(reference, policy));
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', names no image",
        "a b, '', spaces or control characters",
        "files, never, 'must be Always, IfNotPresent or Never, not \"never\"'"
    })
    void isRefusedForGoodIfItMeansNothing(String reference, String word, String problem) {
        assertThatThrownBy(() -> ImageReference.of(image(reference, word)))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining(problem);
    }

    @Test
    void isTextAndNothingElse() {
        assertThatThrownBy(() -> ImageReference.of(new OtherSource("image", Map.of("reference", 7))))
                .hasMessageContaining("image.reference must be text");
    }

    private static OtherSource image(String reference, String policy) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("reference", reference);
        if (!policy.isEmpty()) {
            fields.put("pullPolicy", policy);
        }
        return new OtherSource("image", fields);
    }
}
