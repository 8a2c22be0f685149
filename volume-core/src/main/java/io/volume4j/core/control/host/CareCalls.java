package io.volume4j.core.control.host;

import io.volume4j.core.engine.NoThread;
import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.ApiObject;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Calls outside of the engine: actions that a user requests, and checks by features. They read and write the store directly, on
 * workers. Thread-safe.
 */
public final class CareCalls {
    private final ControlPorts ports;
    private final LeftoverProcesses tools;
    private final ControlOptions options;
    private final Consumer<ApiObject> stored;

    /** @param stored takes written objects for the cache; from any thread */
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

    /** Adds an object that the caller wrote to the cache. */
    public void stored(ApiObject object) {
        stored.accept(object);
    }

    /**
     * Runs the call on a worker. Secrets in calls to plugins are protected as in calls of the engine.
     * @param what names the operation
     * @return fails with the exception of the call, or if there is no thread
     */
    public <T> CompletableFuture<T> call(String what, Function<CallContext, T> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            ports.workers().execute(() -> {
                try {
                    CareCall context = new CareCall(
                            ports.loop(), tools.prefix() + what + "-" + ports.process(), options.clusterDeadline());
                    future.complete(ports.plugins().confidentially(() -> call.apply(context)));
                } catch (Throwable failure) {
                    future.completeExceptionally(failure);
                }
            });
        } catch (Throwable noThread) {
            future.completeExceptionally(NoThread.because("cannot begin: " + what, noThread));
        }
        return future;
    }
}
