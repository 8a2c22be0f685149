package io.volume4j.examples.benchmarks;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.client.Deadlines;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Effort;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.EchoDriver;
import io.volume4j.examples.benchmarks.world.PlainEcho;
import io.volume4j.spi.CallContext;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The overhead of the CSI client for a call (deadline, checks, cancellation, socket check), compared with a bare
 * blocking stub.
 */
final class CsiOverhead implements Benchmark {
    /** The command in the driver's JVM. */
    static final String CHILD = "csi-driver-child";

    private static final int ROUNDS = 5;
    private static final String DRIVER = "csi.sock";
    private static final String DIRECT = "direct.sock";
    private static final String PLAIN = "plain.sock";

    private final NodePublishVolumeRequest request = NodePublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .setTargetPath("/var/lib/volume4j/pods/0b1c/volumes/csi/data/mount")
            .setStagingTargetPath("/var/lib/volume4j/plugins/d/devices/a/mount")
            .setVolumeCapability(VolumeCapability.newBuilder()
                    .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                    .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                            .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
            .putVolumeContext("tier", "gold")
            .putSecrets("password", "not-a-real-secret")
            .build();

    @Override
    public String name() {
        return "csi";
    }

    @Override
    public String measures() {
        return "NodePublishVolume to a driver in a process of its own that says yes, over a Unix socket: the client against a bare stub";
    }

    @Override
    public String warmUp() {
        return "as many calls as one round has, with each number in flight; bare and ours take turns, call by call";
    }

    @Override
    public void run(Run run) throws Exception {
        // A socket's path has at most 107 bytes; that of the scratch directory may have more.
        Path directory = Files.createTempDirectory(Path.of("/tmp"), "v4j-bench");
        OtherJvm jvm = new OtherJvm(run.effort() == Effort.SMOKE ? 64 : 256);
        try (OtherJvm.Served driver = jvm.serve(List.of(CHILD, directory.toString()));
                UnixSocketChannels channels = new UnixSocketChannels(ChannelOptions.defaults())) {
            CsiEndpoint endpoint = new CsiEndpoint(directory.resolve(DRIVER));
            CsiEndpoint direct = new CsiEndpoint(directory.resolve(DIRECT));
            try (SocketConnection own = new SocketConnection(endpoint, channels, System::nanoTime);
                    SocketConnection toDirect = new SocketConnection(direct, channels, System::nanoTime);
                    PlainEcho.Client plain = new PlainEcho.Client(directory.resolve(PLAIN));
                    CsiClient client = new CsiClient(
                            new SocketConnection(endpoint, channels, System::nanoTime),
                            Deadlines.defaults(),
                            RpcObserver.NONE)) {
                Channel channel = own.lease().channel();
                Channel directly = toDirect.lease().channel();
                compare(run, client, channel);
                CsiWays ways = new CsiWays(request);
                ways.plain("300 bytes there and back, sockets that block", plain);
                ways.onEventLoop("bare stub on the event loop, driver on its own", 0, directly);
                ways.onEventLoop("bare stub on the event loop, driver with workers", 2, channel);
                ways.blocking(
                        "bare stub that blocks, driver on its event loop", 0, () -> call(false, client, directly));
                ways.blocking("bare stub that blocks, driver with workers", 2, () -> call(false, client, channel));
                ways.blocking("bare stub by a future, driver with workers", 2, () -> byFuture(channel));
                ways.blocking("the client, driver with workers", 2, () -> call(true, client, channel));
                ways.print(run, driver.pid());
            }
        } finally {
            Benchmarks.delete(directory);
        }
    }

    /** Runs in the driver's JVM: answers until its input ends, which also happens if the first JVM dies. */
    static int child(List<String> arguments, InputStream in, PrintStream out) throws Exception {
        Path directory = Path.of(arguments.get(0));
        try (EchoDriver driver = new EchoDriver(directory.resolve(DRIVER), false);
                EchoDriver direct = new EchoDriver(directory.resolve(DIRECT), true);
                PlainEcho plain = new PlainEcho(directory.resolve(PLAIN))) {
            out.println("ready: " + driver.socket() + ", " + direct.socket() + ", " + plain.socket());
            in.transferTo(OutputStream.nullOutputStream());
        }
        return 0;
    }

    private void compare(Run run, CsiClient client, Channel channel) throws Exception {
        Table table = new Table(
                "in flight", "calls", "bare p50", "ours p50", "bare p99", "ours p99", "p50 to bare", "in rounds");
        Growth growth = Growth.ofTime("ours, p50 for each call in flight", "in flight");
        for (int inFlight : new int[] {1, 10, 64, 100}) {
            int calls = Math.max(inFlight, run.size(30_000, 800));
            measure(client, channel, inFlight, calls, new Latencies(), new Latencies());
            Latencies bare = new Latencies();
            Latencies ours = new Latencies();
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                Latencies bareRound = new Latencies();
                Latencies ourRound = new Latencies();
                measure(client, channel, inFlight, calls, bareRound, ourRound);
                bare.add(bareRound);
                ours.add(ourRound);
                ratios.add(ourRound.at(50) / bareRound.at(50));
            }
            double ratio = ours.at(50) / bare.at(50);
            growth.at(inFlight, ours.at(50) / inFlight);
            table.row(
                    Figures.count(inFlight),
                    Figures.count(ours.count()),
                    bare.p50(),
                    ours.p50(),
                    bare.p99(),
                    ours.p99(),
                    Figures.ratio(ratio),
                    Figures.ratio(Collections.min(ratios)) + " to " + Figures.ratio(Collections.max(ratios)));
            if (inFlight == 1 || inFlight == 64) {
                run.compared("unary call, p50, " + inFlight + " in flight", ours.at(50), "bare stub", bare.at(50));
            }
        }
        run.print(table);
        run.note("the driver is a JVM of its own; bare and ours are times of one call, by the clock of its caller.");
        run.growth(growth);
    }

    /** Each thread alternates between the two kinds of call, so that disturbances of the machine affect both. */
    private void measure(CsiClient client, Channel channel, int inFlight, int calls, Latencies bare, Latencies ours)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(inFlight);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < inFlight; i++) {
                parts.add(threads.submit(() -> {
                    for (int n = 0; n < calls / inFlight; n++) {
                        boolean oursFirst = (n & 1) == 1;
                        long begin = System.nanoTime();
                        call(oursFirst, client, channel);
                        long middle = System.nanoTime();
                        call(!oursFirst, client, channel);
                        long end = System.nanoTime();
                        bare.record(oursFirst ? end - middle : middle - begin);
                        ours.record(oursFirst ? middle - begin : end - middle);
                    }
                }));
            }
            for (Future<?> part : parts) {
                part.get(10, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdown();
        }
    }

    private void call(boolean ours, CsiClient client, Channel channel) {
        if (ours) {
            client.node().nodePublishVolume(request, new Patient());
        } else {
            ClientCalls.blockingUnaryCall(
                    channel,
                    NodeGrpc.getNodePublishVolumeMethod(),
                    CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                    request);
        }
    }

    /** The event loop receives the whole answer and wakes the caller once, instead of once for each part. */
    private void byFuture(Channel channel) throws Exception {
        ClientCalls.futureUnaryCall(
                        channel.newCall(
                                NodeGrpc.getNodePublishVolumeMethod(),
                                CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS)),
                        request)
                .get();
    }

    /** The context of a call that is never cancelled. */
    private static final class Patient implements CallContext {
        @Override
        public String operationId() {
            return "benchmark";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Duration remaining() {
            return Duration.ofSeconds(30);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public void progress(String message) {}
    }
}
