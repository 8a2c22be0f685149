package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where intents become durable before their effects. Called on the loop; never blocks it.
 */
public interface IntentLog<K, S extends Step> {
    /**
     * Makes the intent durable, then calls back on the loop, with null or with why it could not be.
     *
     * @param operationId of the operation that will carry the step out
     */
    void record(String operationId, K key, S step, Consumer<@Nullable VolumeException> durable);

    /** Of a reconciler whose intents are objects of the cluster, planned and written like any other step. */
    static <K, S extends Step> IntentLog<K, S> inCluster() {
        return (operationId, key, step, durable) -> durable.accept(null);
    }
}
