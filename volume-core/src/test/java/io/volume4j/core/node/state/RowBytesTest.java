package io.volume4j.core.node.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes are those of the platform's own encoder, which wrote the first rows. */
class RowBytesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a\u0000b",
                "\u007f\u0080\u07ff\u0800\uffff",
                "gr\u00fc\u00dfe",
                "\ud83d\ude00 and more",
                "\ud83d alone"
            })
    void writesTextAsThePlatformDoes(String text) throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(expected)) {
            out.writeByte(200);
            out.writeUTF(text);
            out.writeUTF(text.repeat(200));
        }

        assertThat(new RowBytes(8).u8(200).text(text).text(text.repeat(200)).done())
                .isEqualTo(expected.toByteArray());
    }

    @Test
    void writesNumbersAndMapsAsThePlatformDoes() throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(expected)) {
            out.writeBoolean(true);
            out.writeShort(40_000);
            out.writeInt(-7);
            out.writeLong(Long.MIN_VALUE + 5);
            out.writeShort(1);
            out.writeUTF("key");
            out.writeUTF("value");
        }

        assertThat(new RowBytes(8)
                        .flag(true)
                        .u16(40_000)
                        .i32(-7)
                        .i64(Long.MIN_VALUE + 5)
                        .map(Map.of("key", "value"))
                        .done())
                .isEqualTo(expected.toByteArray());
    }

    @Test
    void refusesTextThatNoRowCanHold() {
        assertThatThrownBy(() -> new RowBytes(8).text("a".repeat(65_536))).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> new RowBytes(8).text("\u00fc".repeat(32_768)))
                .isInstanceOf(UncheckedIOException.class);
    }
}
