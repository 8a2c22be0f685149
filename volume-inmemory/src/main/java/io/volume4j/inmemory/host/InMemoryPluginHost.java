package io.volume4j.inmemory.host;

import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plugin host of a test: a {@link DefaultPluginHost} with secrets, config maps, certificates and a clock in memory.
 *
 * @since 0.1.0
 */
public final class InMemoryPluginHost {
    private InMemoryPluginHost() {}

    /** A builder for the host of a node; {@code ""} for a control plane. */
    public static Builder named(String nodeName) {
        return new Builder(nodeName);
    }

    /** The elapsed time of a {@link ManualClock}, without its steps. Another clock counts as never set. */
    private static long nanoTime(InstantSource clock) {
        Duration elapsed = clock instanceof ManualClock manual
                ? manual.elapsed()
                : Duration.between(Instant.EPOCH, clock.instant());
        return elapsed.toNanos();
    }

    /** Builds a plugin host. Not thread-safe. */
    public static final class Builder {
        private final String nodeName;
        private Path root = Path.of("/var/lib/volume4j");
        private Map<String, Quantity> allocatable = Map.of();
        private @Nullable MountBackend mounts;
        private SecretResolver secrets = new InMemorySecrets();
        private @Nullable ConfigResolver configs;
        private @Nullable CertificateResolver certificates;
        private InstantSource clock = new ManualClock();

        private Builder(String nodeName) {
            this.nodeName = nodeName;
        }

        /** Default {@code /var/lib/volume4j}. */
        public Builder root(Path newRoot) {
            root = newRoot;
            return this;
        }

        /** Default none. */
        public Builder allocatable(Map<String, Quantity> resources) {
            allocatable = Map.copyOf(resources);
            return this;
        }

        /** Default none. */
        public Builder mounts(MountBackend backend) {
            mounts = backend;
            return this;
        }

        /** Default none. */
        public Builder secrets(SecretResolver resolver) {
            secrets = resolver;
            return this;
        }

        /** Default none. */
        public Builder configs(ConfigResolver resolver) {
            configs = resolver;
            return this;
        }

        /** Default an {@link InMemoryCertificates} without trust bundles. */
        public Builder certificates(CertificateResolver resolver) {
            certificates = resolver;
            return this;
        }

        /** Default a {@link ManualClock} that does not advance. */
        public Builder clock(InstantSource newClock) {
            clock = newClock;
            return this;
        }

        /** An immutable host, which is thread-safe if its parts are. */
        public PluginHost build() {
            InstantSource time = clock;
            DefaultPluginHost.Builder host = DefaultPluginHost.builder(root)
                    .nodeName(nodeName)
                    .allocatable(allocatable)
                    .secrets(secrets)
                    .configs(configs == null ? new InMemoryConfig(time) : configs)
                    .certificates(certificates == null ? new InMemoryCertificates(time) : certificates)
                    .clock(time)
                    .nanoClock(() -> nanoTime(time));
            return (mounts == null ? host : host.mounts(mounts)).build();
        }
    }
}
