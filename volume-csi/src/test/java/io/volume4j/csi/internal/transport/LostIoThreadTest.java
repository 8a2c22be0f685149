package io.volume4j.csi.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Netty ends its thread when an Error leaves its loop, an OutOfMemoryError for example; and every driver needs the thread. */
@Timeout(180)
class LostIoThreadTest {
    private static final ProbeRequest ASK = ProbeRequest.getDefaultInstance();

    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final AtomicBoolean outOfMemory = new AtomicBoolean();
    private volatile boolean nettyTells = true;
    private final List<EventLoopGroup> groups = new CopyOnWriteArrayList<>();
    private final UnixSocketChannels channels = closing.later(new UnixSocketChannels(
            ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)), this::mortalGroup));
    private final SocketConnection connection =
            closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels));

    private final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()))
            .answeringEverything()
            .onStream(IdentityGrpc.getProbeMethod(), (request, out) -> arrived.countDown());

    @Test
    void aRunningCallEnds() throws Exception {
        driver.start();
        ListenableFuture<ProbeResponse> running = probe();
        loseTheThread();
        assertUncertain(running);
    }

    /** The driver would go on with a call that has no caller, and each lost thread would keep its sockets open for ever. */
    @Test
    void theDriverIsTold() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        driver.onStream(IdentityGrpc.getProbeMethod(), (ProbeRequest request, StreamObserver<ProbeResponse> out) -> {
                    ((ServerCallStreamObserver<ProbeResponse>) out).setOnCancelHandler(told::countDown);
                    arrived.countDown();
                })
                .start();
        ListenableFuture<ProbeResponse> running = probe();
        loseTheThread();
        assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
        assertUncertain(running);
    }

    /** Nothing keeps its deadline any more, and its thread sleeps until the call ends. */
    @Test
    void aBlockedCallerWakes() throws Exception {
        driver.start();
        FutureTask<ProbeResponse> running = new FutureTask<>(() -> ClientCalls.blockingUnaryCall(
                connection.lease().channel(), IdentityGrpc.getProbeMethod(), CallOptions.DEFAULT, ASK));
        Thread caller = new Thread(running, "caller");
        caller.start();
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        loseTheThread();
        assertUncertain(running);
        caller.join(60_000);
    }

    @Test
    void theNextCallOfEachDriverConnectsWithANewThread() throws Exception {
        SocketDirectory elsewhere = closing.later(new SocketDirectory());
        ScriptedDriver second = closing.later(new ScriptedDriver(elsewhere.socket()))
                .answeringEverything()
                .start();
        SocketConnection other = closing.later(new SocketConnection(new CsiEndpoint(elsewhere.socket()), channels));
        driver.start();
        IdentityCalls.info(connection);
        IdentityCalls.info(other);
        long generation = connection.generation();

        loseTheThread();

        IdentityCalls.info(connection);
        IdentityCalls.info(other);
        assertThat(connection.generation()).isGreaterThan(generation);
        assertThat(groups).hasSize(2);
        assertThat(driver.calls("GetPluginInfo")).isEqualTo(2);
        assertThat(second.calls("GetPluginInfo")).isEqualTo(2);
    }

    /** Where memory has run out, Netty may find no thread to tell of the end. */
    @Test
    void aRunningCallEndsWithTheNextCallIfNettyDoesNotTellThatTheThreadEnded() throws Exception {
        nettyTells = false;
        UnixSocketChannels silent = closing.later(new UnixSocketChannels(ChannelOptions.defaults(), this::mortalGroup));
        SocketConnection here = closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), silent));
        driver.start();
        ListenableFuture<ProbeResponse> running = probe(here);
        loseTheThread();
        assertThat(running.isDone()).isFalse();
        nettyTells = true;
        IdentityCalls.info(here);
        assertUncertain(running);
    }

    /** The deadline of a call may be with another thread than its connection, so one thread without the other is no use. */
    @Test
    void theOtherThreadsOfTheTransportEndToo() throws Exception {
        UnixSocketChannels two = closing.later(new UnixSocketChannels(ChannelOptions.defaults(), () -> mortalGroup(2)));
        SocketConnection here = closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), two));
        driver.start();
        IdentityCalls.info(here);
        loseTheThread();
        assertThat(groups.get(1).awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        IdentityCalls.info(here);
        assertThat(groups).hasSize(3);
    }

    @Test
    void anErrorInATaskDoesNotEndTheThread() throws Exception {
        driver.start();
        IdentityCalls.info(connection);
        groups.get(0).next().execute(() -> {
            throw new StackOverflowError("one task, the test says");
        });
        IdentityCalls.info(connection);
        assertThat(groups).hasSize(1);
    }

    @Test
    void aClosedTransportIsNotMended() {
        driver.start();
        channels.close();
        assertThatExceptionOfType(DriverUnreachableException.class)
                .isThrownBy(connection::lease)
                .withMessageContaining("the transport is closed");
    }

    private ListenableFuture<ProbeResponse> probe() throws Exception {
        return probe(connection);
    }

    private ListenableFuture<ProbeResponse> probe(SocketConnection over) throws Exception {
        ListenableFuture<ProbeResponse> running = IdentityCalls.probe(over);
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        return running;
    }

    private static void assertUncertain(Future<ProbeResponse> running) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> running.get(60, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOf(StatusRuntimeException.class)
                .withMessageContaining("UNAVAILABLE: the thread for the driver's socket ended");
    }

    private void loseTheThread() throws InterruptedException {
        EventLoop thread = groups.get(groups.size() - 1).next();
        outOfMemory.set(true);
        thread.execute(() -> {});
        assertThat(thread.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private EventLoopGroup mortalGroup() {
        return mortalGroup(1);
    }

    /** One of its threads dies when memory is out; the next thread finds enough. */
    @SuppressWarnings("deprecation") // the same group as the client's
    private EventLoopGroup mortalGroup(int threads) {
        EventLoopGroup group =
                new NioEventLoopGroup(
                        threads,
                        new DefaultThreadFactory("mortal-io", true),
                        SelectorProvider.provider(),
                        () -> (supplier, tasks) -> {
                            if (outOfMemory.getAndSet(false)) {
                                throw new OutOfMemoryError("no heap left, the test says");
                            }
                            return tasks ? supplier.get() : SelectStrategy.SELECT;
                        }) {
                    @Override
                    public io.netty.util.concurrent.Future<?> terminationFuture() {
                        return nettyTells
                                ? super.terminationFuture()
                                : new DefaultPromise<>(ImmediateEventExecutor.INSTANCE);
                    }
                };
        groups.add(group);
        return group;
    }
}
