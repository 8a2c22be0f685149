package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import io.volume4j.spi.model.SecretRef;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DefaultPluginHostTest {
    private static final Path ROOT = Path.of("/var/lib/volume4j");

    @Test
    void givesEachPluginADirectoryOfItsOwn() {
        DefaultPluginHost host = DefaultPluginHost.builder(ROOT).build();

        assertThat(host.pluginDirectory("loop.volume4j.io")).isEqualTo(ROOT.resolve("plugins/loop.volume4j.io/data"));
        assertThat(host.pluginDirectory("kubernetes.io/nfs")).isEqualTo(ROOT.resolve("plugins/kubernetes.io~nfs/data"));
        assertThatThrownBy(() -> host.pluginDirectory("../../etc")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void canFormatExactlyWhenItCanMount() {
        DefaultPluginHost without = DefaultPluginHost.builder(ROOT).build();
        DefaultPluginHost with =
                DefaultPluginHost.builder(ROOT).mounts(new FakeMachine()).build();

        assertThat(without.mounts()).isEmpty();
        assertThat(without.formatAndMount()).isEmpty();
        assertThat(with.mounts()).isPresent();
        assertThat(with.formatAndMount()).isPresent();
    }

    @Test
    void missesSecretsAndTokensUnlessItWasGivenAWay() {
        DefaultPluginHost host = DefaultPluginHost.builder(ROOT).build();

        assertThatThrownBy(() -> host.secrets().resolve(new SecretRef("ns", "chap")))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.TRANSIENT));
        assertThatThrownBy(() -> host.configs().token(new TokenRequest("ns", "uid", "sa", "aud", 600)))
                .hasMessageContaining("ns/sa");
        assertThat(host.configs().configMap("ns", "map")).isEmpty();
    }

    @Test
    void refusesARootThatIsNotOnePlace() {
        assertThatThrownBy(() -> DefaultPluginHost.builder(Path.of("relative")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DefaultPluginHost.builder(Path.of("/a/../b")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void passesOnWhatItWasGiven() {
        Instant moment = Instant.parse("2026-01-02T03:04:05Z");
        DefaultPluginHost host = DefaultPluginHost.builder(ROOT)
                .nodeName("n1")
                .clock(() -> moment)
                .build();

        assertThat(host.nodeName()).isEqualTo("n1");
        assertThat(host.clock().instant()).isEqualTo(moment);
        assertThat(host.root()).isEqualTo(ROOT);
    }
}
