package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.options.Quirk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverArgumentsTest {
    private static DriverOptions options(String... words) {
        return Objects.requireNonNull(DriverArguments.parse(words, Map.of("CSI_ENDPOINT", "unix:///run/d/csi.sock"))
                .options());
    }

    @Test
    void takesTheEndpointFromTheCommandLineOrTheEnvironment() {
        assertThat(options().socket()).isEqualTo(Path.of("/run/d/csi.sock"));
        assertThat(options("--endpoint", "unix:///run/other.sock").socket()).isEqualTo(Path.of("/run/other.sock"));
    }

    @Test
    void readsWhatADriverCanBeTold() {
        DriverOptions options = options(
                "--minimal",
                "--with",
                "stage",
                "--with",
                "controller.4711",
                "--quirk",
                "list-drift",
                "--pool",
                "zone=a,rack=7:10Gi",
                "--pool",
                "1Gi",
                "--node",
                "node-2=unix:///run/d/two.sock",
                "--node",
                "node-3",
                "--place",
                "node-2:zone=b",
                "--attach-limit",
                "3",
                "--secret",
                "token=x",
                "--mounts",
                "links",
                "--volume",
                "by-hand:1Mi",
                "--keep-mounts");

        assertThat(options.switches().toString()).isEqualTo("access.MOUNT controller.4711 node.STAGE_UNSTAGE_VOLUME");
        assertThat(options.quirks()).containsExactly(Quirk.LIST_DRIFT);
        assertThat(options.pools())
                .isEqualTo(
                        List.of(new Pool(Map.of("zone", "a", "rack", "7"), 10L << 30), new Pool(Map.of(), 1L << 30)));
        assertThat(options.otherNodes())
                .isEqualTo(Map.of("node-2", Optional.of(Path.of("/run/d/two.sock")), "node-3", Optional.empty()));
        assertThat(options.placeOf("node-2")).isEqualTo(Map.of("zone", "b"));
        assertThat(options.attachLimit()).isEqualTo(3);
        assertThat(options.secrets()).isEqualTo(Map.of("token", "x"));
        assertThat(options.mounts()).isEqualTo(MountStyle.LINKS);
        assertThat(options.presetVolumes()).isEqualTo(Map.of("by-hand", 1L << 20));
        assertThat(options.keepMounts()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --with nonsense      | no capability is called
            --quirk nonsense     | no quirk is called
            --pool much          | not a size
            --attach-limit -1    | must not be negative
            --attach-limit many  | not a number
            --nonsense x         | unknown argument --nonsense
            --name               | needs a value
            --volume x           | expected ID:SIZE
            """)
    void saysInOneLineWhatItCannotDo(String line, String why) {
        assertThatThrownBy(() -> options(line.strip().split(" +")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void theUsageNamesEveryQuirkAndEveryGroupOfCapabilities() {
        for (Quirk quirk : Quirk.values()) {
            assertThat(DriverArguments.USAGE).contains(quirk.label());
        }
        assertThat(DriverArguments.USAGE).contains("attach", "stage", "--endpoint", "--fault");
        assertThat(DriverArguments.USAGE.lines()).allMatch(line -> line.length() <= 120);
    }
}
