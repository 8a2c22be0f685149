package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.spi.model.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each row: what a person may write, and the one line that says where it is wrong and what would be right. */
class ManifestErrorsTest {
    private static final String KINDS = Arrays.stream(Kind.values())
            .map(kind -> kind.apiName() + " (" + kind.apiVersion() + ")")
            .collect(Collectors.joining(", "));

    static Stream<Arguments> unreadableTexts() {
        return Stream.of(
                arguments("a: b: c", "f.yaml:1:5: is not valid YAML: mapping values are not allowed here"),
                arguments(
                        "kind: Pod\nmetadata:\n\tname: x\n",
                        "f.yaml:3:1: is not valid YAML: a tab is not allowed here: indent with spaces"),
                arguments(
                        "kind: [1, 2",
                        "f.yaml:1:12: is not valid YAML: while parsing a flow sequence: expected ',' or ']', but got"
                                + " <stream end>"),
                arguments(
                        "{\"kind\": \"Pod\" \"a\": 1}",
                        "f.yaml:1:16: is not valid JSON: Unexpected character ('\"' (code 34)): was expecting comma to"
                                + " separate Object entries"),
                arguments(
                        "{\"password\": hunter2, \"a\" \"b\"}",
                        "f.yaml:1:14: is not valid JSON: a word where a value is expected: put text in quotes"),
                arguments(
                        "kind: Pod\nspec: &a {}\nstatus: *a\n",
                        "f.yaml:2:7: spec: anchors and aliases are not supported: write the value out"),
                arguments("a: *b\n", "f.yaml:1:4: a: anchors and aliases are not supported: write the value out"),
                arguments("&b a: 1\n", "f.yaml:1:1: a: anchors and aliases are not supported: write the value out"),
                arguments(
                        "a:\n  <<: {b: 1}\n",
                        "f.yaml:2:3: a[\"<<\"]: merge keys are not supported: write the fields out"),
                arguments(
                        "a: !!binary aGk=\n",
                        "f.yaml:1:4: a: tags are not supported: remove the one that begins with '!'"),
                arguments(
                        "a: !x {b: 1}\n", "f.yaml:1:4: a: tags are not supported: remove the one that begins with '!'"),
                arguments("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: a: is written twice, first in line 1: leave one out"),
                arguments("{\"a\": 1, \"a\": 2}", "f.yaml:1:10: a: is written twice, first in line 1: leave one out"),
                arguments("a: .nan\n", "f.yaml:1:4: a: is not a valid number: put it in quotes if it is text"),
                arguments(
                        "{\"a\": " + "9".repeat(200) + "}",
                        "f.yaml: is not valid JSON: a number or a key is longer than any manifest needs"),
                arguments("just text", "f.yaml:1:1: a document must be an object (key: value), not text"),
                arguments("- a\n- b\n", "f.yaml:1:1: a document must be an object (key: value), not a list"),
                arguments("? [a, b]\n: c\n", "f.yaml:1:4: is not valid YAML: a key must be text"),
                arguments("a: b\u0000c", "f.yaml:1:5: has the character U+0000, which is not allowed in a manifest"),
                arguments(
                        "a: x\nb: \u001b[31m",
                        "f.yaml:2:4: has the character U+001B, which is not allowed in a manifest"));
    }

    @ParameterizedTest
    @MethodSource("unreadableTexts")
    void saysWhereATextCannotBeRead(String text, String message) {
        assertThatThrownBy(() -> Manifests.read("f.yaml", text))
                .isInstanceOf(ManifestException.class)
                .hasMessage(message);
    }

    static Stream<Arguments> wrongObjects() {
        return Stream.of(
                // Kind and version
                arguments("metadata: {name: x}", "f.yaml:1:1: kind: is missing: write one of " + KINDS),
                arguments(
                        "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: x}",
                        "f.yaml:1:7: Deployment default/x: kind: \"Deployment\" is not known: write one of " + KINDS),
                arguments(
                        "apiVersion: storage.k8s.io/v1beta1\nkind: StorageClass\nmetadata: {name: x}",
                        "f.yaml:1:13: StorageClass x: apiVersion: \"storage.k8s.io/v1beta1\" is not known for a"
                                + " StorageClass: write storage.k8s.io/v1"),
                arguments(
                        "kind: Pod\nmetadata: {name: x}",
                        "f.yaml:1:1: Pod default/x: apiVersion: is missing: write v1"),
                // Names
                arguments(
                        "apiVersion: v1\nkind: Pod",
                        "f.yaml:1:1: Pod: metadata: is missing: every object needs metadata with a name"),
                arguments(
                        "apiVersion: v1\nkind: Pod\nmetadata: {namespace: x}",
                        "f.yaml:3:1: Pod: metadata.name: is missing: every object needs a name"),
                arguments(pod("metadata: {name: ../etc}"), badName(3, "default/../etc", "../etc")),
                arguments(pod("metadata: {name: a/b}"), badName(3, "default/a/b", "a/b")),
                arguments(pod("metadata: {name: a..b}"), badName(3, "default/a..b", "a..b")),
                arguments(pod("metadata: {name: Upper}"), badName(3, "default/Upper", "Upper")),
                arguments(pod("metadata: {name: \"a\\nb\"}"), badName(3, "default/a?b", "a?b")),
                arguments(pod("metadata: {name: \"a\\u202Eb\"}"), badName(3, "default/a?b", "a?b")),
                arguments(
                        pod("metadata: {name: " + "x".repeat(254) + "}"),
                        badName(3, "default/" + "x".repeat(64) + "…", "x".repeat(64) + "…")),
                arguments(
                        pod("metadata: {name: 12}"),
                        "f.yaml:3:18: Pod: metadata.name: must be text, not a number: put it in quotes"),
                arguments(
                        pod("metadata: {name: x, namespace: a.b}"),
                        "f.yaml:3:32: Pod a.b/x: metadata.namespace: \"a.b\" must be a DNS-1123 label: lower case letters,"
                                + " digits and '-', beginning and ending with a letter or digit, at most 63 characters"),
                arguments(
                        volume("metadata: {name: x, namespace: y}"),
                        "f.yaml:3:32: PersistentVolume x: metadata.namespace: must be left out: a PersistentVolume belongs"
                                + " to no namespace"),
                arguments(
                        pod("metadata: {name: x, uid: ../../up}"),
                        "f.yaml:3:26: Pod default/x: metadata.uid: \"../../up\" must be a UID: letters, digits, '-', '_'"
                                + " and '.', beginning and ending with a letter or digit, at most 128 characters"),
                arguments(
                        pod("metadata: {name: x}\nspec: {nodeName: n/1}"),
                        "f.yaml:4:18: Pod default/x: spec.nodeName: \"n/1\" must be a DNS-1123 subdomain: lower case"
                                + " letters, digits, '-' and '.', each part between dots beginning and ending with a"
                                + " letter or digit, at most 253 characters"),
                // Quantities
                arguments(
                        claim("resources: {requests: {storage: 64Mib}}"),
                        "f.yaml:5:34: PersistentVolumeClaim default/x: spec.resources.requests.storage: \"64Mib\" is not a"
                                + " quantity: write a number with one of the suffixes Ki Mi Gi Ti Pi Ei (powers of 1024)"
                                + " or n u m k M G T P E (powers of 1000), such as 64Mi"),
                arguments(
                        claim("resources: {requests: {storage: -1Gi}}"),
                        "f.yaml:5:34: PersistentVolumeClaim default/x: spec.resources.requests.storage: \"-1Gi\" is"
                                + " negative: an amount is zero or more"),
                arguments(
                        claim("resources: {requests: {storage: 0}}"),
                        "f.yaml:5:34: PersistentVolumeClaim default/x: spec.resources.requests.storage: must be more than"
                                + " zero"),
                arguments(
                        claim("resources: {requests: {storage: [1Gi]}}"),
                        "f.yaml:5:25: PersistentVolumeClaim default/x: spec.resources.requests.storage: must be a"
                                + " quantity such as 64Mi, not a list"),
                // Words
                arguments(
                        claim("accessModes: [ReadWriteSometimes]"),
                        "f.yaml:5:16: PersistentVolumeClaim default/x: spec.accessModes[0]: \"ReadWriteSometimes\" is not"
                                + " known: write one of ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod"),
                arguments(
                        claim("accessModes: [ReadWriteOncePod, ReadWriteOnce]"),
                        "f.yaml:5:2: PersistentVolumeClaim default/x: spec.accessModes: has other modes in"
                                + " addition to ReadWriteOncePod, which must be the only mode"),
                arguments(
                        claim("volumeMode: FileSystem"),
                        "f.yaml:5:14: PersistentVolumeClaim default/x: spec.volumeMode: \"FileSystem\" is not known: write"
                                + " one of Filesystem, Block"),
                arguments(
                        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: x}\nprovisioner: p\n"
                                + "volumeBindingMode: Later",
                        "f.yaml:5:20: StorageClass x: volumeBindingMode: \"Later\" is not known: write one of Immediate,"
                                + " WaitForFirstConsumer"),
                arguments(
                        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: x}",
                        "f.yaml:1:1: StorageClass x: provisioner: is missing: write the name of the plugin that makes the"
                                + " volumes of this class"),
                // Types
                arguments(
                        claim("volumeName: 12"),
                        "f.yaml:5:14: PersistentVolumeClaim default/x: spec.volumeName: must be text, not a number: put"
                                + " it in quotes"),
                arguments(
                        claim("accessModes: ReadWriteOnce"),
                        "f.yaml:5:15: PersistentVolumeClaim default/x: spec.accessModes: must be a list, not text"),
                arguments(
                        pod("metadata: {name: x, annotations: {a/b: yes}}"),
                        "f.yaml:3:40: Pod default/x: metadata.annotations[\"a/b\"]: must be text, not true or false: put"
                                + " it in quotes"),
                arguments(
                        pod("metadata: {name: x, creationTimestamp: yesterday}"),
                        "f.yaml:3:40: Pod default/x: metadata.creationTimestamp: \"yesterday\" is not an RFC 3339 time: write"
                                + " one such as 2026-01-31T12:00:00Z"),
                // Sources
                arguments(
                        volume("metadata: {name: x}\nspec: {nfs: {server: s, path: /p}, hostPath: {path: /}}"),
                        "f.yaml:4:36: PersistentVolume x: spec.hostPath: is a second source, in addition to nfs: a"
                                + " volume has exactly one source"),
                arguments(
                        volume("metadata: {name: x}\nspec: {nfs: {server: s}}"),
                        "f.yaml:4:8: PersistentVolume x: spec.nfs.path: is missing: write the path that the server"
                                + " exports"),
                arguments(
                        volume("metadata: {name: x}\nspec: {csi: {driver: d}}"),
                        "f.yaml:4:8: PersistentVolume x: spec.csi.volumeHandle: is missing: write the driver's name for"
                                + " the volume"),
                arguments(
                        volume("metadata: {name: x}\nspec: {persistentVolumeClaim: {claimName: c}}"),
                        "f.yaml:4:8: PersistentVolume x: spec.persistentVolumeClaim: is a source of pods: a"
                                + " PersistentVolume needs the storage itself"),
                arguments(
                        volume("metadata: {name: x}\nspec:\n  nfs:\n  server: s"),
                        "f.yaml:5:3: PersistentVolume x: spec.nfs: is empty: write its fields below it, indented further,"
                                + " or leave it out"),
                // Pods
                arguments(
                        pod("metadata: {name: x}\nspec: {volumes: [{name: a}, {name: a}]}"),
                        "f.yaml:4:36: Pod default/x: spec.volumes[1].name: \"a\" is also the name of another volume of this"
                                + " pod"),
                arguments(
                        pod("metadata: {name: x}\nspec: {volumes: [{name: a/b}]}"),
                        "f.yaml:4:25: Pod default/x: spec.volumes[0].name: \"a/b\" must be a DNS-1123 label: lower case"
                                + " letters, digits and '-', beginning and ending with a letter or digit, at most 63"
                                + " characters"),
                arguments(
                        pod("metadata: {name: x}\nspec: {volumes: [{name: a}], containers: [{name: c, volumeMounts:"
                                + " [{name: b, mountPath: /b}]}]}"),
                        "f.yaml:4:75: Pod default/x: spec.containers[0].volumeMounts[0].name: \"b\" is not a volume of this"
                                + " pod: spec.volumes has a"),
                arguments(
                        pod("metadata: {name: x}\nspec: {volumes: [{name: a}], containers: [{volumeMounts:"
                                + " [{name: a, subPath: ../b}]}]}"),
                        "f.yaml:4:78: Pod default/x: spec.containers[0].volumeMounts[0].subPath: must stay inside the"
                                + " volume: a relative path without '..'"),
                // Several objects
                arguments(
                        pod("metadata: {name: x}") + "\n---\n" + pod("metadata: {name: x, namespace: default}"),
                        "f.yaml:7:18: Pod default/x: metadata.name: the same object is written in line 1 already: leave"
                                + " one out"),
                arguments(
                        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: B}",
                        "f.yaml:6:20: Pod default/B: metadata.name: \"B\" must be a DNS-1123 subdomain: lower case letters,"
                                + " digits, '-' and '.', each part between dots beginning and ending with a letter or"
                                + " digit, at most 253 characters"),
                arguments(
                        "apiVersion: v1\nkind: List\nitems: [x]",
                        "f.yaml:3:9: List: items[0]: must be an object (key: value), not text"));
    }

    @ParameterizedTest
    @MethodSource("wrongObjects")
    void saysWhatIsWrongWithWhichObjectAndWhatWouldBeRight(String text, String message) {
        assertThatThrownBy(() -> Manifests.read("f.yaml", text))
                .isInstanceOf(ManifestException.class)
                .hasMessage(message);
    }

    @Test
    void givesTheParts() {
        ManifestException refused = catchThrowableOfType(
                ManifestException.class, () -> Manifests.read("f.yaml", pod("metadata: {name: Upper}")));

        assertThat(refused.source()).isEqualTo("f.yaml");
        assertThat(refused.line()).isEqualTo(3);
        assertThat(refused.column()).isEqualTo(18);
        assertThat(refused.object()).isEqualTo("Pod default/Upper");
        assertThat(refused.path()).isEqualTo("metadata.name");
        assertThat(refused.problem()).startsWith("\"Upper\" must be a DNS-1123 subdomain");
    }

    @Test
    void namesNoFileForATree() {
        assertThatThrownBy(() -> Manifests.fromTree(Map.of("kind", "Pod", "metadata", Map.of("name", "X"))))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("Pod default/X: metadata.name: \"X\" must be a DNS-1123 subdomain");
    }

    @Test
    void refusesTreesThatAreNoDocuments() {
        assertThatThrownBy(() -> Manifests.fromTree(Map.of("kind", "Pod", "x", Map.of("y", new Object()))))
                .isInstanceOf(ManifestException.class)
                .hasMessage("Pod: x.y: is of a type that no manifest holds: java.lang.Object");
    }

    static Stream<Arguments> secrets() {
        return Stream.of(
                arguments(volume("metadata: {name: x}\nspec: {rbd: hunter2}")),
                arguments(volume("metadata: {name: x}\nspec: {rbd: {keyring: hunter2}, nfs: {}}")),
                arguments(volume("metadata: {name: x}\nspec: {csi: {driver: d, volumeAttributes: {p: [hunter2]}}}")),
                arguments(volume("metadata: {name: x}\nspec: {flexVolume: {driver: d, options: {p: {q: hunter2}}}}")),
                arguments("apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {p: hunter2}"),
                arguments("apiVersion: v1\nkind: Secret\nstringData:\n  p: hunter2\n  q: a: b"),
                arguments("apiVersion: v1\nkind: Secret\nstringData:\n  p: \"hunter2\n"),
                arguments("apiVersion: v1\nkind: Secret\nstringData:\n  p: 'hunter2' x\n"),
                arguments("{\"apiVersion\": \"v1\", \"stringData\": {\"p\": hunter2}"),
                arguments("{\"apiVersion\": \"v1\", \"stringData\": {\"p\": \"hunter2}"),
                arguments("apiVersion: v1\nkind: Secret\nstringData: {p: !hunter2 x}"),
                arguments("apiVersion: v1\nkind: Secret\nstringData: {p: *hunter2}"));
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void neverRepeatsAValueThatMayBeSecret(String text) {
        assertThatThrownBy(() -> Manifests.read("f.yaml", text))
                .isInstanceOf(ManifestException.class)
                .hasNoCause()
                .message()
                .doesNotContain("hunter2");
    }

    @Test
    void refusesMoreThanAMebibyteWithoutReadingItAll() throws IOException {
        String large = "# " + "x".repeat(ManifestText.MAX_BYTES);
        try (ByteArrayInputStream stream =
                new ByteArrayInputStream(large.repeat(2).getBytes(StandardCharsets.UTF_8))) {
            assertThatThrownBy(() -> Manifests.read("f.yaml", stream))
                    .isInstanceOf(ManifestException.class)
                    .hasMessage("f.yaml: is larger than 1048576 bytes: split it into several files");
            assertThat(stream.available()).isGreaterThan(ManifestText.MAX_BYTES / 2);
        }
        assertThatThrownBy(() -> Manifests.read("f.yaml", large)).hasMessageContaining("is larger than");
        assertThat(Manifests.read("f.yaml", "#" + "x".repeat(ManifestText.MAX_BYTES - 1)))
                .isEmpty();
    }

    @Test
    void ignoresByteOrderMarksOfFilesThatWerePutTogether() throws IOException {
        String text = "\uFEFF" + pod("metadata: {name: x}") + "\n\uFEFF---\n" + pod("metadata: {name: y}");

        assertThat(Manifests.read("f.yaml", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))))
                .hasSize(2);
    }

    @Test
    void saysWhereATextIsNotUtf8() {
        byte[] latin = "# caf\u00e9\nkind: \u00e9".getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> Manifests.read("f.yaml", new ByteArrayInputStream(latin)))
                .isInstanceOf(ManifestException.class)
                .hasMessage("f.yaml:1:6: is not UTF-8 text from here on: save it as UTF-8");
    }

    @Test
    void refusesDepthInYamlJsonAndTrees() {
        String tooDeep = "is nested too deeply: at most 32 levels are read";
        assertThatThrownBy(() -> Manifests.read("f", "[".repeat(100_000))).hasMessageContaining(tooDeep);
        assertThatThrownBy(() -> Manifests.read("f", "{\"a\":".repeat(100_000))).hasMessageContaining(tooDeep);
        assertThatThrownBy(() -> Manifests.read("f", "- ".repeat(100_000))).hasMessageContaining(tooDeep);
        Map<String, Object> tree = Map.of();
        for (int i = 0; i < 100; i++) {
            tree = Map.of("a", tree);
        }
        Map<String, Object> deep = tree;
        assertThatThrownBy(() -> Manifests.fromTree(Map.of("kind", "Pod", "spec", deep)))
                .hasMessageContaining(tooDeep);
    }

    @Test
    void readsAsDeepAsItSays() {
        String nested = pod("metadata: {name: x}\nextra: ") + "[".repeat(31) + "]".repeat(31);
        assertThat(Manifests.read("f.yaml", nested)).hasSize(1);
        assertThatThrownBy(() -> Manifests.read("f.yaml", nested.replace("[]", "[[]]")))
                .isInstanceOf(ManifestException.class);
    }

    private static String pod(String rest) {
        return "apiVersion: v1\nkind: Pod\n" + rest;
    }

    private static String volume(String rest) {
        return "apiVersion: v1\nkind: PersistentVolume\n" + rest;
    }

    private static String claim(String spec) {
        return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: x}\nspec:\n " + spec;
    }

    private static String badName(int line, String shownObject, String shown) {
        return "f.yaml:" + line + ":18: Pod " + shownObject + ": metadata.name: \"" + shown
                + "\" must be a DNS-1123 subdomain: lower case letters, digits, '-' and '.', each part between dots"
                + " beginning and ending with a letter or digit, at most 253 characters";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "storageClasName: a",
                "storageclassname: a",
                "accessMode: [ReadWriteOnce]",
                "resources: {request: {storage: 1Gi}}",
                "volumMode: Block"
            })
    void aFieldWithNearlyTheNameOfAnotherIsRefusedWhereTheReaderIsStrict(String misspelt) {
        String claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec:\n  " + misspelt + "\n";

        assertThatThrownBy(() -> Manifests.readStrict("f.yaml", claim))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("f.yaml:5:")
                .hasMessageContaining("is not known and has no effect: did you mean ");
        assertThat(Manifests.read("f.yaml", claim)).hasSize(1);
    }

    @Test
    void fieldsThatResembleNoOtherAreKeptWhereTheReaderIsStrict() {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, labels: {tie: x, tier: y}, annotations: {nam: z}}
                spec:
                  restartPolicy: Never
                  hostPID: true
                  containers: [{name: c, image: i, resources: {requests: {cpu: 1}, limits: {cpus: 1}}}]
                """;

        assertThat(Manifests.readStrict("f.yaml", pod)).hasSize(1);
    }
}
