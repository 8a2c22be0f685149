package io.volume4j.spi.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message stays one line of limited length, whatever names the objects have that it tells of. */
class OneLineTest {
    @ParameterizedTest
    @ValueSource(strings = {"data-0", "kubernetes.io/nfs", "Data_1", "..", "a/../b", ""})
    void aNameThatIsOneWordStaysAsItIs(String name) {
        assertThat(OneLine.name(name)).isEqualTo(name);
    }

    static Stream<Arguments> others() {
        return Stream.of(
                arguments("a b", "\"a b\""),
                arguments("data does not exist, and \"x\"", "\"data does not exist, and \"x\"\""),
                arguments("x\nERROR forged", "\"x?ERROR forged\""),
                arguments("x\rforged", "\"x?forged\""),
                arguments("x\u001b[31mred", "\"x?[31mred\""),
                arguments("x\u2028forged", "\"x?forged\""),
                arguments("\u202elatot", "\"?latot\""),
                arguments("x\ud800", "\"x?\""),
                arguments("é", "\"é\""));
    }

    @ParameterizedTest
    @MethodSource("others")
    void anyOtherIsQuotedOnOneLine(String name, String shown) {
        assertThat(OneLine.name(name)).isEqualTo(shown);
    }

    @Test
    void aNameOfTheLongestKindStaysWholeAndALongerOneIsCut() {
        assertThat(OneLine.name("x".repeat(253))).isEqualTo("x".repeat(253));
        assertThat(OneLine.name("x".repeat(254))).isEqualTo("\"" + "x".repeat(120) + "…\"");
    }

    @Test
    void aCutLeavesNoHalfOfACharacter() {
        assertThat(OneLine.cut("😀".repeat(3), 2)).isEqualTo("😀😀…");
    }

    @Test
    void theKeyOfAnObjectIsOneLineWhateverItsName() {
        assertThat(ObjectKey.claim("default", "data")).hasToString("PersistentVolumeClaim/default/data");
        assertThat(ObjectKey.claim("default", "x\nforged"))
                .hasToString("PersistentVolumeClaim/default/\"x?forged\"")
                .isNotEqualTo(ObjectKey.claim("default", "x\rforged"));
    }
}
