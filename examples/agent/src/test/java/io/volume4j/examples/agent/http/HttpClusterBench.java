package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cluster behind a server that answers what a test tells it to. */
abstract class HttpClusterBench {
    static final ObjectKey C = ObjectKey.claim("ns", "c");

    ScriptedServer server;
    HttpCluster cluster;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        cluster = HttpCluster.of(Access.to(server.uri()));
    }

    @AfterEach
    void stop() {
        cluster.close();
        server.close();
    }

    static ClusterException refusal(ThrowingCallable call) {
        return catchThrowableOfType(ClusterException.class, call);
    }
}
