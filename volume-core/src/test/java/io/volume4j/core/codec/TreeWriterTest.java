package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeWriterTest {
    /** Texts that some reader of YAML takes for something else, or that its syntax uses. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "yes",
                "No",
                "on",
                "OFF",
                "y",
                "n",
                "true",
                "False",
                "null",
                "Null",
                "~",
                "0",
                "0644",
                "0o644",
                "0x1F",
                "0b1",
                "1_000",
                "+5",
                "-1",
                "1e3",
                "1E+3",
                ".5",
                "5.",
                ".inf",
                "-.INF",
                ".nan",
                "NaN",
                "Infinity",
                "12:30:45",
                "2026-01-31",
                "2026-01-31T12:00:00Z",
                "10Gi",
                "10E",
                "1e",
                "=",
                "<<",
                "!tag",
                "&a",
                "*a",
                "@x",
                "`x",
                "%x",
                "- x",
                "? x",
                ": x",
                "a: b",
                "a:",
                "a #b",
                "#b",
                "[a]",
                "{a}",
                "a, b",
                "|",
                ">",
                "'a'",
                "\"a\"",
                "a\\b",
                "a\nb",
                "a\n",
                "\na",
                " a\n  b\n",
                "a\tb",
                "\ta",
                "trailing ",
                "a\r\nb",
                "\u0085",
                "\u00A0",
                "\u2028",
                "\uFEFF",
                "\uD83D\uDE00",
                "---",
                "--- a",
                "...",
                "$(X)",
                "nginx:alpine",
                "vers=4.1",
                "/data"
            })
    void writesEveryTextSoThatItIsReadAsThatText(String text) {
        assertReadBack(text);
    }

    @Test
    void writesAnyTextSoThatItIsReadAsThatText() {
        Random random = new Random(1);
        String alphabet = "ab10 :-#'\"\\\n\t,[]{}&*!|>%@`?~._eExo+=/\u00e9\u2028\u0085";
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertReadBack(text.toString());
        }
    }

    private static void assertReadBack(String text) {
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put("value", text);
        annotations.put(text, "key");
        ApiObject object = new Pod(
                new ObjectMeta("x", "default", "", "", 0, Map.of(), annotations, List.of(text), List.of(), null, null),
                new Pod.Spec("", List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());

        assertThat(Manifests.read("f", Manifests.toYaml(object)))
                .as(Manifests.toYaml(object))
                .extracting(
                        read -> read.metadata().annotations(),
                        read -> read.metadata().finalizers())
                .containsExactly(tuple(annotations, List.of(text)));
        assertThat(Manifests.read("f", Manifests.toJson(object)))
                .extracting(read -> read.metadata().annotations())
                .containsExactly(annotations);
    }

    @Test
    void writesYamlAsPeopleDo() {
        String text = ManifestFiles.text("seeds/static-nfs.yaml");
        ApiObject volume = Manifests.read("static-nfs.yaml", text).get(0);

        assertThat(Manifests.toYaml(volume)).isEqualTo("""
                        apiVersion: v1
                        kind: PersistentVolume
                        metadata:
                          name: nfs-pv
                        spec:
                          capacity:
                            storage: 10Gi
                          accessModes:
                          - ReadWriteOnce
                          persistentVolumeReclaimPolicy: Retain
                          nfs:
                            server: "192.168.4.1"
                            path: /nfs_storage
                        """);
    }
}
