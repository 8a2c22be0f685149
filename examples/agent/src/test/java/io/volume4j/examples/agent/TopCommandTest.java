package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.examples.commandline.Usage;
import org.junit.jupiter.api.Test;

/** How a person gives the token. */
class TopCommandTest {
    @Test
    void theTokenIsReadWithoutTheSpaceAroundIt() {
        assertThat(TopCommand.typed(prompt -> " token-1 ".toCharArray())).isEqualTo("token-1");
    }

    @Test
    void withoutATerminalForTheOutputItSaysHowElseToGiveTheToken() {
        assertThatThrownBy(() -> TopCommand.typed(null))
                .isInstanceOf(Usage.class)
                .hasMessageContaining("--token-file");
    }

    @Test
    void theEndOfTheInputInPlaceOfATokenIsToldInOneLine() {
        assertThatThrownBy(() -> TopCommand.typed(prompt -> null))
                .isInstanceOf(Usage.class)
                .hasMessageContaining("needs the token");
    }
}
