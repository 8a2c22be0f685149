package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Quantity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pod finds in its secret, configMap, downwardAPI and projected volumes. */
class ContentPluginTest {
    @Test
    void eachKeyOfASecretIsAFile() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann", "password", "quiet"));

        node.setUp();

        assertThat(node.names()).containsExactly("password", "user");
        assertThat(node.read("user")).isEqualTo("ann");
        assertThat(node.mode("user")).isEqualTo(0644);
    }

    @Test
    void itemsChooseKeysPathsAndModes() {
        ContentNode node = ContentNode.secret(Map.of(
                "secretName",
                "login",
                "defaultMode",
                0400,
                "items",
                List.of(
                        Map.of("key", "user", "path", "who/name"),
                        Map.of("key", "password", "path", "who/word", "mode", 0440))));
        node.hold("login", Map.of("user", "ann", "password", "quiet", "other", "left out"));

        node.setUp();

        assertThat(node.names()).containsExactly("who");
        assertThat(node.read("who/name")).isEqualTo("ann");
        assertThat(node.mode("who/name")).isEqualTo(0400);
        assertThat(node.mode("who/word")).isEqualTo(0440);
    }

    @Test
    void aConfigMapMayBeBinary() {
        ContentNode node = new ContentNode(ContentPlugin.configMap(), "configMap", Map.of("name", "settings"));
        byte[] binary = {0, (byte) 0xff, 10, (byte) 0x80};
        node.configs.put("default", "settings", Map.of("store.jks", binary));

        node.setUp();

        assertThat(node.machine.user().read(ContentNode.TARGET.absolute().resolve("store.jks")))
                .isEqualTo(binary);
    }

    @Test
    void thePodCannotWriteToIt() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();

        VolumeException refusal = catchThrowableOfType(
                VolumeException.class,
                () -> node.machine.user().write(ContentNode.TARGET.absolute().resolve("new"), new byte[1]));

        assertThat(refusal).hasMessageContaining("EROFS");
    }

    @Test
    void whatIsMissingIsAFailureUnlessItIsOptional() {
        ContentNode required = ContentNode.secret(Map.of("secretName", "login"));
        ContentNode optional = ContentNode.secret(Map.of("secretName", "login", "optional", true));

        VolumeException failure = catchThrowableOfType(VolumeException.class, required::setUp);
        optional.setUp();

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("secret default/login does not exist");
        assertThat(required.machine.table().size()).isEqualTo(1);
        assertThat(optional.names()).isEmpty();
    }

    @Test
    void aMissingKeyIsAFailureUnlessTheSourceIsOptional() {
        List<Map<String, Object>> items =
                List.of(Map.of("key", "user", "path", "u"), Map.of("key", "gone", "path", "g"));
        ContentNode required = ContentNode.secret(Map.of("secretName", "login", "items", items));
        ContentNode optional = ContentNode.secret(Map.of("secretName", "login", "items", items, "optional", true));
        required.hold("login", Map.of("user", "ann"));
        optional.hold("login", Map.of("user", "ann"));

        VolumeException failure = catchThrowableOfType(VolumeException.class, required::setUp);
        optional.setUp();

        assertThat(failure).hasMessageContaining("has no key \"gone\", which secret.items[1] names");
        assertThat(optional.names()).containsExactly("u");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name | web",
                "metadata.namespace | default",
                "metadata.uid | uid-1",
                "metadata.labels | app=\"a\\\"b\"~tier=\"front\"",
                "metadata.annotations | note=\"two\\nlines\\t\\\\\"",
                "metadata.labels['tier'] | front",
                "metadata.labels['none'] | ''",
            })
    void aPodReadsItsOwnFields(String field, String value) {
        ContentNode node = downward(Map.of("path", "f", "fieldRef", Map.of("fieldPath", field)));

        node.setUp();

        assertThat(node.read("f")).isEqualTo(value.replace('~', '\n'));
    }

    @ParameterizedTest
    @CsvSource({
        "limits.cpu, 1, 2",
        "limits.cpu, 1m, 1500",
        "requests.cpu, 1, 1",
        "requests.cpu, 10m, 25",
        "limits.memory, 1Mi, 65",
        "limits.memory, 0, 68157440",
        "requests.memory, 1, 0",
        "limits.ephemeral-storage, 1Gi, 10",
    })
    void aPodReadsItsResourcesInUnitsOfTheDivisorRoundedUp(String resource, String divisor, String value) {
        ContentNode node = downward(Map.of(
                "path",
                "f",
                "resourceFieldRef",
                Map.of("containerName", "main", "resource", resource, "divisor", divisor)));

        node.setUp();

        assertThat(node.read("f")).isEqualTo(value);
    }

    @Test
    void oneDirectoryHasFilesOfEverySource() {
        ContentNode node = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")),
                Map.of("configMap", Map.of("name", "settings", "optional", true)),
                Map.of(
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(Map.of("path", "me", "fieldRef", Map.of("fieldPath", "metadata.name"))))),
                Map.of("serviceAccountToken", Map.of("path", "token", "audience", "vault"))));
        node.hold("login", Map.of("user", "ann"));

        node.setUp();

        assertThat(node.names()).containsExactly("me", "token", "user");
        assertThat(node.read("token")).isEqualTo("token-1-robot");
        assertThat(node.configs.tokenRequests()).singleElement().satisfies(request -> {
            assertThat(request.audience()).isEqualTo("vault");
            assertThat(request.seconds()).isEqualTo(3600);
            assertThat(request.podUid()).isEqualTo("uid-1");
        });
    }

    @Test
    void filesOfTwoSourcesAtOnePathAreRefused() {
        ContentNode same = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")), Map.of("serviceAccountToken", Map.of("path", "user"))));
        ContentNode below = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")), Map.of("serviceAccountToken", Map.of("path", "user/t"))));
        for (ContentNode node : List.of(same, below)) {
            node.hold("login", Map.of("user", "ann"));

            VolumeException refusal = catchThrowableOfType(VolumeException.class, node::setUp);

            assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(refusal).hasMessageContaining("projected.sources[1]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abs", "../up", "..data", "..x", "a/../b", "a\nb", "", ".", "./", "/", "a\ud800"})
    void aPathThatCouldLeadElsewhereIsRefused(String path) {
        ContentNode node = ContentNode.secret(
                Map.of("secretName", "login", "items", List.of(Map.of("key", "user", "path", path))));
        node.hold("login", Map.of("user", "ann"));

        VolumeException refusal = catchThrowableOfType(VolumeException.class, node::setUp);

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(node.machine.table().size()).isEqualTo(1);
    }

    /** Kubernetes allows them. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"./a, a", "a/, a", "a//b, a/b", "./a/./b, a/b"})
    void aPathMayHaveNeedlessSlashesAndDots(String path, String file) {
        ContentNode node = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login", "items", List.of(Map.of("key", "user", "path", path)))),
                Map.of("serviceAccountToken", Map.of("path", "./tokens//t"))));
        node.hold("login", Map.of("user", "ann"));

        node.setUp();
        node.setUp();

        assertThat(node.read(file)).isEqualTo("ann");
        assertThat(node.read("tokens/t")).as("still the first").startsWith("token-1-");
    }

    @Test
    void aFieldOfTheWrongTypeIsRefusedWithItsPlace() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login", "defaultMode", 01777));
        node.hold("login", Map.of("user", "ann"));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp))
                .hasMessageContaining("secret.defaultMode must be a mode from 0 to 0777");
    }

    @Test
    void thePodsGroupOwnsAndReadsEveryFileBeforeItIsShown() {
        ContentNode node = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")), Map.of("serviceAccountToken", Map.of("path", "dir/token"))));
        node.fsGroup = 2000L;
        node.hold("login", Map.of("user", "ann"));

        node.setUp();

        Path target = ContentNode.TARGET.absolute();
        assertThat(node.machine.user().group(target.resolve("user"))).isEqualTo(2000);
        assertThat(node.machine.user().group(target.resolve("dir/token"))).isEqualTo(2000);
        assertThat(node.mode("user")).isEqualTo(0644);
        assertThat(node.mode("dir/token")).isEqualTo(0640);
        assertThat(node.mode("dir")).isEqualTo(02755);
    }

    @Test
    void aGroupThatIsNoneIsRefused() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        // Its lower 32 bits are the number of root's group.
        node.fsGroup = 1L << 32;

        VolumeException refusal = catchThrowableOfType(VolumeException.class, node::setUp);

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refusal).hasMessageContaining("4294967296 is not a group ID");
        assertThat(node.machine.table().size()).isEqualTo(1);
    }

    /** Such a file would replace another one of the volume, and would not be shown. */
    @ParameterizedTest
    @ValueSource(strings = {".volume4j-unfinished-1", "dir/.volume4j-unfinished-1/f"})
    void aNameThatUnfinishedFilesHaveIsRefused(String path) {
        ContentNode node = ContentNode.secret(
                Map.of("secretName", "login", "items", List.of(Map.of("key", "user", "path", path))));
        node.hold("login", Map.of("user", "ann"));

        VolumeException refusal = catchThrowableOfType(VolumeException.class, node::setUp);

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refusal).hasMessageContaining("\".volume4j-unfinished-\"");
    }

    @Test
    void aProjectionThatIsNotKnownIsRefused() {
        ContentNode node = ContentNode.projected(List.of(Map.of("oracle", Map.of("path", "ca"))));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp).kind())
                .isEqualTo(FailureKind.FINAL);
    }

    private static ContentNode downward(Map<String, Object> item) {
        return new ContentNode(
                ContentPlugin.downwardApi(Map.of("ephemeral-storage", Quantity.parse("10Gi"))),
                "downwardAPI",
                Map.of("items", List.of(item)));
    }

    @Test
    void secretsAreKeptInMemoryAlone() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();

        assertThat(node.machine.table().at(ContentNode.TARGET.absolute()))
                .get()
                .satisfies(mount -> assertThat(mount.fsType()).isEqualTo("tmpfs"));
    }
}
