package io.volume4j.core.plugins;

import io.volume4j.core.plugins.registry.PluginNames;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The standard {@link PluginHost}, with a {@link Builder}. Immutable and thread-safe if its parts are.
 *
 * <p>A plugin's own directory is {@code <root>/plugins/<plugin, '/' as '~'>/data}.
 *
 * @since 0.1.0
 */
public final class DefaultPluginHost implements PluginHost {
    private final String nodeName;
    private final Path root;
    private final Map<String, Quantity> allocatable;
    private final @Nullable MountBackend mounts;
    private final @Nullable FormatAndMount formatAndMount;
    private final SecretResolver secrets;
    private final ConfigResolver configs;
    private final CertificateResolver certificates;
    private final InstantSource clock;
    private final LongSupplier nanoClock;

    private DefaultPluginHost(Builder parts) {
        this.nodeName = parts.nodeName;
        this.root = parts.mounts == null ? parts.root : real(parts.root, parts.mounts.files());
        this.allocatable = parts.allocatable;
        this.mounts = parts.mounts;
        this.formatAndMount = mounts == null ? null : new ProvenFormatAndMount(mounts);
        this.secrets = parts.secrets;
        this.configs = parts.configs;
        this.certificates = parts.certificates;
        this.clock = parts.clock;
        this.nanoClock = parts.nanoClock;
    }

    /**
     * A builder for a plugin host.
     * @param root absolute and normalised; the directory below which the library keeps all its files. With a mount
     *     backend, the host follows the links in this path once, when it is built
     */
    public static Builder builder(Path root) {
        return new Builder(root);
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
        return root.resolve("plugins")
                .resolve(PluginNames.directory(pluginName))
                .resolve("data");
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

    @Override
    public long nanoTime() {
        return nanoClock.getAsLong();
    }

    /**
     * The root without links, as the mount table shows what is mounted below it. A root that does not exist yet gets
     * the real path of the directory above it.
     */
    private static Path real(Path root, HostFiles files) {
        try {
            for (Path there = root; there != null; there = there.getParent()) {
                Optional<Path> found = files.resolve(there);
                if (found.isPresent()) {
                    return found.get().resolve(there.relativize(root));
                }
            }
        } catch (VolumeException unusable) {
            // The creation of the root reports it.
        }
        return root;
    }

    /** Builds a plugin host. Not thread-safe. */
    public static final class Builder {
        private final Path root;
        private String nodeName = "";
        private Map<String, Quantity> allocatable = Map.of();
        private @Nullable MountBackend mounts;
        private SecretResolver secrets = DefaultPluginHost::noSecrets;
        private ConfigResolver configs = new NoConfigs();
        private CertificateResolver certificates = CertificateResolver.none();
        private InstantSource clock = InstantSource.system();
        private LongSupplier nanoClock = System::nanoTime;

        private Builder(Path root) {
            if (!root.isAbsolute() || !root.normalize().equals(root)) {
                throw new IllegalArgumentException("root must be an absolute path without \".\" and \"..\", not " + root
                        + ": give " + root.toAbsolutePath().normalize() + ", if that is meant");
            }
            if (root.getParent() == null) {
                throw new IllegalArgumentException(
                        "root must be a directory for this library alone, such as /var/lib/volume4j, not " + root);
            }
            this.root = root;
        }

        private static <T> T given(String call, @Nullable T value) {
            return Objects.requireNonNull(
                    value, () -> call + "(…) was given null: give a value, or leave the call out for the default");
        }

        /** The node's own name. None by default, for a control plane. */
        public Builder nodeName(String value) {
            nodeName = given("nodeName", value);
            return this;
        }

        /**
         * The node's allocatable resources for pods, by name; unknown by default. See {@link PluginHost#allocatable}.
         */
        public Builder allocatable(Map<String, Quantity> value) {
            allocatable = Collections.unmodifiableMap(new TreeMap<>(value));
            return this;
        }

        /** The mount backend. None by default; plugins then cannot mount. */
        public Builder mounts(MountBackend value) {
            mounts = given("mounts", value);
            return this;
        }

        /** Reads secrets. By default reading any secret fails. */
        public Builder secrets(SecretResolver value) {
            secrets = given("secrets", value);
            return this;
        }

        /** Reads config maps and gets tokens. By default no config map exists, and every request for a token fails. */
        public Builder configs(ConfigResolver value) {
            configs = given("configs", value);
            return this;
        }

        /** Gets trust bundles and certificates. By default every such request fails. */
        public Builder certificates(CertificateResolver value) {
            certificates = Objects.requireNonNull(value, "certificates");
            return this;
        }

        /** The wall clock; the system clock by default. */
        public Builder clock(InstantSource value) {
            clock = given("clock", value);
            return this;
        }

        /** See {@link PluginHost#nanoTime}; for tests. The JVM's clock by default. */
        public Builder nanoClock(LongSupplier value) {
            nanoClock = given("nanoClock", value);
            return this;
        }

        public DefaultPluginHost build() {
            return new DefaultPluginHost(this);
        }
    }

    private static SecretValues noSecrets(SecretRef reference) {
        throw VolumeException.transientFailure("secret " + OneLine.name(reference.namespace()) + "/"
                        + OneLine.name(reference.name()) + " cannot be read: this process has no secret resolver")
                .withAdvice("give the plugin host a secret resolver");
    }

    private static final class NoConfigs implements ConfigResolver {
        @Override
        public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public Token token(TokenRequest request) {
            throw VolumeException.transientFailure("no token for service account " + request.namespace() + "/"
                            + request.serviceAccount() + ": this process has no config resolver")
                    .withAdvice("give the plugin host a config resolver");
        }
    }
}
