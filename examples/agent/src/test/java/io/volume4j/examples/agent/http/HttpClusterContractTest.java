package io.volume4j.examples.agent.http;

import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.contract.ClusterContract;
import io.volume4j.inmemory.contract.ClusterUnderTest;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The adapter against the store, over a connection that can break, with pages so small that every listing takes several. */
class HttpClusterContractTest extends ClusterContract {
    @Override
    protected ClusterUnderTest subject() {
        try {
            Store store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
            return new OverHttp(store, new BreakingProxy(store.uri()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static final class OverHttp implements ClusterUnderTest {
        private final Store store;
        private final BreakingProxy proxy;
        private final HttpCluster watched;
        private final HttpCluster direct;

        OverHttp(Store store, BreakingProxy proxy) {
            this.store = store;
            this.proxy = proxy;
            watched = HttpCluster.of(Access.to(proxy.uri())).with(2, Duration.ofMinutes(5));
            direct = HttpCluster.of(Access.to(store.uri()));
        }

        @Override
        public ClusterSource source() {
            return watched;
        }

        /** Writes are not what breaks here. */
        @Override
        public ClusterWriter writer() {
            return direct;
        }

        @Override
        public boolean forgetHistory() {
            store.forgetHistory();
            return true;
        }

        @Override
        public boolean breakWatches() {
            proxy.breakAll();
            return true;
        }

        @Override
        public void close() {
            try {
                watched.close();
                direct.close();
                proxy.close();
                store.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
