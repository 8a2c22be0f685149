package io.volume4j.csi.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All drivers share one I/O thread, and what one of them does must not keep the calls to another from their end. */
@Timeout(300)
class OneIoThreadTest {
    private static final int IN_FLIGHT = 100;
    private static final int CALLS_EACH = 20;

    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final UnixSocketChannels channels =
            closing.later(new UnixSocketChannels(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200))));
    private final ScriptedDriver healthy = closing.later(new ScriptedDriver(directory.socket()));
    private final SocketConnection connection =
            closing.later(new SocketConnection(new CsiEndpoint(directory.socket()), channels, System::nanoTime));
    private final CsiClient client = closing.later(new CsiClient(connection, Deadlines.defaults(), RpcObserver.NONE));

    @BeforeEach
    void defaults() {
        assertThat(ChannelOptions.defaults().ioThreads()).isEqualTo(1);
        Capabilities.all(healthy);
    }

    @Test
    void callsEndBesideDriversThatHangSendMuchAndBreakOff() throws Exception {
        healthy.on(NodeGrpc.getNodePublishVolumeMethod(), request -> NodePublishVolumeResponse.getDefaultInstance())
                .start();
        int calls = 0;
        try (Neighbours neighbours = new Neighbours(channels).start()) {
            int parts = neighbours.largeParts();
            int resets = neighbours.resets();
            // The calls may be over before a busy machine lets the others do their worst once more.
            do {
                for (Future<?> caller : publishing(IN_FLIGHT, CALLS_EACH)) {
                    caller.get(240, TimeUnit.SECONDS);
                }
                calls += IN_FLIGHT * CALLS_EACH;
            } while (neighbours.largeParts() == parts || neighbours.resets() == resets);
        }
        assertThat(healthy.calls("NodePublishVolume")).isEqualTo(calls);
    }

    @Test
    void callsInFlightAreNotDisturbedWhileAnotherDriverRestarts() throws Exception {
        int inFlight = 64;
        CountDownLatch arrived = new CountDownLatch(inFlight);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        healthy.on(NodeGrpc.getNodePublishVolumeMethod(), request -> {
                    arrived.countDown();
                    await(mayAnswer);
                    return NodePublishVolumeResponse.getDefaultInstance();
                })
                .start();
        SocketDirectory elsewhere = closing.later(new SocketDirectory());
        CsiClient other = closing.later(new CsiClient(
                new SocketConnection(new CsiEndpoint(elsewhere.socket()), channels, System::nanoTime),
                Deadlines.defaults(),
                RpcObserver.NONE));

        List<Future<?>> callers = publishing(inFlight, 1);
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        long generation = connection.generation();
        for (int restarts = 0; restarts < 5; restarts++) {
            try (ScriptedDriver restarted = new ScriptedDriver(elsewhere.socket())) {
                Capabilities.all(restarted).answeringEverything().start();
                other.controller().deleteVolume(Requests.deleteVolume(), TestContext.patient());
                assertThat(restarted.calls("DeleteVolume")).isEqualTo(1);
            }
        }
        mayAnswer.countDown();

        for (Future<?> caller : callers) {
            caller.get(60, TimeUnit.SECONDS);
        }
        assertThat(healthy.calls("NodePublishVolume")).isEqualTo(inFlight);
        assertThat(connection.generation()).isEqualTo(generation);
    }

    private List<Future<?>> publishing(int callers, int callsEach) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        closing.later(threads::shutdownNow);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            running.add(threads.submit(() -> {
                for (int n = 0; n < callsEach; n++) {
                    client.node().nodePublishVolume(Requests.publish(), TestContext.patient());
                }
            }));
        }
        return running;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
