package io.volume4j.csi;

import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Registers the CSI drivers of a machine in a plugin registry. It finds drivers that announce themselves in a
 * directory, with the registration protocol of kubelets, and drivers whose sockets the host names. Drivers may be
 * added, removed and replaced at any time. If a driver is removed, the volumes that it set up wait until it is back.
 *
 * <pre>{@code
 * CsiRegistrar registrar = CsiRegistrar.builder(registry)
 *         .directory(Path.of("/var/lib/volume4j/plugins_registry"))
 *         .start();
 * }</pre>
 *
 * <p>The kernel reports changes of the directory, so there is no polling. The registrar retries a failed registration
 * with increasing delays as long as its socket exists. It probes registered drivers regularly. Thread-safe. Closing
 * removes the drivers from the registry; first close the managers and controllers that use them.
 *
 * @since 0.1.0
 */
public final class CsiRegistrar implements AutoCloseable {
    private final Registrations registrations;

    private CsiRegistrar(Registrations registrations) {
        this.registrations = registrations;
    }

    /** A builder for a registrar of this registry. */
    public static Builder builder(PluginRegistry registry) {
        return new Builder(registry);
    }

    /**
     * Completes when a driver with this name is registered; at once if it already is. The future completes on a worker
     * of the registrar. Closing the registrar cancels the future.
     */
    public CompletableFuture<CsiPlugin> whenRegistered(String driver) {
        return registrations.whenRegistered(driver);
    }

    @Override
    public void close() {
        registrations.close();
    }

    /** Builds a registrar. Not thread-safe. */
    public static final class Builder {
        final PluginRegistry registry;
        final Map<CsiEndpoint, UnaryOperator<CsiPluginBuilder>> endpoints = new LinkedHashMap<>();
        final Map<String, UnaryOperator<CsiPluginBuilder>> settings = new LinkedHashMap<>();

        @Nullable
        Path directory;

        ChannelOptions channelOptions = ChannelOptions.defaults();
        CsiRegistrarListener listener = CsiRegistrarListener.NONE;
        Duration patience = Duration.ofSeconds(15);
        Duration firstRetry = Duration.ofSeconds(1);
        Duration longestRetry = Duration.ofMinutes(1);
        Duration probeInterval = Duration.ofSeconds(30);
        Duration nodeInterval = Duration.ofMinutes(5);

        private Builder(PluginRegistry registry) {
            this.registry = Objects.requireNonNull(registry, "registry");
        }

        /**
         * The directory for the sockets of drivers' registrars; none by default. It must exist and belong to a
         * trusted user, because a process that can write there can decide what is mounted on the machine.
         */
        public Builder directory(Path value) {
            directory = value.toAbsolutePath().normalize();
            return this;
        }

        /** Adds a driver that does not announce itself. */
        public Builder endpoint(CsiEndpoint value) {
            return endpoint(value, plugin -> plugin);
        }

        /** The same with settings for this driver. */
        public Builder endpoint(CsiEndpoint value, UnaryOperator<CsiPluginBuilder> change) {
            endpoints.put(value, change);
            return this;
        }

        /** Settings for a driver that announces itself under this name. */
        public Builder driver(String name, UnaryOperator<CsiPluginBuilder> change) {
            settings.put(name, change);
            return this;
        }

        /** The options of all connections, and the trusted users. */
        public Builder channelOptions(ChannelOptions value) {
            channelOptions = Objects.requireNonNull(value, "channelOptions");
            return this;
        }

        public Builder listener(CsiRegistrarListener value) {
            listener = Objects.requireNonNull(value, "listener");
            return this;
        }

        /** How long one attempt to register a driver may take; 15 seconds by default. */
        public Builder patience(Duration value) {
            patience = positive("patience", value);
            return this;
        }

        /**
         * The delays between attempts to register the same driver, which double from the first to the longest; 1
         * second to 1 minute by default.
         */
        public Builder retry(Duration first, Duration longest) {
            firstRetry = positive("first", first);
            longestRetry = positive("longest", longest);
            return this;
        }

        /** How often the registrar probes each driver; every 30 seconds by default. */
        public Builder probeInterval(Duration value) {
            probeInterval = positive("probeInterval", value);
            return this;
        }

        /**
         * How often the registrar asks each driver for its node's id, topology and limits; every 5 minutes by
         * default.
         */
        public Builder nodeInterval(Duration value) {
            nodeInterval = positive("nodeInterval", value);
            return this;
        }

        /**
         * Starts the registrar.
         * @throws VolumeException final, if the directory cannot be watched; transient, if no thread can be created
         */
        public CsiRegistrar start() {
            Registrations registrations = new Registrations(this);
            try {
                registrations.start();
            } catch (RuntimeException | Error noThread) {
                registrations.close();
                throw noThread;
            } catch (IOException e) {
                registrations.close();
                throw VolumeException.finalFailure("cannot watch " + directory + " for CSI drivers: " + e)
                        .withAdvice("create the directory, for root alone")
                        .withCause(e);
            }
            return new CsiRegistrar(registrations);
        }

        private static Duration positive(String name, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException(name + " must be positive, not " + value);
            }
            return value;
        }
    }
}
