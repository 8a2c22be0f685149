package io.volume4j.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Texts for fields whose length servers limit. */
class ServerTextTest {
    @Test
    void longTextsAreCutWhereServersWouldRefuseThem() {
        assertThat(ServerText.message("x".repeat(1024))).hasSize(1024);
        assertThat(ServerText.message("x".repeat(1025))).hasSize(1024).endsWith("x...");
        String wide = ServerText.message("\u20ac".repeat(400));
        assertThat(wide.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024);
        assertThat(wide).endsWith("\u20ac...");
    }

    @Test
    void aTextThatWasCutIsNotCutAgain() {
        String cut = ServerText.message("\u20ac".repeat(400));
        assertThat(ServerText.message(cut)).isEqualTo(cut);
    }
}
