package io.volume4j.core.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
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

    /** A pod may create such a name below a root with any name. The mount must be found below that root. */
    @Test
    void onlyTheNamesThatAreNoTextGetEscapes() {
        Assumptions.assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "names are not UTF-8 here");
        byte[] bytes = "/srv/\u00e4/d?\u00e4/e".getBytes(StandardCharsets.UTF_8);
        bytes[9] = (byte) 0xff;

        String text = PathText.text(bytes, 0, bytes.length);

        assertThat(text).isEqualTo("/srv/\u00e4/d\\377\\303\\244/e");
        assertThat(Path.of(text)).startsWithRaw(Path.of("/srv/\u00e4"));
    }

    /** Otherwise the path could have the text of another one, whose first name is no text either. */
    @Test
    void aBackslashInAnotherNameIsEscapedThen() {
        Assumptions.assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "names are not UTF-8 here");
        byte[] bytes = "d\\377/x?".getBytes(StandardCharsets.UTF_8);
        bytes[bytes.length - 1] = (byte) 0xff;

        assertThat(PathText.text(bytes, 0, bytes.length)).isEqualTo("d\\134377/x\\377");
    }
}
