package io.volume4j.core.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What no kernel of a build machine tells; the usual is compared with mountinfo in {@code EventMountTableTest}. */
class MountStatusTest {
    private static final int BASIC = 0x1 | 0x2 | 0x8 | 0x10 | 0x20;

    private final ByteBuffer status = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder());
    private int texts = 1;

    private void has(long what) {
        status.putLong(8, what);
    }

    private void text(int field, String text) {
        status.putInt(field, texts);
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            status.put(512 + texts++, each);
        }
        texts++;
    }

    private void usual() {
        has(BASIC);
        status.putInt(16, 8).putInt(20, 17).putInt(56, 41).putInt(60, 40);
        text(104, "/");
        text(108, "/mnt/a");
        text(36, "ext4");
    }

    private MountEntry decoded() {
        return MountStatus.decode(status.array()).orElseThrow();
    }

    @Test
    void writesEveryFlagInTheWordAndOrderOfMountinfo() {
        usual();
        status.putLong(64, 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x10_0000 | 0x20_0000);
        status.putInt(32, 0x1 | 0x10 | 0x80 | 0x200_0000);
        assertThat(decoded())
                .isEqualTo(new MountEntry(
                        41,
                        40,
                        "8:17",
                        "/",
                        Path.of("/mnt/a"),
                        List.of("ro", "nosuid", "nodev", "noexec", "noatime", "nodiratime", "nosymfollow", "idmapped"),
                        "ext4",
                        "none",
                        List.of("ro", "sync", "dirsync", "lazytime")));
    }

    @Test
    void strictAccessTimesAreNoWordAndRelativeOnesAre() {
        usual();
        status.putLong(64, 0x20);
        assertThat(decoded().options()).containsExactly("rw");
        status.putLong(64, 0);
        assertThat(decoded().options()).containsExactly("rw", "relatime");
    }

    @Test
    void namesSubtypeSecurityLabelsAndUnescapesTheFilesystemsOwnOptions() {
        usual();
        has(BASIC | 0x80 | 0x100 | 0x200 | 0x800);
        text(120, "sshfs");
        text(124, "host:/a b");
        text(4, "user_id=0,dir=/x\\040y");
        status.putInt(136, 2);
        status.putInt(140, texts);
        text(1000, "seclabel");
        text(1000, "context=a");
        MountEntry entry = decoded();
        assertThat(entry.fsType()).isEqualTo("ext4.sshfs");
        assertThat(entry.source()).isEqualTo("host:/a b");
        assertThat(entry.superOptions()).containsExactly("rw", "seclabel", "context=a", "user_id=0", "dir=/x y");
    }

    @Test
    void aMountThatThisProcessCannotReachIsNone() {
        usual();
        text(108, "");
        assertThat(MountStatus.decode(status.array())).isEmpty();
    }

    @Test
    void aKernelThatTellsLessThanAMountHasIsNotBelieved() {
        usual();
        has(BASIC & ~0x10);
        assertThatThrownBy(() -> MountStatus.decode(status.array())).isInstanceOf(VolumeException.class);
    }
}
