package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.plugins.UnsupportedSources;
import io.volume4j.spi.model.OtherSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/glossary.md} says is ours is there. */
class GlossaryTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
    private static final Pattern OURS = Pattern.compile("`([A-Z][A-Za-z]+)((?:\\.[A-Za-z_]+)*)`");

    @Test
    void namesTypesAndMembersThatExist() {
        Map<String, String> sources = sources();
        List<String> wrong = new ArrayList<>();
        int names = 0;
        for (String row : rows()) {
            Matcher name = OURS.matcher(ours(row));
            while (name.find()) {
                names++;
                String source = sources.get(name.group(1));
                if (source == null || !Stream.of(name.group(2).split("\\.")).allMatch(member -> has(source, member))) {
                    wrong.add(name.group());
                }
            }
        }
        assertThat(wrong).as("names in the glossary without code").isEmpty();
        assertThat(names).isGreaterThan(150);
    }

    @Test
    void saysThreeThingsInEachRow() {
        assertThat(rows())
                .allSatisfy(row -> assertThat(row.split("\\|", -1))
                        .as(row)
                        .hasSize(5)
                        .satisfies(cells ->
                                assertThat(List.of(cells).subList(1, 4)).noneMatch(String::isBlank)));
    }

    /** Which sources of old are translated, and which are refused. */
    @Test
    void saysOfEachSourceThatKubernetesHadWhatBecomesOfIt() {
        Map<String, Boolean> translated = new LinkedHashMap<>();
        String last = "";
        for (String row : rows()) {
            String[] cells = row.split("\\|", -1);
            String said = cells[3].strip();
            last = said.startsWith("the same") ? last : said;
            if (last.startsWith("kept; ")) {
                for (String name : cells[1].strip().split(", (?![^(]*\\))")) {
                    translated.put(name.split(" ")[0], last.contains("`CsiMigration` translates"));
                }
            }
        }
        assertThat(translated).hasSize(15).containsEntry("cinder", true).containsEntry("gitRepo", false);
        translated.forEach((name, yes) -> {
            OtherSource source = new OtherSource(name, Map.of());
            assertThat(CsiMigration.standard().driverFor(source)).as(name).matches(driver -> driver.isPresent() == yes);
            assertThat(UnsupportedSources.explain(source).orElseThrow().contains("refused by design"))
                    .as(name)
                    .isEqualTo(!yes);
        });
    }

    /** The third column, without what is planned. */
    private static String ours(String row) {
        return row.split("\\|", -1)[3].split("planned", 2)[0];
    }

    private static boolean has(String source, String member) {
        return Pattern.compile("\\b" + member + "\\b").matcher(source).find();
    }

    private static List<String> rows() {
        return read(ROOT.resolve("docs/glossary.md"))
                .lines()
                .filter(line -> line.startsWith("|"))
                .toList();
    }

    /** The text of every type of the library, by simple name; types of one name together. */
    private static Map<String, String> sources() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String module :
                List.of("volume-spi", "volume-core", "volume-csi", "volume-inmemory", "volume-inmemory/verification")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                    String name = file.getFileName().toString().replace(".java", "");
                    sources.merge(name, read(file), String::concat);
                });
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
