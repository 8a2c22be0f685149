package io.volume4j.inmemory.contract;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;

/**
 * The cluster that a {@link ClusterContract} tests, with its properties.
 *
 * @since 0.1.0
 */
public interface ClusterUnderTest extends AutoCloseable {
    /** Reads the objects of the cluster. */
    ClusterSource source();

    /** Changes the objects of the cluster. The source must see the changes. */
    ClusterWriter writer();

    /** An existing namespace that no other program changes during the tests. Default {@code default}. */
    default String namespace() {
        return "default";
    }

    /**
     * Removes the store's history, so that no watch can begin at an earlier revision.
     * @return whether that is possible; false by default, and then tests that need it are skipped
     */
    default boolean forgetHistory() {
        return false;
    }

    /**
     * Breaks the connections of the watches, also during the transmission of an event.
     * @return whether that is possible; false by default, and then tests that need it are skipped
     */
    default boolean breakWatches() {
        return false;
    }

    /** Called once after each test. */
    @Override
    default void close() {}
}
