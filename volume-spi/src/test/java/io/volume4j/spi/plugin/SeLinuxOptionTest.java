package io.volume4j.spi.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeLinuxOptionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "system_u:object_r:container_file_t:s0:c1,c2",
                "system_u:object_r:my-type.x_t:s0-s0:c0.c1023",
            })
    void aContextIsOneQuotedOption(String label) {
        assertThat(SeLinuxOption.of(label)).isEqualTo("context=\"" + label + "\"");
    }

    @Test
    void noContextIsNoOption() {
        assertThat(SeLinuxOption.of("")).isEmpty();
    }

    /** Drivers join options with commas, and hand them to mount. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "system_u:object_r:container_file_t:s0\",suid,dev,context=\"x",
                "system_u:object_r:t:s0\\",
                "system_u:object_r:t:s0 -o suid",
                "system_u:object_r:t:s0\nsuid",
                "system_u:object_r:t:s0\0",
                "system_u:object_r:t:s=0",
                "system_u:object_r:t:\u00e4",
            })
    void aPodAddsNoOtherOptionsByIt(String label) {
        assertThatThrownBy(() -> SeLinuxOption.of(label))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining("SELinux context");
    }

    @Test
    void theContextComesBehindTheOptionsOfTheVolume() {
        assertThat(SeLinuxOption.behind(List.of("noatime"), "system_u:object_r:t:s0:c1,c2"))
                .containsExactly("noatime", "context=\"system_u:object_r:t:s0:c1,c2\"");
        assertThat(SeLinuxOption.behind(List.of("noatime"), "")).containsExactly("noatime");
    }
}
