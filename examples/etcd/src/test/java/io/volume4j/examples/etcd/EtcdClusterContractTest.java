package io.volume4j.examples.etcd;

import io.volume4j.inmemory.contract.ClusterContract;
import io.volume4j.inmemory.contract.ClusterUnderTest;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One etcd for all tests, each under a prefix of its own; watches over a link that breaks. */
class EtcdClusterContractTest extends ClusterContract {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected ClusterUnderTest subject() {
        try {
            return new InEtcd(server, "/test-" + TESTS.incrementAndGet());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static final class InEtcd implements ClusterUnderTest {
        private final CutLink link;
        private final EtcdClient watching;
        private final EtcdClient writing;
        private final EtcdCluster source;
        private final EtcdCluster writer;

        InEtcd(EtcdServer server, String prefix) throws IOException {
            link = new CutLink(server.uri());
            watching = EtcdClient.builder()
                    .endpoints(List.of(link.uri()))
                    .prefix(prefix)
                    .build();
            writing = EtcdClient.builder()
                    .endpoints(List.of(server.uri()))
                    .prefix(prefix)
                    .build();
            // pages of three, so that listings have several
            source = EtcdCluster.builder(watching).pageSize(3).build();
            writer = EtcdCluster.builder(writing).build();
        }

        @Override
        public ClusterSource source() {
            return source;
        }

        /** Writes are not what breaks here. */
        @Override
        public ClusterWriter writer() {
            return writer;
        }

        @Override
        public boolean forgetHistory() {
            // etcd still knows the events of the very revision to which it compacts
            long revision = writing.await(
                            "put", writing.client().getKVClient().put(EtcdKeys.bytes("/later"), EtcdKeys.bytes("")))
                    .getHeader()
                    .getRevision();
            writing.await("compact", writing.client().getKVClient().compact(revision));
            return true;
        }

        @Override
        public boolean breakWatches() {
            link.cut();
            return true;
        }

        @Override
        public void close() {
            watching.close();
            writing.close();
            try {
                link.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
