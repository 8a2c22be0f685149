package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Looks through everything that the other tests of this module have logged, at TRACE, for the secrets that they use. Run by
 * the build when those are over; all secrets of tests are of these forms.
 */
class SecretsInLogsCheck {
    private static final Pattern SECRET = Pattern.compile("tops3cret|" + base64("tops3cret-canary"));

    private final Path log =
            Path.of(System.getProperty("basedir", ".")).resolve("target").resolve("trace.log");

    @Test
    void noSecretWasLoggedAtAnyLevel() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> hits =
                    lines.filter(line -> SECRET.matcher(line).find()).limit(5).toList();
            assertThat(hits).isEmpty();
        }
    }

    /** The tests that send secrets mount, so there is nothing to look through without the right to. */
    @Test
    @ExtendWith(MountRight.class)
    void whatWasLookedThroughIsEverythingDownToTheRequests() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            assertThat(lines.filter(line -> line.contains("TRACE") && line.contains("rpc=NodeStageVolume"))
                            .filter(line -> line.contains("secrets=***")))
                    .isNotEmpty();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
