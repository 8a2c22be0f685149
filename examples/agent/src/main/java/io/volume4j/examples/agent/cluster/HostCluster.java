package io.volume4j.examples.agent.cluster;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cluster of a process. Thread-safe. */
public interface HostCluster extends ClusterSource, ClusterWriter, AutoCloseable {
    /** Secrets that this process may read. */
    SecretResolver secrets();

    /** Config maps, and tokens for the pods of the node. */
    ConfigResolver configs(String nodeName);

    /**
     * Stores an object whose kind no record of the library models, in place of one of its name.
     *
     * @param tree its document, of which no more is known than that it is an object
     * @return what it is, for people; empty if the cluster keeps no such objects
     * @throws io.volume4j.spi.host.ClusterException if the cluster does not take it
     */
    default Optional<String> store(Map<String, @Nullable Object> tree) {
        return Optional.empty();
    }

    /** Ends its connections. */
    @Override
    void close();
}
