package io.volume4j.core.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTextTest {
    @Test
    void namesWithEscapesAreTheBytesThatTheKernelKnows() {
        assertThat(PathText.unescaped(Path.of("a/b\\377")))
                .extracting(RawName::toString)
                .containsExactly("a", "b\\377");
        assertThat(PathText.unescaped(Path.of("a/b"))).isEmpty();
    }

    /** A pod may create directories with any names. */
    @ParameterizedTest
    @ValueSource(strings = {"a/\\056\\056", "a/\\056", "a/.\\056/b", "a\\057b", "a/b\\000c"})
    void aNameThatOnlyLooksEscapedLeadsNowhereElse(String path) {
        assertThat(PathText.unescaped(Path.of(path))).isEmpty();
    }
}
