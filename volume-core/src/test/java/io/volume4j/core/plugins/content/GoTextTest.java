package io.volume4j.core.plugins.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTextTest {
    /** The right side is what strconv.Quote of Go 1.26 returns. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "0, \"\\x00\"",
                "7, \"\\a\"",
                "8, \"\\b\"",
                "9, \"\\t\"",
                "a, \"\\n\"",
                "b, \"\\v\"",
                "c, \"\\f\"",
                "d, \"\\r\"",
                "1f, \"\\x1f\"",
                "20, \" \"",
                "22, \"\\\"\"",
                "27, \"'\"",
                "5c, \"\\\\\"",
                "7f, \"\\x7f\"",
                "80, \"\\u0080\"",
                "85, \"\\u0085\"",
                "a0, \"\\u00a0\"",
                "ad, \"\\u00ad\"",
                "e9, \"\u00e9\"",
                "301, \"\u0301\"",
                "378, \"\\u0378\"",
                "200b, \"\\u200b\"",
                "2028, \"\\u2028\"",
                "2029, \"\\u2029\"",
                "20ac, \"\u20ac\"",
                "3000, \"\\u3000\"",
                "e000, \"\\ue000\"",
                "feff, \"\\ufeff\"",
                "fffd, \"\ufffd\"",
                "ffff, \"\\uffff\"",
                "1f600, \"\ud83d\ude00\"",
                "1fae0, \"\ud83e\udee0\"",
                "e0001, \"\\U000e0001\"",
                "10ffff, \"\\U0010ffff\"",
            })
    void quotesAsGoDoes(String point, String quoted) {
        assertThat(GoText.quoted(Character.toString(Integer.parseInt(point, 16))))
                .isEqualTo(quoted);
    }

    @Test
    void halfACharacterIsReplaced() {
        assertThat(GoText.quoted("a\ud83db")).isEqualTo("\"a\ufffdb\"");
    }
}
