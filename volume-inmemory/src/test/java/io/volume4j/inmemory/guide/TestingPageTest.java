package io.volume4j.inmemory.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The code in docs/testing.md and docs/plugins.md is code that runs. */
class TestingPageTest {
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"testing, 7", "plugins, 1"})
    void allCodeOnThePageStandsInATestOfThisPackage(String page, int pieces) throws IOException {
        Path project = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
        List<String> shown = CODE.matcher(Files.readString(project.resolve("docs/" + page + ".md")))
                .results()
                .map((MatchResult code) -> withoutSpace(code.group(1)))
                .toList();
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files =
                Files.list(project.resolve("volume-inmemory/src/test/java/io/volume4j/inmemory/guide"))) {
            for (Path file : files.toList()) {
                sources.append(withoutSpace(Files.readString(file)));
            }
        }
        assertThat(shown).hasSizeGreaterThanOrEqualTo(pieces);
        assertThat(shown).allSatisfy(code -> assertThat(sources.toString()).contains(code));
    }

    /** Lines are broken where the formatter of sources wants it, and on the page where it reads best. */
    private static String withoutSpace(String code) {
        return code.replaceAll("\\s", "");
    }
}
