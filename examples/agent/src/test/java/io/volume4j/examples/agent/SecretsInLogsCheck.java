package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Looks through everything that the other tests of this module have logged, at TRACE, for the tokens and secrets that they use. Run by
 * the build when those are over.
 */
class SecretsInLogsCheck {
    private static final Path TARGET =
            Path.of(System.getProperty("basedir", ".")).resolve("target");
    private static final Path LOG = TARGET.resolve("trace.log");

    /** Of the tokens of all roles, of a secret's data, and of a token in a kubeconfig. */
    private static final List<String> SECRETS = List.of("8f3a5c", "hunter2", "my-secret");

    /** The next run begins a log of its own. */
    @AfterAll
    static void putAside() throws IOException {
        if (Files.exists(LOG)) {
            Files.move(LOG, TARGET.resolve("trace.scanned.log"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void noSecretWasLoggedAtAnyLevel() throws IOException {
        List<String> hidden = Stream.concat(SECRETS.stream(), SECRETS.stream().map(SecretsInLogsCheck::base64))
                .toList();
        try (Stream<String> lines = Files.lines(LOG, StandardCharsets.UTF_8)) {
            assertThat(lines.filter(line -> hidden.stream().anyMatch(line::contains))
                            .limit(5))
                    .isEmpty();
        }
    }

    @Test
    void whatWasLookedThroughIsEverythingDownToTheSteps() throws IOException {
        try (Stream<String> lines = Files.lines(LOG, StandardCharsets.UTF_8)) {
            assertThat(lines.filter(line -> line.contains("DEBUG") && line.contains("step done"))
                            .limit(1))
                    .isNotEmpty();
        }
    }

    private static String base64(String secret) {
        return Base64.getEncoder().withoutPadding().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
    }
}
