package io.volume4j.csi.driver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call for which the machine has no thread is answered once there is one. */
@Timeout(60)
class EndpointThreadsTest {
    @SuppressWarnings("deprecation") // the same group as the driver's
    private static EventLoopGroup newGroup() {
        return new NioEventLoopGroup(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aCallThatGetsNoThreadAtFirstIsAnsweredWhenThereIsOne(int missing) throws IOException {
        Path directory = Files.createTempDirectory("endpoint");
        Path socket = directory.resolve("private").resolve("csi.sock");
        AtomicInteger asked = new AtomicInteger();
        Endpoint endpoint = new Endpoint(socket, List.of(new Ready().bindService()), task -> {
            if (asked.incrementAndGet() <= missing) {
                // As the JVM says it where the machine is at its limit of processes.
                throw new OutOfMemoryError("unable to create native thread");
            }
            return daemon(task);
        });
        EventLoopGroup group = newGroup();
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(group)
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            ProbeResponse answer = IdentityGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .probe(ProbeRequest.getDefaultInstance());

            assertThat(answer.getReady().getValue()).isTrue();
            assertThat(asked.get()).isGreaterThan(missing);
        } finally {
            channel.shutdownNow();
            endpoint.close(Duration.ofSeconds(1));
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
            Files.deleteIfExists(socket.getParent());
            Files.deleteIfExists(directory);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    private static final class Ready extends IdentityGrpc.IdentityImplBase {
        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> to) {
            ProbeResponse.Builder answer = ProbeResponse.newBuilder();
            answer.getReadyBuilder().setValue(true);
            to.onNext(answer.build());
            to.onCompleted();
        }
    }
}
