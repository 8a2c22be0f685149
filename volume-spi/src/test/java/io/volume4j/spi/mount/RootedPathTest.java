package io.volume4j.spi.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RootedPathTest {
    private static final Path ROOT = Path.of("/var/lib/volumes");

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../x", "a/..", "a/../b", "/etc", ".", "a/./b"})
    void cannotLeaveItsRoot(String relative) {
        assertThatThrownBy(() -> RootedPath.of(ROOT, relative)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void needsANormalisedAbsoluteRoot() {
        assertThatThrownBy(() -> RootedPath.of(Path.of("x"), "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RootedPath.of(Path.of("/x/../y"), "a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesAPlaceBelowItsRoot() {
        assertThat(RootedPath.of(ROOT, "pods/u").resolve("volumes")).hasToString("/var/lib/volumes/pods/u/volumes");
        assertThatThrownBy(() -> RootedPath.of(ROOT, "pods").resolve(".."))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
