package io.volume4j.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeIdTest {
    @ParameterizedTest
    @CsvSource({"p, v, ''", "kubernetes.io/nfs, server:/path, ''", "p, a^b, u", "p, a%5Eb, u", "p%, %25^, ^u%"})
    void itsTextReadsBackAsTheSameId(String plugin, String name, String podUid) {
        VolumeId id = new VolumeId(plugin, name, podUid);

        assertThat(VolumeId.parse(id.toString())).isEqualTo(id);
    }

    @Test
    void differentIdsNeverShareAText() {
        assertThat(VolumeId.shared("p", "a^b"))
                .doesNotHaveToString(VolumeId.ofPod("p", "a", "b").toString());
        assertThat(VolumeId.shared("p^a", "b"))
                .doesNotHaveToString(VolumeId.shared("p", "a^b").toString());
    }

    @Test
    void needsAPluginAndAName() {
        assertThatThrownBy(() -> VolumeId.shared("", "v")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VolumeId.shared("p", "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VolumeId.ofPod("p", "v", "")).isInstanceOf(IllegalArgumentException.class);
    }
}
