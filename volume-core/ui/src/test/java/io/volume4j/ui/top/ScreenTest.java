package io.volume4j.ui.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of a terminal. */
class ScreenTest {
    /** ESC, the one-character CSI of ISO 6429, a new line of Unicode, and the character that reverses what follows. */
    @ParameterizedTest
    @ValueSource(strings = {"\u001b[2J", "\u009b2J", "\u0085", "\u202e"})
    void noTextOfAnObjectControlsTheTerminal(String control) {
        ObjectNode summary = JsonNodeFactory.instance.objectNode();
        summary.putArray("attention")
                .addObject()
                .put("state", "failing")
                .put("name", "a" + control + "b")
                .put("error", "c" + control + "d");

        String shown = String.join("\n", new Screen(120, false, ZoneOffset.UTC).lines(summary));

        assertThat(shown).contains("failing").doesNotContain(control.substring(0, 1));
    }
}
