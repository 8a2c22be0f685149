package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.binding.BindingFeature;
import io.volume4j.core.control.host.ObjectReconciler;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No user sees the secrets that a plugin puts into its messages, also where the engine does not make the call. */
class SecretsInControlTest {
    private static final String SECRET = "hunter2-the-secret";
    private static final SecretRef REFERENCE = new SecretRef("ns", "login");

    private final ControlBench bench = new ControlBench();
    private final InMemorySecrets secrets = new InMemorySecrets();
    private final ObjectReconciler agent;

    SecretsInControlTest() {
        secrets.put(REFERENCE, Map.of("password", SECRET));
        PluginRegistry plugins = PluginRegistry.builder(
                        InMemoryPluginHost.named("").secrets(secrets).build())
                .plugin(new Telltale())
                .build();
        bench.given(
                GivenVolume.volume("v")
                        .source(CsiSource.of("telltale.example.com", "h", "", Map.of()))
                        .made(),
                claim("c").made());
        agent = bench.newAgent(
                bench.loop, "p", ControllerFeatures.ofController().with(ControllerFeature.HEALTH), plugins);
        agent.start();
        bench.settle();
    }

    @Test
    void doesNotComeWithTheFailureOfALookForOrphans() {
        CompletableFuture<?> found =
                agent.feature(BindingFeature.class).requests().orphans();
        bench.loop.advance(Duration.ofMinutes(1));

        String failure =
                String.valueOf(found.handle((value, failed) -> chain(failed)).join());
        assertThat(failure).contains("cannot list with").doesNotContain(SECRET);
    }

    @Test
    void doesNotComeWithTheWordsAboutAVolume() {
        StringBuilder stored = new StringBuilder();
        for (ApiObject object : bench.cluster.export()) {
            stored.append(Manifests.toYaml(object));
        }
        assertThat(stored.toString()).contains("the login").doesNotContain(SECRET);
        assertThat(bench.events.all().toString()).contains("the login").doesNotContain(SECRET);
    }

    private static String chain(@Nullable Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            text.append(each).append('\n');
        }
        return text.toString();
    }

    /** Says everything that it knows. */
    private static final class Telltale implements VolumePlugin {
        private @Nullable PluginHost host;

        @Override
        public String name() {
            return "telltale.example.com";
        }

        @Override
        public void init(PluginHost given) {
            host = given;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(name());
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return "h";
        }

        @Override
        public Optional<Inventory> inventory() {
            return Optional.of(context -> {
                throw VolumeException.transientFailure("cannot list with " + password());
            });
        }

        @Override
        public Optional<HealthReporter> health() {
            return Optional.of((volume, context) -> new Health(true, "the login " + password() + " is refused"));
        }

        private String password() {
            return Objects.requireNonNull(host)
                    .secrets()
                    .resolve(REFERENCE)
                    .values()
                    .getOrDefault("password", "");
        }
    }
}
