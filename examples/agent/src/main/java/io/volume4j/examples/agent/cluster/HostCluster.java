package io.volume4j.examples.agent.cluster;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;

/** The cluster of a process. Thread-safe. */
public interface HostCluster extends ClusterSource, ClusterWriter, AutoCloseable {
    /** Secrets that this process may read. */
    SecretResolver secrets();

    /** Config maps, and tokens for the pods of the node. */
    ConfigResolver configs(String nodeName);

    /** Ends its connections. */
    @Override
    void close();
}
