package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/card.md names public types and tests that exist, and has a row for each name of the sentence at its head. */
class CardPageTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final String page = Sources.read(Sources.ROOT.resolve("docs/card.md"));
    private final List<String[]> rows = page.lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| the card says"))
            .map(line -> line.split(" \\| "))
            .toList();

    @Test
    void everyTypeIsPublicAndExported() {
        Map<String, String> types = Sources.publicTypes();

        assertThat(rows)
                .hasSizeGreaterThan(10)
                .allSatisfy(row -> assertThat(code(row[1]))
                        .isNotEmpty()
                        .allSatisfy(type -> assertThat(types).containsKey(type)));
    }

    @Test
    void everyTestIsThere() {
        Map<String, String> tests = Sources.tests();
        List<String> missing = new ArrayList<>();
        for (String[] row : rows) {
            List<String> named = code(row[2]);
            assertThat(named).as(row[0]).isNotEmpty();
            named.stream().filter(test -> !isThere(test, tests)).forEach(missing::add);
        }
        assertThat(missing).isEmpty();
    }

    private static boolean isThere(String test, Map<String, String> tests) {
        if (test.startsWith(".ci/")) {
            return Files.isExecutable(Sources.ROOT.resolve(test));
        }
        String[] named = test.split("#");
        String source = tests.get(named[0]);
        return source != null
                && (named.length == 1
                        || Pattern.compile("\\bvoid " + named[1] + "\\(")
                                .matcher(source)
                                .find());
    }

    @Test
    void everyNameOfTheSentenceHasARow() {
        String sentence = page.lines().filter(line -> line.startsWith("> ")).reduce("", String::concat);

        assertThat(code(sentence))
                .hasSizeGreaterThanOrEqualTo(9)
                .allSatisfy(name -> assertThat(rows)
                        .anySatisfy(row -> assertThat(code(row[1])).anyMatch(type -> type.endsWith("." + name))));
    }

    private static List<String> code(String cell) {
        List<String> found = new ArrayList<>();
        Matcher code = CODE.matcher(cell);
        while (code.find()) {
            found.add(code.group(1));
        }
        return found;
    }
}
