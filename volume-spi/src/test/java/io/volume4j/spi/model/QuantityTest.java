package io.volume4j.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "64Mi, 67108864",
        "10Gi, 10737418240",
        "1Ki, 1024",
        "1k, 1000",
        "1M, 1000000",
        "1.5Gi, 1610612736",
        "1e3, 1000",
        "1E3, 1000",
        "1E, 1000000000000000000",
        "12E2, 1200",
        "+5, 5",
        "-5, -5",
        ".5Ki, 512",
        "1500m, 2",
        "1n, 1",
        "8Ei, 9223372036854775807",
    })
    void readsEverySuffixAndRoundsUpToWholeBytes(String text, long bytes) {
        assertThat(Quantity.parse(text).bytes()).isEqualTo(bytes);
        assertThat(Quantity.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "64Mib", "64 Mi", "Mi", "1.2.3", "0x10", "1e", "1KI", "64mi", "ten", "1e9999"})
    void refusesWhatIsNoQuantityAndSaysWhatWouldBe(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is not a quantity")
                .hasMessageContaining("64Mi");
    }

    @Test
    void refusesAnEndlessTextWithoutRepeatingIt() {
        assertThatThrownBy(() -> Quantity.parse("1".repeat(10_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .hasSizeLessThan(300);
    }

    @Test
    void isEqualByValue() {
        assertThat(Quantity.parse("1Gi"))
                .isEqualTo(Quantity.parse("1024Mi"))
                .hasSameHashCodeAs(Quantity.parse("1024Mi"));
        assertThat(Quantity.parse("1G")).isNotEqualTo(Quantity.parse("1Gi")).isLessThan(Quantity.parse("1Gi"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1023, 1023", "1024, 1Ki", "67108864, 64Mi", "1610612736, 1536Mi", "1099511627776, 1Ti"})
    void writesBytesWithTheLargestSuffixThatKeepsThemWhole(long bytes, String text) {
        assertThat(Quantity.ofBytes(bytes)).hasToString(text).isEqualTo(Quantity.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"1Gi, 1073741824", "0, 0", "1500m, 1", "999m, 0", "1.5Ki, 1536", "0.3Ki, 307", "-0.5, -1", "3e3, 3000"})
    void roundsBytesDownWhereOnlyWhatIsSurelyThereCounts(String text, long bytes) {
        assertThat(Quantity.parse(text).wholeBytes()).isEqualTo(bytes);
    }

    @Test
    void staysAtTheLimitsWhereBytesDoNotFit() {
        assertThat(Quantity.parse("100E").wholeBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.parse("-100E").wholeBytes()).isEqualTo(Long.MIN_VALUE);
        assertThat(Quantity.ofBytes(Long.MAX_VALUE).wholeBytes()).isEqualTo(Long.MAX_VALUE);
    }
}
