package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Looks through everything that the other tests of this module have logged, at TRACE, for what they sent to drivers in secret
 * fields. Run by the build when those are over.
 */
class SecretsInLogsCheck {
    private static final Path TARGET =
            Path.of(System.getProperty("basedir", ".")).resolve("target");
    private static final Path LOG = TARGET.resolve("trace.log");
    private static final Path SCANNED = TARGET.resolve("trace.scanned.log");
    private static final Pattern REPORT = Pattern.compile("TEST-(.+)\\.xml");
    /** Shorter ones stand in many words. */
    private static final int SHORTEST = 6;

    /** The next run begins a log of its own. */
    @AfterAll
    static void putAside() throws IOException {
        if (Files.exists(LOG)) {
            Files.move(LOG, SCANNED, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.deleteIfExists(TARGET.resolve("secrets-sent.txt"));
    }

    @Test
    void noSecretWasLoggedAtAnyLevel() throws IOException {
        List<String> hidden = hidden();
        List<String> hits = new ArrayList<>();
        try (Stream<String> lines = Files.lines(LOG, StandardCharsets.UTF_8)) {
            lines.filter(line -> hidden.stream().anyMatch(line::contains))
                    .limit(5)
                    .forEach(hits::add);
        }
        assertThat(hits).isEmpty();
    }

    /** A log that holds only some of the tests would prove nothing: each class has run since the last one was put aside. */
    @Test
    void everyTestOfTheModuleWroteToThisLog() throws IOException {
        assertThat(LOG).exists();
        FileTime before = Files.exists(SCANNED) ? Files.getLastModifiedTime(SCANNED) : FileTime.fromMillis(0);
        Set<String> ran = new TreeSet<>();
        try (Stream<Path> reports = Files.list(TARGET.resolve("surefire-reports"))) {
            for (Path report : reports.toList()) {
                Matcher name = REPORT.matcher(report.getFileName().toString());
                if (name.matches() && Files.getLastModifiedTime(report).compareTo(before) > 0) {
                    ran.add(name.group(1));
                }
            }
        }
        Set<String> tests = new TreeSet<>();
        Path classes = TARGET.resolve("test-classes");
        try (Stream<Path> all = Files.walk(classes)) {
            all.map(path -> classes.relativize(path).toString())
                    .filter(path -> path.endsWith("Test.class") && path.indexOf('$') < 0)
                    .forEach(path -> tests.add(
                            path.substring(0, path.length() - ".class".length()).replace('/', '.')));
        }
        assertThat(tests).isNotEmpty();
        assertThat(ran).containsAll(tests);
    }

    @Test
    void whatWasLookedThroughIsEverythingDownToTheRequests() throws IOException {
        try (Stream<String> lines = Files.lines(LOG, StandardCharsets.UTF_8)) {
            assertThat(lines.filter(line -> line.contains("TRACE") && line.contains("rpc=\"NodeStageVolume\""))
                            .filter(line -> line.contains("secrets=***")))
                    .isNotEmpty();
        }
    }

    /** What was sent, and the forms of those that never get as far: of tests that hand them to a part of the library. */
    private static List<String> hidden() throws IOException {
        Set<String> values = new TreeSet<>(List.of("hunter2", "tops3cret", "-s3cret"));
        for (int i = 1; i <= 9; i++) {
            values.add("token-" + i + "-web");
        }
        Path sent = TARGET.resolve("secrets-sent.txt");
        try (Stream<String> lines = Files.lines(sent, StandardCharsets.UTF_8)) {
            lines.map(line -> new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8))
                    .filter(value -> value.length() >= SHORTEST)
                    .forEach(values::add);
        }
        assertThat(values).as("secrets that were sent").contains("tops3cret-stage", "tops3cret-array", "old-s3cret");
        return forms(values);
    }

    /** As they are, and as many programs print them. */
    private static List<String> forms(Set<String> values) {
        List<String> forms = new ArrayList<>(values);
        for (String value : values) {
            forms.add(Base64.getEncoder().withoutPadding().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
        }
        return forms;
    }
}
