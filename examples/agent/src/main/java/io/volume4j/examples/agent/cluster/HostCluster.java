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
     * Stores an object of a kind for which the library has no record; replaces an object of the same name.
     *
     * @param tree its document, which is at least a JSON object
     * @return its description, for users; empty if the cluster does not store such objects
     * @throws io.volume4j.spi.host.ClusterException if the cluster rejects the object
     */
    default Optional<String> store(Map<String, @Nullable Object> tree) {
        return Optional.empty();
    }

    /** Closes its connections. */
    @Override
    void close();
}
