package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes intents durable before their effects. Called on the loop; never blocks it. */
public interface IntentLog<K, S extends Step> {
    /**
     * Makes the intent durable, then calls back on the loop: with null, or with the failure.
     * @param operationId the id of the operation that will execute the step
     */
    void record(String operationId, K key, S step, Consumer<@Nullable VolumeException> durable);

    /** For a reconciler that writes its intents to objects of the cluster, as steps of its plans. */
    static <K, S extends Step> IntentLog<K, S> inCluster() {
        return (operationId, key, step, durable) -> durable.accept(null);
    }
}
