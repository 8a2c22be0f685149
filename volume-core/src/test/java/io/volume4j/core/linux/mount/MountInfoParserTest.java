package io.volume4j.core.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountInfoParserTest {
    @Test
    void readsALineWithAndWithoutOptionalFields() {
        assertThat(parse("""
                36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
                41 36 0:5 / /proc rw - proc proc rw
                """))
                .containsExactly(
                        new MountEntry(
                                36,
                                35,
                                "98:0",
                                "/mnt1",
                                Path.of("/mnt2"),
                                List.of("rw", "noatime"),
                                "ext3",
                                "/dev/root",
                                List.of("rw", "errors=continue")),
                        new MountEntry(
                                41, 36, "0:5", "/", Path.of("/proc"), List.of("rw"), "proc", "proc", List.of("rw")));
    }

    @Test
    void undoesTheKernelsEscapes() {
        MountEntry entry = parse("1 0 7:0 /a\\040b /x\\134y\\011z\\012\\043 rw shared:1 - ext4 /dev/a\\040b rw\n")
                .get(0);
        assertThat(entry.rootInFilesystem()).isEqualTo("/a b");
        assertThat(entry.mountPoint()).hasToString("/x\\y\tz\n#");
        assertThat(entry.source()).isEqualTo("/dev/a b");
    }

    @Test
    void keepsALineWhosePathIsNoTextInThisEncoding() {
        byte[] line = "1 0 7:0 / /x?y rw - ext4 /dev/a rw\n".getBytes(StandardCharsets.ISO_8859_1);
        line[12] = (byte) 0xff;
        assertThat(MountInfoParser.parse(line).get(0).mountPoint()).hasToString("/x\\377y");
    }

    @Test
    void anEmptySourceIsASource() {
        assertThat(parse("1 0 0:9 / /x rw - tmpfs  rw\n").get(0).source()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1 0 7:0 / /x rw ext4 /dev/a rw", "x 0 7:0 / /x rw - ext4 /dev/a rw", "1 0 7:0 / /x rw -", "\n"})
    void refusesALineThatItDoesNotUnderstandInsteadOfLeavingItOut(String line) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.TRANSIENT));
    }

    private static List<MountEntry> parse(String table) {
        return MountInfoParser.parse(table.getBytes(StandardCharsets.UTF_8));
    }
}
