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
 * The time of a call to a driver alone, beside the {@link Neighbours} with an I/O thread of their own, and beside them with
 * one I/O thread for all. All drivers are in this process and share its processors: that costs what the second differs from
 * the first, and the shared thread what the third differs from the second. Run it by hand.
 */
public final class NeighboursBench {
    private static final int ROUNDS = 5;
    private static final int CALLS = 640;

    private NeighboursBench() {}

    /** Takes the number of rounds, if it is to be another. */
    public static void main(String[] arguments) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : ROUNDS;
        for (int round = 0; round <= rounds; round++) {
            for (int inFlight : new int[] {1, 64}) {
                compare(round == 0 ? "warm-up" : "round " + round, inFlight);
            }
        }
    }

    private static void compare(String round, int inFlight) throws Exception {
        try (SocketDirectory directory = new SocketDirectory();
                ScriptedDriver driver = new ScriptedDriver(directory.socket());
                UnixSocketChannels channels = new UnixSocketChannels(ChannelOptions.defaults());
                UnixSocketChannels elsewhere = new UnixSocketChannels(ChannelOptions.defaults())) {
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
                print(round, inFlight, "alone", measure(client, inFlight));
                try (Neighbours neighbours = new Neighbours(elsewhere).start()) {
                    print(round, inFlight, "two threads, beside " + neighbours, measure(client, inFlight));
                }
                try (Neighbours neighbours = new Neighbours(channels).start()) {
                    print(round, inFlight, "one thread, beside " + neighbours, measure(client, inFlight));
                }
            }
        }
    }

    private static void print(String round, int inFlight, String where, long[] times) {
        System.out.printf(
                "%s, %d in flight, %s: p50 %.0f, p99 %.0f, longest %.0f microseconds%n",
                round, inFlight, where, at(times, 50), at(times, 99), times[times.length - 1] / 1000.0);
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
