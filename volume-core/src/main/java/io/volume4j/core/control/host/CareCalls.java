package io.volume4j.core.control.host;

import io.volume4j.core.control.host.lead.LeftoverProcesses;
import io.volume4j.core.engine.NoThread;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.ApiObject;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Calls beside the engine: what a person asks for by name, and what a feature looks for by itself. They read the store and write it
 * directly, on workers. Thread-safe.
 */
public final class CareCalls {
    private final ControlPorts ports;
    private final LeftoverProcesses tools;
    private final ControlOptions options;
    private final Consumer<ApiObject> stored;

    /** @param stored takes what was written, for the cache; from any thread */
    CareCalls(ControlPorts ports, LeftoverProcesses tools, ControlOptions options, Consumer<ApiObject> stored) {
        this.ports = ports;
        this.tools = tools;
        this.options = options;
        this.stored = stored;
    }

    public ClusterSource source() {
        return ports.source();
    }

    public ClusterWriter writer() {
        return ports.writer();
    }

    /** The caller wrote the object: the cache has it from now on. */
    public void stored(ApiObject object) {
        stored.accept(object);
    }

    /**
     * Runs the call on a worker. What plugins are asked there is as confidential as what the engine asks them.
     *
     * @param what names the operation
     * @return fails with what the call throws, or if no thread could be had
     */
    public <T> CompletableFuture<T> call(String what, Function<CallContext, T> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            ports.workers().execute(() -> {
                try {
                    CareCall context = new CareCall(
                            ports.loop(), tools.prefix() + what + "-" + ports.process(), options.clusterDeadline());
                    future.complete(ports.plugins().confidentially(() -> call.apply(context)));
                } catch (RuntimeException | Error failure) {
                    future.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error noThread) {
            future.completeExceptionally(NoThread.because("cannot begin: " + what, noThread));
        }
        return future;
    }
}
