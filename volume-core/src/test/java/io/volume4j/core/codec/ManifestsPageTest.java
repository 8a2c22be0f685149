package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The blocks of {@code docs/manifests.md} are read, or refused with the words that follow them. */
class ManifestsPageTest {
    private static final Pattern BLOCK =
            Pattern.compile("```yaml( refused)?\n(.*?)```(?:\n\n```text\n(.*?)\n```)?", Pattern.DOTALL);

    @Test
    void readsItsManifestsAndRefusesTheOthersInItsWords() throws IOException {
        List<MatchResult> blocks = BLOCK.matcher(page()).results().toList();

        assertThat(blocks).hasSize(3);
        for (MatchResult block : blocks) {
            if (block.group(1) == null) {
                assertThat(Manifests.read("page.yaml", block.group(2))).hasSize(2);
            } else {
                assertThatThrownBy(() -> Manifests.read("claim.yaml", block.group(2)))
                        .isInstanceOf(ManifestException.class)
                        .hasMessage(block.group(3));
            }
        }
    }

    @Test
    void namesEveryKindThatIsRead() throws IOException {
        String kinds = page();
        kinds = kinds.substring(kinds.indexOf("- Kinds: "), kinds.indexOf("- Several documents"));

        for (Kind kind : Kind.values()) {
            assertThat(kinds).containsPattern("\\b" + kind.apiName() + "\\b");
        }
    }

    private static String page() throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
        return Files.readString(root.resolve("docs/manifests.md"));
    }
}
