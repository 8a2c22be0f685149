package io.volume4j.csi;

import io.volume4j.csi.internal.registration.RegistrationClient;
import io.volume4j.csi.internal.registration.RegistrationClient.Candidate;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.OneLine;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One attempt to connect to a driver. All methods block. */
final class Arrival {
    private final CsiEndpoint socket;
    private final boolean announced;
    private final CsiTransport transport;
    private final CsiRegistrar.Builder settings;
    private final UnaryOperator<CsiPluginBuilder> change;

    Arrival(
            CsiEndpoint socket,
            boolean announced,
            CsiTransport transport,
            CsiRegistrar.Builder settings,
            UnaryOperator<CsiPluginBuilder> change) {
        this.socket = socket;
        this.announced = announced;
        this.transport = transport;
        this.settings = settings;
        this.change = change;
    }

    /**
     * The outcome of the attempt.
     *
     * @param plugin null if there is none
     * @param failure the reason why there is no plugin; {@code ""} if the socket belongs to no CSI driver
     */
    record Result(@Nullable CsiPlugin plugin, String failure) {
        void close() {
            if (plugin != null) {
                plugin.close();
            }
        }
    }

    /**
     * Asks the registrar for the driver and connects to it. Does not wait for a driver that is not ready: the caller
     * tries again later.
     */
    Result meet() {
        try {
            if (!announced) {
                return ready(change.apply(CsiPlugin.at(socket)), "");
            }
            try (RegistrationClient registrar = registrar()) {
                Optional<Candidate> candidate = registrar.ask();
                if (candidate.isEmpty()) {
                    return new Result(null, "");
                }
                String name = candidate.get().name();
                UnaryOperator<CsiPluginBuilder> own = settings.settings.getOrDefault(name, UnaryOperator.identity());
                return ready(own.apply(CsiPlugin.at(candidate.get().endpoint())), name);
            }
        } catch (VolumeException e) {
            return new Result(null, e.getMessage());
        } catch (Throwable e) {
            // the host's settings run in this block
            return new Result(null, e.toString());
        }
    }

    private Result ready(CsiPluginBuilder builder, String expectedName) {
        Patience patience = new Patience(settings.patience, System::nanoTime);
        CsiPlugin plugin = builder.transport(transport).connect(patience);
        String problem = "";
        try {
            if (!expectedName.isEmpty() && !plugin.name().equals(expectedName)) {
                problem = "it was announced as " + OneLine.name(expectedName) + " and calls itself " + plugin.name();
            } else if (!plugin.probe(patience)) {
                problem = "it is not ready yet";
            }
        } catch (VolumeException e) {
            problem = e.getMessage();
        } catch (Throwable e) {
            problem = e.toString();
        }
        if (problem.isEmpty()) {
            return new Result(plugin, "");
        }
        plugin.close();
        return new Result(null, problem);
    }

    /** Reports the outcome to the registrar, if there is one. */
    void tell(String error) {
        if (!announced) {
            return;
        }
        try (RegistrationClient registrar = registrar()) {
            registrar.tell(error);
        } catch (VolumeException notHeard) {
            // The registrar calls again or ends.
            return;
        }
    }

    private RegistrationClient registrar() {
        return new RegistrationClient(socket.socket(), transport.channels(), settings.patience);
    }
}
