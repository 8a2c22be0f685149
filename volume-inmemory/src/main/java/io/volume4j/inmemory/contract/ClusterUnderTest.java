package io.volume4j.inmemory.contract;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;

/**
 * A cluster that a {@link ClusterContract} is to examine, and the little that it must know of it.
 *
 * @since 0.1.0
 */
public interface ClusterUnderTest extends AutoCloseable {
    /** Where its objects come from. */
    ClusterSource source();

    /** How they are changed; what is written here must be seen there. */
    ClusterWriter writer();

    /** A namespace that is there, and in which nothing else happens meanwhile. Default {@code default}. */
    default String namespace() {
        return "default";
    }

    /**
     * Has the store forget what changed so far, so that no watch can begin at an earlier revision.
     *
     * @return whether that can be done; by default it cannot, and tests that need it are skipped
     */
    default boolean forgetHistory() {
        return false;
    }

    /**
     * Breaks what watches hear by, a connection for one, in the middle of whatever is on its way.
     *
     * @return whether that can be done; by default it cannot, and tests that need it are skipped
     */
    default boolean breakWatches() {
        return false;
    }

    /** Called once after each test. */
    @Override
    default void close() {}
}
