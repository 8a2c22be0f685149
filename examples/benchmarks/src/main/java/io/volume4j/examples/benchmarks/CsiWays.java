package io.volume4j.examples.benchmarks;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodePublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodePublishVolumeResponse;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.ProcessorClock;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.measure.TaskTimes;
import io.volume4j.examples.benchmarks.world.PlainEcho;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The parts of the time of one bare call: the same call with fewer and fewer hand-overs between threads, in turns. */
final class CsiWays {
    private final NodePublishVolumeRequest request;
    private final List<Way> ways = new ArrayList<>();

    CsiWays(NodePublishVolumeRequest request) {
        this.request = request;
    }

    /** A call that returns after its answer. */
    interface Call {
        void make() throws Exception;
    }

    private interface Calls {
        void make(int number, Latencies latencies) throws Exception;
    }

    private static final class Way {
        private final String what;
        private final int handOvers;
        private final Calls calls;
        private final Latencies latencies = new Latencies();
        private double processor;
        private double driver;

        Way(String what, int handOvers, Calls calls) {
            this.what = what;
            this.handOvers = handOvers;
            this.calls = calls;
        }
    }

    /** Two blocking threads, one in each process. */
    void plain(String what, PlainEcho.Client client) {
        ways.add(new Way(what, 0, blocking(client::call)));
    }

    /**
     * The caller sleeps until the answer arrives: it wakes the event loop, and the event loop wakes it.
     *
     * @param ofDriver hand-overs within the driver
     */
    void blocking(String what, int ofDriver, Call call) {
        ways.add(new Way(what, 2 + ofDriver, blocking(call)));
    }

    private static Calls blocking(Call call) {
        return (number, latencies) -> {
            for (int i = 0; i < number; i++) {
                long began = System.nanoTime();
                call.make();
                latencies.record(System.nanoTime() - began);
            }
        };
    }

    /** The thread that reads an answer makes the next call, so this side has no hand-over. */
    void onEventLoop(String what, int ofDriver, Channel channel) {
        ways.add(new Way(what, ofDriver, (number, latencies) -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            next(channel, number, latencies, end);
            end.get(10, TimeUnit.MINUTES);
        }));
    }

    private void next(Channel channel, int left, Latencies latencies, CompletableFuture<Void> end) {
        if (left == 0) {
            end.complete(null);
            return;
        }
        long began = System.nanoTime();
        ClientCalls.asyncUnaryCall(
                channel.newCall(
                        NodeGrpc.getNodePublishVolumeMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS)),
                request,
                new StreamObserver<NodePublishVolumeResponse>() {
                    @Override
                    public void onNext(NodePublishVolumeResponse answer) {}

                    @Override
                    public void onError(Throwable failure) {
                        end.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        latencies.record(System.nanoTime() - began);
                        next(channel, left - 1, latencies, end);
                    }
                });
    }

    /**
     * Measures and prints all ways.
     *
     * @param driver the process id of the driver
     */
    void print(Run run, long driver) throws Exception {
        int turns = run.size(300, 40);
        int calls = run.size(100, 50);
        for (int turn = -turns / 3; turn < turns; turn++) {
            for (int i = 0; i < ways.size(); i++) {
                Way way = ways.get(Math.floorMod(i + turn, ways.size()));
                TaskTimes before = TaskTimes.of(driver);
                long own = ProcessorClock.nanos();
                Latencies latencies = turn >= 0 ? way.latencies : new Latencies();
                way.calls.make(calls, latencies);
                if (turn >= 0) {
                    way.processor += ProcessorClock.nanos() - own;
                    way.driver += TaskTimes.all(TaskTimes.of(driver).since(before));
                }
            }
        }
        Table table = new Table("one in flight", "hand-overs", "p50", "p99", "CPU here, a call", "CPU of the driver");
        for (Way way : ways) {
            table.row(
                    way.what,
                    Figures.count(way.handOvers),
                    way.latencies.p50(),
                    way.latencies.p99(),
                    Figures.time(way.processor / way.latencies.count()),
                    Figures.time(way.driver / way.latencies.count()));
        }
        run.print(table);
        run.note(
                "hand-overs: threads that wake another of their own process, besides the two wake-ups by the socket that all have.");
        run.note("CPU is of each whole process, compiler included, and hardly depends on what else the machine does.");
    }
}
