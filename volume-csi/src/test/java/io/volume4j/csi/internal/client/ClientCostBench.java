package io.volume4j.csi.internal.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * What the client costs over a bare blocking stub call with a deadline on the same socket, call by call in turn. Run it
 * by hand; prints medians of each round and their spread.
 */
public final class ClientCostBench {
    private static final int ROUNDS = 7;
    private static final int WARM_UP = 20_000;
    private static final int CALLS = 12_800;

    private final NodePublishVolumeRequest request = Requests.publish().toBuilder()
            .setStagingTargetPath("/var/lib/volume4j/plugins/d/devices/a/mount")
            .putVolumeContext("tier", "gold")
            .putSecrets("password", "hunter2-canary")
            .build();
    private final CsiClient client;
    private final Channel channel;
    private final int rounds;
    private final int calls;

    private ClientCostBench(CsiClient client, Channel channel, int rounds, int calls) {
        this.client = client;
        this.channel = channel;
        this.rounds = rounds;
        this.calls = calls;
    }

    /** Takes the number of rounds and of calls in each, if they are to be others. */
    public static void main(String[] arguments) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.INFO);
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : ROUNDS;
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : CALLS;
        try (SocketDirectory directory = new SocketDirectory();
                ScriptedDriver driver = new ScriptedDriver(directory.socket());
                UnixSocketChannels channels = new UnixSocketChannels(ChannelOptions.defaults())) {
            Capabilities.all(driver);
            driver.forgetful();
            driver.on(NodeGrpc.getNodePublishVolumeMethod(), request -> NodePublishVolumeResponse.getDefaultInstance())
                    .start();
            CsiEndpoint endpoint = new CsiEndpoint(directory.socket());
            try (SocketConnection own = new SocketConnection(endpoint, channels);
                    CsiClient client = new CsiClient(
                            new SocketConnection(endpoint, channels, System::nanoTime),
                            Deadlines.defaults(),
                            RpcObserver.NONE)) {
                ClientCostBench bench = new ClientCostBench(client, own.lease().channel(), rounds, calls);
                for (int inFlight : new int[] {1, 64}) {
                    bench.compare(inFlight);
                }
            }
        }
    }

    private void compare(int inFlight) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(inFlight);
        try {
            measure(threads, inFlight, WARM_UP);
            List<Double> ratios = new ArrayList<>();
            System.out.println(inFlight + " in flight: round, bare median, ours median (microseconds), ratio");
            for (int round = 1; round <= rounds; round++) {
                Medians medians = measure(threads, inFlight, calls);
                ratios.add(medians.ours / medians.bare);
                System.out.printf(
                        "  %d  %.1f  %.1f  %.3f%n",
                        round, medians.bare / 1000.0, medians.ours / 1000.0, medians.ours / medians.bare);
            }
            ratios.sort(null);
            System.out.printf(
                    "  ratio: median %.3f, from %.3f to %.3f%n",
                    ratios.get(rounds / 2), ratios.get(0), ratios.get(rounds - 1));
        } finally {
            threads.shutdown();
        }
    }

    /** Each thread makes the two kinds of call in turn, so that whatever else the machine does befalls both alike. */
    private Medians measure(ExecutorService threads, int inFlight, int calls)
            throws InterruptedException, ExecutionException {
        int each = calls / inFlight;
        List<Future<long[][]>> parts = new ArrayList<>();
        for (int i = 0; i < inFlight; i++) {
            parts.add(threads.submit(() -> {
                long[][] times = new long[2][each];
                for (int n = 0; n < each; n++) {
                    boolean oursFirst = (n & 1) == 1;
                    long begin = System.nanoTime();
                    call(oursFirst);
                    long middle = System.nanoTime();
                    call(!oursFirst);
                    long end = System.nanoTime();
                    times[0][n] = oursFirst ? end - middle : middle - begin;
                    times[1][n] = oursFirst ? middle - begin : end - middle;
                }
                return times;
            }));
        }
        long[] bare = new long[each * inFlight];
        long[] ours = new long[each * inFlight];
        int filled = 0;
        for (Future<long[][]> part : parts) {
            long[][] times = part.get();
            System.arraycopy(times[0], 0, bare, filled, each);
            System.arraycopy(times[1], 0, ours, filled, each);
            filled += each;
        }
        Arrays.sort(bare);
        Arrays.sort(ours);
        return new Medians(bare[bare.length / 2], ours[ours.length / 2]);
    }

    private record Medians(double bare, double ours) {}

    private void call(boolean ours) {
        if (ours) {
            ours();
        } else {
            bare();
        }
    }

    private void bare() {
        ClientCalls.blockingUnaryCall(
                channel,
                NodeGrpc.getNodePublishVolumeMethod(),
                CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                request);
    }

    private void ours() {
        client.node().nodePublishVolume(request, TestContext.patient());
    }
}
