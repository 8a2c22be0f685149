package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsiEndpointTest {

    @ParameterizedTest
    @ValueSource(strings = {"unix:///run/driver/csi.sock", "unix:/run/driver/csi.sock", "/run/driver/csi.sock"})
    void readsEveryFormInWhichDriversNameASocket(String text) {
        CsiEndpoint endpoint = CsiEndpoint.parse(text);
        assertThat(endpoint.socket()).isEqualTo(Path.of("/run/driver/csi.sock"));
        assertThat(endpoint).hasToString("unix:///run/driver/csi.sock");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "csi.sock",
                "unix:csi.sock",
                "unix://csi.sock",
                "unix:@csi",
                "unix:\0csi",
                "@csi",
                "unix-abstract:csi",
                "tcp://127.0.0.1:10000",
                "127.0.0.1:10000",
                "unix:///run/../etc/csi.sock",
                "unix:///run/./csi.sock",
                "unix:///run/a\0b"
            })
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CsiEndpoint.parse(text));
    }

    @Test
    void refusesPathsThatASocketAddressCannotHold() {
        String longest = "/" + "s".repeat(CsiEndpoint.MAX_PATH_BYTES - 1);
        assertThat(CsiEndpoint.parse(longest).socket()).hasToString(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CsiEndpoint.parse(longest + "s"))
                .withMessageContaining("108 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CsiEndpoint.parse("/" + "é".repeat(54)))
                .withMessageContaining("109 bytes");
    }
}
