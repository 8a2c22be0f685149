package io.volume4j.inmemory.host;

import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The plugin host of a test. Immutable, and thread-safe if its parts are.
 *
 * @since 0.1.0
 */
public final class InMemoryPluginHost implements PluginHost {
    private final String nodeName;
    private final Path root;
    private final Map<String, Quantity> allocatable;
    private final @Nullable MountBackend mounts;
    private final @Nullable FormatAndMount formatAndMount;
    private final SecretResolver secrets;
    private final ConfigResolver configs;
    private final CertificateResolver certificates;
    private final InstantSource clock;

    private InMemoryPluginHost(Builder builder) {
        nodeName = builder.nodeName;
        root = builder.root;
        allocatable = builder.allocatable;
        mounts = builder.mounts;
        formatAndMount = builder.formatAndMount;
        secrets = builder.secrets;
        clock = builder.clock;
        certificates = builder.certificates == null ? new InMemoryCertificates(clock) : builder.certificates;
        configs = builder.configs == null ? new InMemoryConfig(clock) : builder.configs;
    }

    /** A builder for the host of a node; {@code ""} for a control plane. */
    public static Builder named(String nodeName) {
        return new Builder(nodeName);
    }

    @Override
    public String nodeName() {
        return nodeName;
    }

    @Override
    public Path root() {
        return root;
    }

    @Override
    public Path pluginDirectory(String pluginName) {
        return root.resolve("plugins").resolve(pluginName.replace("/", "~")).resolve("data");
    }

    @Override
    public Map<String, Quantity> allocatable() {
        return allocatable;
    }

    @Override
    public Optional<MountBackend> mounts() {
        return Optional.ofNullable(mounts);
    }

    @Override
    public Optional<FormatAndMount> formatAndMount() {
        return Optional.ofNullable(formatAndMount);
    }

    @Override
    public SecretResolver secrets() {
        return secrets;
    }

    @Override
    public ConfigResolver configs() {
        return configs;
    }

    @Override
    public CertificateResolver certificates() {
        return certificates;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    /** The elapsed time of a {@link ManualClock}, without its steps. Another clock counts as never set. */
    @Override
    public long nanoTime() {
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
        private @Nullable FormatAndMount formatAndMount;
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
            allocatable = Collections.unmodifiableMap(new TreeMap<>(resources));
            return this;
        }

        /** Default none. */
        public Builder mounts(MountBackend backend) {
            mounts = backend;
            return this;
        }

        /** Default none. */
        public Builder formatAndMount(FormatAndMount newFormatAndMount) {
            formatAndMount = newFormatAndMount;
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

        public InMemoryPluginHost build() {
            return new InMemoryPluginHost(this);
        }
    }
}
