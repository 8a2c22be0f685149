package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One rule says which text a manifest may hold: for reading and writing, keys and values, each format. */
class TextRuleTest {
    /** The text, each UTF-16 unit in hexadecimal, and whether a manifest may hold it. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "D83D DE00, yes",
        "D800 DC00, yes",
        "DBFF DFFF, yes",
        "61 D83D DE00 62, yes",
        "D83D DE00 D83D DE00, yes",
        "D800, no",
        "DBFF, no",
        "DC00, no",
        "DFFF, no",
        "61 D83D, no",
        "D83D 62, no",
        "61 D83D 62, no",
        "DE00 D83D, no",
        "D83D D83D DE00, no",
        "D83D DE00 DE00, no",
        "D83D D83D, no",
        "0, yes",
        "1, yes",
        "61 1B 62, yes",
        "7F, yes",
        "80, yes",
        "85, yes",
        "9F, yes",
        "A0, yes",
        "E9, yes",
        "2028, yes",
        "D7FF, yes",
        "E000, yes",
        "FEFF, yes",
        "FFFD, yes",
        "FFFE, yes",
        "FFFF, yes"
    })
    void holdsForEachWayInAndOut(String units, String may) {
        StringBuilder text = new StringBuilder();
        StringBuilder escapes = new StringBuilder();
        for (String unit : units.split(" ")) {
            text.append((char) Integer.parseInt(unit, 16));
            escapes.append("\\u%04x".formatted(Integer.parseInt(unit, 16)));
        }
        boolean allowed = may.equals("yes");
        String value = text.toString();
        for (boolean asKey : new boolean[] {false, true}) {
            check(
                    allowed,
                    asKey,
                    value,
                    () -> Manifests.read("f", json(asKey, escapes.toString())).get(0));
            check(
                    allowed,
                    asKey,
                    value,
                    () -> Manifests.read("f", yaml(asKey, escapes.toString())).get(0));
            check(allowed, asKey, value, () -> Manifests.fromTree(tree(annotations(asKey, value))));
            check(allowed, asKey, value, () -> Manifests.fromTree(Manifests.toTree(pod(annotations(asKey, value)))));
            check(
                    allowed,
                    asKey,
                    value,
                    () -> Manifests.read("f", Manifests.toJson(pod(annotations(asKey, value))))
                            .get(0));
            check(
                    allowed,
                    asKey,
                    value,
                    () -> Manifests.read("f", Manifests.toYaml(pod(annotations(asKey, value))))
                            .get(0));
        }
        if (!allowed) {
            // as itself it stands in no text at all, whatever the format
            assertThatThrownBy(() -> Manifests.read("f", json(false, value))).isInstanceOf(ManifestException.class);
            assertThatThrownBy(() -> Manifests.read("f", yaml(false, value))).isInstanceOf(ManifestException.class);
        }
    }

    private interface Way {
        ApiObject taken();
    }

    private static void check(boolean allowed, boolean asKey, String text, Way way) {
        if (allowed) {
            assertThat(way.taken().metadata().annotations()).isEqualTo(annotations(asKey, text));
        } else {
            assertThatThrownBy(way::taken)
                    .isInstanceOf(ManifestException.class)
                    .hasMessageContaining(Texts.HALF)
                    .hasMessageNotContaining(text)
                    // the parser of JSON tells a key's line and column alone
                    .hasMessageContaining(asKey ? "" : "metadata.annotations.key");
        }
    }

    private static Map<String, String> annotations(boolean asKey, String text) {
        return asKey ? Map.of(text, "value") : Map.of("key", text);
    }

    private static String json(boolean asKey, String text) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"x\",\"annotations\":{\"%s\":\"%s\"}}}"
                .formatted(asKey ? text : "key", asKey ? "value" : text);
    }

    private static String yaml(boolean asKey, String text) {
        return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  annotations:\n    \"%s\": \"%s\"\n"
                .formatted(asKey ? text : "key", asKey ? "value" : text);
    }

    private static Map<String, @Nullable Object> tree(Map<String, String> annotations) {
        return Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", "x", "annotations", annotations));
    }

    private static ApiObject pod(Map<String, String> annotations) {
        return new Pod(
                new ObjectMeta("x", "default", "", "", 0, Map.of(), annotations, List.of(), List.of(), null, null),
                new Pod.Spec("", List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }
}
