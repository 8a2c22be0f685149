package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents and sources point to is there. */
class DocumentsTest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final Pattern MENTION = Pattern.compile("\\bdocs/[a-zA-Z0-9/-]+\\.md\\b");

    @Test
    void documentsLinkToFilesThatExist() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : files(".md")) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                if (!link.group(1).contains("://")
                        && !Files.exists(document.resolveSibling(link.group(1)).normalize())) {
                    broken.add(ROOT.relativize(document) + " -> " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void sourcesAndDocumentsMentionDocumentsThatExist() throws IOException {
        List<String> broken = new ArrayList<>();
        List<Path> sources = new ArrayList<>(files(".java"));
        sources.addAll(files(".md"));
        for (Path source : sources) {
            Matcher mention = MENTION.matcher(Files.readString(source));
            while (mention.find()) {
                if (!Files.exists(ROOT.resolve(mention.group()))) {
                    broken.add(ROOT.relativize(source) + " -> " + mention.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> Stream.of(".git", "target")
                            .noneMatch(name -> ROOT.relativize(path).startsWith(name)
                                    || ROOT.relativize(path).toString().contains("/" + name + "/")))
                    .sorted()
                    .toList();
        }
    }
}
