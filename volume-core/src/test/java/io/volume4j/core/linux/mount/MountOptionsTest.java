package io.volume4j.core.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MountOptionsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # options                    | flags     | attributes | superblock | data
            defaults                     | 0         | 0          | ''         | ''
            ro                           | 1         | 1          | ro         | ''
            ro,rw                        | 0         | 0          | ''         | ''
            nosuid,nodev,noexec          | e         | e          | ''         | ''
            noatime                      | 400       | 10         | ''         | ''
            noatime,strictatime          | 1000400   | 20         | ''         | ''
            sync,lazytime                | 2000010   | 0          | sync lazytime | ''
            discard,errors=remount-ro    | 0         | 0          | ''         | discard,errors=remount-ro
            noauto,_netdev,x-a.b,nofail,comment=c | 0 | 0         | ''         | ''
            X-mount.mkdir=0755,x-y,X-z,discard | 0 | 0            | ''         | discard
            context="u:r:t:s0:c1,c2",ro  | 1         | 1          | ro         | context="u:r:t:s0:c1,c2"
            """)
    void sortsWordsByWhoUnderstandsThem(
            String options, String flags, String attributes, String superblock, String data) {
        MountOptions sorted = MountOptions.of(new FilesystemMount("ext4", "/dev/x", false, List.of(options)));
        assertThat(Long.toHexString(sorted.flags())).isEqualTo(flags);
        assertThat(Long.toHexString(sorted.attributes())).isEqualTo(attributes);
        assertThat(String.join(" ", sorted.superblockFlags())).isEqualTo(superblock);
        assertThat(sorted.joinedData()).isEqualTo(data);
    }

    @Test
    void readOnlyBeatsTheOptions() {
        assertThat(MountOptions.of(new FilesystemMount("ext4", "/dev/x", true, List.of("rw")))
                        .readOnly())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bind",
                "rbind",
                "move",
                "remount",
                "shared",
                "rprivate",
                "loop",
                "loop=/dev/loop3",
                "X-mount.subdir=a",
                "X-mount.mode=0700"
            })
    void refusesWordsThatWouldDoSomethingElseThanMountThisFilesystem(String word) {
        assertThatThrownBy(() -> MountOptions.of(new FilesystemMount("ext4", "/dev/x", false, List.of("ro", word))))
                .isInstanceOfSatisfying(VolumeException.class, e -> {
                    assertThat(e.kind()).isEqualTo(FailureKind.FINAL);
                    assertThat(e.getMessage()).contains("\"" + word.replaceAll("=.*", "") + "\"");
                });
    }
}
