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
 * Keeps the CSI drivers of a machine in a plugin registry: those that announce themselves in a directory, by the protocol
 * that Kubernetes' node agents use, and those whose sockets the host names. Drivers may come, go, and be replaced at any
 * time; one that goes stays known to the volumes that it set up, which wait for it.
 *
 * <pre>{@code
 * CsiRegistrar registrar = CsiRegistrar.builder(registry)
 *         .directory(Path.of("/var/lib/volume4j/plugins_registry"))
 *         .start();
 * }</pre>
 *
 * <p>Nothing is polled: the directory is watched by the kernel, a failed registration is tried again with growing delays
 * while its socket is there. Registered drivers are probed at intervals. Thread-safe. Closing takes the drivers out of the
 * registry; close whatever uses them before.
 *
 * @since 0.1.0
 */
public final class CsiRegistrar implements AutoCloseable {
    private final Registrations registrations;

    private CsiRegistrar(Registrations registrations) {
        this.registrations = registrations;
    }

    /** Begins a registrar that adds to the registry. */
    public static Builder builder(PluginRegistry registry) {
        return new Builder(registry);
    }

    /** Done when a driver of the name is registered, at once if it is; cancelled with the registrar. */
    public CompletableFuture<CsiPlugin> whenRegistered(String driver) {
        return registrations.whenRegistered(driver);
    }

    @Override
    public void close() {
        registrations.close();
    }

    /** Not thread-safe. */
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
         * Where registrars put their sockets; none by default. It must exist and belong to a trusted user, for a process that may
         * write there decides what is mounted on the machine.
         */
        public Builder directory(Path value) {
            directory = value.toAbsolutePath().normalize();
            return this;
        }

        /** A driver that does not announce itself. */
        public Builder endpoint(CsiEndpoint value) {
            return endpoint(value, plugin -> plugin);
        }

        /** The same, with settings of its own. */
        public Builder endpoint(CsiEndpoint value, UnaryOperator<CsiPluginBuilder> change) {
            endpoints.put(value, change);
            return this;
        }

        /** Settings for a driver that announces itself under this name. */
        public Builder driver(String name, UnaryOperator<CsiPluginBuilder> change) {
            settings.put(name, change);
            return this;
        }

        /** How to talk over all sockets, and whose are trusted. */
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

        /** The delays between attempts to register the same driver: doubled from 1 second to 1 minute by default. */
        public Builder retry(Duration first, Duration longest) {
            firstRetry = positive("first", first);
            longestRetry = positive("longest", longest);
            return this;
        }

        /** How often each driver is asked whether it is well; every 30 seconds by default. */
        public Builder probeInterval(Duration value) {
            probeInterval = positive("probeInterval", value);
            return this;
        }

        /** How often each driver is asked for its node's id, place and limits; every 5 minutes by default. */
        public Builder nodeInterval(Duration value) {
            nodeInterval = positive("nodeInterval", value);
            return this;
        }

        /**
         * Begins.
         *
         * @throws VolumeException final, if the directory cannot be watched; transient, if there is no thread
         */
        public CsiRegistrar start() {
            Registrations registrations = new Registrations(this);
            try {
                registrations.start();
            } catch (VolumeException noThread) {
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
