package io.volume4j.csi.internal.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.LoggerFactory;

/**
 * The time of a call to a driver, alone and beside the {@link Neighbours}, with one I/O thread and with four. Run it by
 * hand. All drivers are in this process and share its processors, so compare the numbers of threads and not only the
 * ratio.
 */
public final class NeighboursBench {
    private static final int ROUNDS = 3;
    private static final int CALLS = 6_400;

    private NeighboursBench() {}

    public static void main(String[] arguments) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        for (int round = 0; round <= ROUNDS; round++) {
            for (int ioThreads : new int[] {1, 4}) {
                for (int inFlight : new int[] {1, 64}) {
                    compare(round, ioThreads, inFlight);
                }
            }
        }
    }

    private static void compare(int round, int ioThreads, int inFlight) throws Exception {
        try (SocketDirectory directory = new SocketDirectory();
                ScriptedDriver driver = new ScriptedDriver(directory.socket());
                UnixSocketChannels channels =
                        new UnixSocketChannels(ChannelOptions.defaults().withIoThreads(ioThreads))) {
            Capabilities.all(driver)
                    .forgetful()
                    .on(
                            NodeGrpc.getNodePublishVolumeMethod(),
                            request -> NodePublishVolumeResponse.getDefaultInstance())
                    .start();
            try (CsiClient client = new CsiClient(
                    new SocketConnection(new CsiEndpoint(directory.socket()), channels, System::nanoTime),
                    Deadlines.defaults(),
                    RpcObserver.NONE)) {
                long[] alone = measure(client, inFlight);
                try (Neighbours neighbours = new Neighbours(channels).start()) {
                    long[] beside = measure(client, inFlight);
                    System.out.printf(
                            "%s %d threads, %2d in flight: alone p50 %6.0f p99 %7.0f, beside p50 %6.0f p99 %7.0f µs,"
                                    + " ratio p50 %.1f p99 %.1f (%s)%n",
                            round == 0 ? "warm-up" : "round " + round,
                            ioThreads,
                            inFlight,
                            at(alone, 50),
                            at(alone, 99),
                            at(beside, 50),
                            at(beside, 99),
                            at(beside, 50) / at(alone, 50),
                            at(beside, 99) / at(alone, 99),
                            neighbours);
                }
            }
        }
    }

    private static double at(long[] sorted, int percent) {
        return sorted[sorted.length * percent / 100] / 1000.0;
    }

    private static long[] measure(CsiClient client, int inFlight) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(inFlight);
        try {
            List<Future<long[]>> parts = new ArrayList<>();
            for (int i = 0; i < inFlight; i++) {
                parts.add(threads.submit(() -> {
                    long[] times = new long[CALLS / inFlight];
                    for (int n = 0; n < times.length; n++) {
                        long begin = System.nanoTime();
                        client.node().nodePublishVolume(Requests.publish(), TestContext.patient());
                        times[n] = System.nanoTime() - begin;
                    }
                    return times;
                }));
            }
            long[] all = new long[CALLS / inFlight * inFlight];
            int filled = 0;
            for (Future<long[]> part : parts) {
                long[] times = part.get();
                System.arraycopy(times, 0, all, filled, times.length);
                filled += times.length;
            }
            Arrays.sort(all);
            return all;
        } finally {
            threads.shutdown();
        }
    }
}
