package io.volume4j.csi.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class UnixSocketChannelsTest {
    @AutoClose
    private final Closing closing = new Closing();

    private final Set<Thread> before = ioThreads();

    @Test
    void threadsComeWithTheFirstConnectionAndGoWithTheLast() throws Exception {
        SocketDirectory directory = closing.later(new SocketDirectory());
        closing.later(new ScriptedDriver(directory.socket()))
                .answeringEverything()
                .start();
        UnixSocketChannels channels = closing.later(new UnixSocketChannels(ChannelOptions.defaults()));
        SocketConnection connection =
                closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));
        assertThat(ioThreadsOfOurs()).isEmpty();

        ClientCalls.blockingUnaryCall(
                connection.lease().channel(),
                IdentityGrpc.getProbeMethod(),
                CallOptions.DEFAULT,
                ProbeRequest.getDefaultInstance());
        assertThat(ioThreadsOfOurs())
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo(ChannelOptions.defaults().ioThreads())
                .allMatch(Thread::isDaemon);

        Set<Thread> threads = ioThreadsOfOurs();
        connection.close();
        channels.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ioThreadsOfOurs()).isEmpty();
    }

    /** gRPC would break the channel for good if it were the one to find that out. */
    @Test
    void aConnectionWithoutAThreadIsRefusedAndTheNextOneWorks() throws Exception {
        SocketDirectory directory = closing.later(new SocketDirectory());
        closing.later(new ScriptedDriver(directory.socket()))
                .answeringEverything()
                .start();
        AtomicInteger refusals = new AtomicInteger(2);
        UnixSocketChannels channels = closing.later(new UnixSocketChannels(
                ChannelOptions.defaults(),
                () -> group(task -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    Thread thread = new Thread(task, "scarce-io");
                    thread.setDaemon(true);
                    return thread;
                })));
        SocketConnection connection =
                closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(connection::lease).hasMessageContaining("no thread to connect with");
        }

        assertThat(ClientCalls.blockingUnaryCall(
                        connection.lease().channel(),
                        IdentityGrpc.getProbeMethod(),
                        CallOptions.DEFAULT,
                        ProbeRequest.getDefaultInstance()))
                .isNotNull();
    }

    @SuppressWarnings("deprecation") // the same group as the client's
    private static EventLoopGroup group(ThreadFactory threads) {
        return new NioEventLoopGroup(1, threads);
    }

    private Set<Thread> ioThreadsOfOurs() {
        Set<Thread> threads = ioThreads();
        threads.removeAll(before);
        return threads;
    }

    private static Set<Thread> ioThreads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith("volume-csi-io"));
        return threads;
    }
}
