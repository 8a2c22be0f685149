package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each public type says since which version it is there, and CHANGELOG.md knows that version. */
class SinceTest {
    private static final Pattern SINCE = Pattern.compile("(?m)^ \\* @since (\\S+)$");
    private static final Pattern HEADING = Pattern.compile("(?m)^## (?:\\[?Unreleased\\]? \\()?\\[?([0-9][^\\])\\s]*)");
    private static final String UNKNOWN = "no @since";

    @Test
    void eachPublicTypeNamesAVersionOfTheChangelog() {
        Set<String> versions = HEADING.matcher(Sources.read(Sources.ROOT.resolve("CHANGELOG.md")))
                .results()
                .map(heading -> heading.group(1))
                .collect(Collectors.toSet());
        Map<String, String> wrong = new TreeMap<>();
        Sources.publicTypes().forEach((type, text) -> {
            Matcher since = SINCE.matcher(text);
            String version = since.find() ? since.group(1) : UNKNOWN;
            if (!versions.contains(version)) {
                wrong.put(type, version);
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void theRuleSeesTheTypes() {
        assertThat(Sources.publicTypes()).hasSizeGreaterThan(200);
    }
}
