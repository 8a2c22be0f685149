package io.volume4j.csi.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who serves a socket may be a question to a directory server, which may be slow or away. */
@Timeout(180)
class SlowLookupTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger toHold = new AtomicInteger();
    private final AtomicInteger toRefuse = new AtomicInteger();
    private final UnixSocketChannels channels = closing.later(new UnixSocketChannels(
            ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)), SlowLookupTest::group, new Lookups()));

    @Test
    void aLookupThatWaitsKeepsNoOtherDriverWaiting() throws Exception {
        toHold.set(1);
        ListenableFuture<ProbeResponse> held = probe(connection());
        Runnable lookup = waiting.poll(60, TimeUnit.SECONDS);

        assertThat(probe(connection()).get(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(held.isDone()).isFalse();

        assertThat(lookup).isNotNull();
        new Thread(lookup).start();
        assertThat(held.get(60, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void closingDoesNotWaitForALookup() throws Exception {
        toHold.set(1);
        SocketConnection connection = connection();
        ListenableFuture<ProbeResponse> held = probe(connection);
        assertThat(waiting.poll(60, TimeUnit.SECONDS)).isNotNull();
        connection.close();
        channels.close();
        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(() -> held.get(60, TimeUnit.SECONDS));
    }

    @Test
    void withoutAThreadForTheLookupTheCallFailsAndTheNextOneConnects() throws Exception {
        toRefuse.set(1);
        SocketConnection connection = connection();
        ManagedChannel failing = (ManagedChannel) connection.lease().channel();
        assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
                .isThrownBy(() -> probe(connection).get(60, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(StatusRuntimeException.class)
                .havingCause()
                .withMessageContaining("no thread to connect with");
        // A call fails a moment before its channel says so.
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofMinutes(1))
                .until(() -> failing.getState(false) == ConnectivityState.TRANSIENT_FAILURE);
        assertThat(probe(connection).get(60, TimeUnit.SECONDS)).isNotNull();
    }

    private SocketConnection connection() {
        SocketDirectory directory = closing.later(new SocketDirectory());
        closing.later(new ScriptedDriver(directory.socket()))
                .answeringEverything()
                .start();
        return closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));
    }

    private static ListenableFuture<ProbeResponse> probe(SocketConnection connection) throws Exception {
        return ClientCalls.futureUnaryCall(
                connection.lease().channel().newCall(IdentityGrpc.getProbeMethod(), CallOptions.DEFAULT),
                ProbeRequest.getDefaultInstance());
    }

    @SuppressWarnings("deprecation") // the same group as the client's
    private static EventLoopGroup group() {
        return new NioEventLoopGroup(1, new DefaultThreadFactory("lookup-io", true));
    }

    /** Holds or refuses as many look-ups as the test says. */
    private final class Lookups extends ThreadPoolExecutor {
        Lookups() {
            super(0, 9, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
        }

        @Override
        public void execute(Runnable lookup) {
            if (toHold.getAndDecrement() > 0) {
                waiting.add(lookup);
            } else if (toRefuse.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            } else {
                super.execute(lookup);
            }
        }
    }
}
