package io.volume4j.examples.csilifecycle;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.SocketTrust;
import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.Deadlines;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.csi.internal.transport.CsiConnection;
import io.volume4j.csi.internal.transport.DriverUnreachableException;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The driver's controller and node services. After an uncertain or transient failure a call is repeated unchanged until the
 * time limit, as the specification permits for every call.
 */
final class Driver implements AutoCloseable {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** The time limit for a driver that has just not answered within the full one. */
    private static final Duration GLANCE = Duration.ofSeconds(5);
    /** Between two looks at what a backend works on: some limit how often they may be asked. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(10);

    private final Requests requests;
    private final Console console;
    private final InstantSource clock;
    private final StopSignal stop;
    private final Duration patience;
    private final Duration firstPause;
    private final UnixSocketChannels channels;
    private final CsiConnection controllerSide;
    private final CsiConnection nodeSide;
    private final CsiClient controller;
    private final CsiClient node;
    private boolean lost;
    private boolean createdAgain;
    private boolean sent;
    private final Killer killer;
    private @Nullable Moment kill;

    Driver(
            Arguments arguments,
            Console console,
            RpcObserver observer,
            InstantSource clock,
            StopSignal stop,
            Duration firstPause,
            Killer killer) {
        this.requests = new Requests(arguments);
        this.killer = killer;
        this.console = console;
        this.clock = clock;
        this.stop = stop;
        this.patience = arguments.timeout();
        this.firstPause = firstPause;
        SocketTrust trust = arguments.trustedUid() < 0
                ? SocketTrust.strict()
                : SocketTrust.strict().andUser(arguments.trustedUid());
        ChannelOptions options =
                ChannelOptions.defaults().withTrust(trust).withIoThreads(1).withCloseTimeout(Duration.ofMillis(500));
        CsiEndpoint endpoint = Objects.requireNonNull(arguments.endpoint(), "endpoint");
        CsiEndpoint nodeEndpoint = arguments.nodeEndpoint();
        channels = new UnixSocketChannels(options);
        controllerSide = new SocketConnection(endpoint, channels);
        nodeSide = nodeEndpoint == null ? controllerSide : new SocketConnection(nodeEndpoint, channels);
        controller = new CsiClient(controllerSide, Deadlines.defaults(), observer);
        node = nodeEndpoint == null ? controller : new CsiClient(nodeSide, Deadlines.defaults(), observer);
    }

    /**
     * The driver's answer, without its message, which may contain what was sent.
     *
     * @param reply null for a refusal
     */
    record Answer(Code code, @Nullable Object reply) {}

    /** Makes a call that the library would refuse to send; with the run's secrets, if the request has a field for them. */
    Answer raw(boolean ofNode, MethodDescriptor<?, ?> method, Message request) {
        console.about("a field is missing");
        return raw(ofNode ? nodeSide : controllerSide, method, request);
    }

    @SuppressWarnings("unchecked") // the table of calls pairs each request with its method
    private <Q, R> Answer raw(CsiConnection connection, MethodDescriptor<Q, R> method, Message request) {
        try {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(
                    Code.OK, ClientCalls.blockingUnaryCall(connection.lease().channel(), method, options, (Q)
                            requests.withSecrets(request)));
        } catch (StatusRuntimeException refused) {
            return new Answer(refused.getStatus().getCode(), null);
        } catch (DriverUnreachableException e) {
            throw new Failed(String.valueOf(e.getMessage()), "");
        }
    }

    /** Creates a volume, and repeats the call until there is an answer; the request has no secrets. */
    Volume createVolume(CreateVolumeRequest request) {
        CreateVolumeRequest sent =
                request.toBuilder().putAllSecrets(requests.secrets()).build();
        return call(request.getName(), context -> controller.controller().createVolume(sent, context))
                .getVolume();
    }

    CsiClient controller() {
        return controller;
    }

    CsiClient node() {
        return node;
    }

    /** Whether the node service has its own socket. */
    boolean hasTwoSides() {
        return !node.equals(controller);
    }

    /**
     * Makes a call, and repeats it while that can help. After a call without any answer, each further call gets one attempt
     * until the driver answers again. So the teardown does not need the full time limit for each call.
     *
     * @throws CsiException after the last attempt
     */
    <R> R call(String subject, Function<CallContext, R> attempt) {
        Moment moment = kill;
        if (moment == null) {
            return repeated(subject, attempt);
        }
        createdAgain = true;
        switch (moment) {
            case BEFORE -> {
                killer.kill();
                return repeated(subject, attempt);
            }
            case DURING -> {
                return callWhileItDies(subject, attempt);
            }
            case AFTER -> {
                R reply = repeated(subject, attempt);
                killer.kill();
                return again(reply, subject, attempt);
            }
        }
        throw new IllegalStateException("no such moment: " + moment);
    }

    private <R> R callWhileItDies(String subject, Function<CallContext, R> attempt) {
        FutureTask<Boolean> death = new FutureTask<>(killer::kill, true);
        new Thread(death, "csi-lifecycle-kill").start();
        R first = null;
        boolean heard = true;
        try {
            first = callOnce(subject, attempt);
        } catch (CsiException e) {
            heard = e.phase() != CallPhase.NEVER_SENT;
        } finally {
            await(death);
        }
        try {
            return first == null ? repeated(subject, attempt) : again(first, subject, attempt);
        } finally {
            sent |= heard;
        }
    }

    private static void await(FutureTask<Boolean> death) {
        try {
            death.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StopSignal.Stopped();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the driver was not killed", e.getCause());
        }
    }

    /** Checks that a repeated call has the same result after a restart of the driver. */
    private <R> R again(R before, String subject, Function<CallContext, R> attempt) {
        R after;
        try {
            after = repeated(subject, attempt);
        } catch (CsiException e) {
            throw new Failed(
                    "the call was answered with OK, the driver was killed, and then: " + e.getMessage(),
                    "each call must be idempotent, also for a driver that was started again");
        }
        if (!id(before).equals(id(after))) {
            throw new Failed(
                    "the same call was answered with " + id(before) + " before the driver was killed and with "
                            + id(after) + " after that",
                    "what a driver has made must be found by its name in its next life, too");
        }
        return after;
    }

    private static Object id(Object reply) {
        if (reply instanceof CreateVolumeResponse made) {
            return made.getVolume().getVolumeId();
        }
        if (reply instanceof CreateSnapshotResponse made) {
            return made.getSnapshot().getSnapshotId();
        }
        return reply instanceof CreateVolumeGroupSnapshotResponse made
                ? made.getGroupSnapshot().getGroupSnapshotId()
                : "";
    }

    /** Sets the moment at which further calls kill the driver; null for none. */
    void killsAt(@Nullable Moment moment) {
        kill = moment;
    }

    private <R> R repeated(String subject, Function<CallContext, R> attempt) {
        Instant begun = clock.instant();
        Instant until = lost ? begun : begun.plus(patience);
        Instant deadline = lost ? begun.plus(GLANCE) : until;
        Duration pause = firstPause;
        sent = false;
        for (int number = 1; ; number++) {
            boolean before = sent;
            sent = true;
            try {
                console.about(subject);
                R reply = attempt.apply(new Limited(deadline, number));
                lost = false;
                return reply;
            } catch (CsiException e) {
                sent = before || e.phase() != CallPhase.NEVER_SENT;
                if (number == 1 && isOurDelay(e)) {
                    until = clock.instant().plus(patience);
                    deadline = until;
                    continue;
                }
                if (!worthAnother(e) || !clock.instant().plus(pause).isBefore(until)) {
                    lost = e.phase() != CallPhase.ANSWERED && e.code() == Code.UNAVAILABLE;
                    throw e;
                }
                stop.check();
                createdAgain |= e.rpc() == Rpc.CREATE_VOLUME;
                console.detail("  again in " + Console.millis(pause) + ": " + e.getMessage());
                stop.pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /**
     * Makes a call once. For calls that the driver must refuse with a code after which a client normally repeats the call.
     */
    <R> R callOnce(String subject, Function<CallContext, R> attempt) {
        console.about(subject);
        return attempt.apply(new Limited(clock.instant().plus(patience), 1));
    }

    /**
     * Whether this machine was too slow to send the call in time, as with a first call; this is not the driver's failure.
     */
    private boolean isOurDelay(CsiException failure) {
        return failure.phase() == CallPhase.NEVER_SENT
                && (failure.code() == Code.CANCELLED || failure.code() == Code.DEADLINE_EXCEEDED)
                && !stop.asked();
    }

    private static boolean worthAnother(CsiException failure) {
        if (Hints.isPermanent(failure)) {
            return false;
        }
        return switch (failure.kind()) {
            case TRANSIENT, UNCERTAIN -> true;
            case IN_USE -> failure.rpc().effect() == Rpc.Effect.UNDOES;
            default -> false;
        };
    }

    /** Whether the object of an inverse call does not exist. */
    static boolean saysGone(CsiException failure) {
        return failure.kind() == FailureKind.FINAL && failure.code() == Code.NOT_FOUND;
    }

    /** Whether a CreateVolume call may have been repeated. */
    boolean createdAgain() {
        return createdAgain;
    }

    /** Whether the driver may have received the last call, in any of its attempts. */
    boolean sent() {
        return sent;
    }

    void pause() {
        stop.pause(firstPause);
    }

    /** Waits for work of the backend, longer at each look. @throws Failed if the time is over */
    void pause(int looks, Instant until, String waitsFor, String advice) {
        Duration pause = firstPause.multipliedBy(1L << Math.min(looks - 1, 20));
        pause = pause.compareTo(LONGEST_LOOK) < 0 ? pause : LONGEST_LOOK;
        if (!clock.instant().plus(pause).isBefore(until)) {
            throw new Failed(waitsFor, advice);
        }
        stop.pause(pause);
    }

    Instant after(Duration time) {
        return clock.instant().plus(time);
    }

    @Override
    public void close() {
        controller.close();
        if (hasTwoSides()) {
            node.close();
        }
        channels.close();
    }

    /** The context of one attempt, with its share of the time limit. */
    private final class Limited implements CallContext {
        private final Instant until;
        private final int number;

        Limited(Instant until, int number) {
            this.until = until;
            this.number = number;
        }

        @Override
        public String operationId() {
            return "csi-lifecycle";
        }

        @Override
        public int attempt() {
            return number;
        }

        @Override
        public Duration remaining() {
            return Duration.between(clock.instant(), until);
        }

        @Override
        public boolean cancelled() {
            return stop.asked();
        }

        @Override
        public void onCancel(Runnable action) {
            stop.whenAsked(action);
        }

        @Override
        public void progress(String message) {}
    }
}
