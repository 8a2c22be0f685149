package io.volume4j.examples.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ConfigManifestTest {
    private static final Map<String, Object> NAMED = Map.of("name", "n", "namespace", "ns");

    @Test
    void aSecretsDataIsBase64AndItsStringDataIsText() {
        ConfigManifest secret = read(Map.of(
                "kind", "Secret", "metadata", NAMED, "data", Map.of("a", "eA=="), "stringData", Map.of("b", "y")));

        assertThat(secret.secret()).isTrue();
        assertThat(text(secret, "a")).isEqualTo("x");
        assertThat(text(secret, "b")).isEqualTo("y");
    }

    @Test
    void aConfigMapsDataIsTextAndItsBinaryDataIsBase64() {
        ConfigManifest map = read(Map.of(
                "kind", "ConfigMap", "metadata", NAMED, "data", Map.of("a", "x"), "binaryData", Map.of("b", "eQ==")));

        assertThat(map.secret()).isFalse();
        assertThat(text(map, "a")).isEqualTo("x");
        assertThat(text(map, "b")).isEqualTo("y");
    }

    @Test
    void anObjectOfAnotherKindIsNone() {
        assertThat(ConfigManifest.of(Map.of("kind", "Pod", "metadata", NAMED))).isEmpty();
    }

    @Test
    void namesWhatIsWrongAndShowsNoValue() {
        assertThatThrownBy(() -> read(Map.of("kind", "Secret", "metadata", NAMED, "data", Map.of("a", "s3cr?t"))))
                .isInstanceOf(Usage.class)
                .hasMessage("Secret ns/n: data.a is not base64");
        assertThatThrownBy(() -> read(Map.of("kind", "Secret"))).hasMessageContaining("metadata.name");
        assertThatThrownBy(() -> read(Map.of("kind", "ConfigMap", "metadata", NAMED, "data", Map.of("a", 5))))
                .hasMessageContaining("data.a must be text");
    }

    @Test
    void showsNoEntries() {
        assertThat(read(Map.of("kind", "Secret", "metadata", NAMED, "stringData", Map.of("a", "s3cret"))))
                .hasToString("Secret ns/n");
    }

    private static ConfigManifest read(Map<String, Object> tree) {
        return ConfigManifest.of(tree).orElseThrow();
    }

    private static String text(ConfigManifest config, String key) {
        return new String(Objects.requireNonNull(config.entries().get(key)), StandardCharsets.UTF_8);
    }
}
