package io.volume4j.csi.driver.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.volume4j.csi.driver.backend.Refused;
import io.volume4j.csi.driver.fault.FaultAction;
import io.volume4j.csi.driver.fault.FaultPoint;
import io.volume4j.csi.driver.fault.FaultScript;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.oracle.CallRecord;
import io.volume4j.csi.driver.oracle.Rule;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs each call of one endpoint: overlap check, faults, checks, work, faults, answer. Thread-safe. */
final class Dispatcher {
    /** The highest field number of protobuf; no schema uses it. */
    private static final int PADDING_FIELD = 536_870_911;

    private final DriverCore core;
    private final String node;
    private volatile @Nullable Endpoint endpoint;

    Dispatcher(DriverCore core, String node) {
        this.core = core;
        this.node = node;
    }

    /** Sets the endpoint whose connections the faults break. */
    void serves(Endpoint itsEndpoint) {
        endpoint = itsEndpoint;
    }

    <Q extends Message, R extends Message> ServerCallHandler<Q, R> unary(
            MethodDescriptor<Q, R> method, Function<Q, R> work) {
        return ServerCalls.asyncUnaryCall((request, out) ->
                serve(method, request, out, fate -> List.of(core.backend.work(() -> granting(method, work, request)))));
    }

    private <Q extends Message, R extends Message> R granting(
            MethodDescriptor<Q, R> method, Function<Q, R> work, Q request) {
        try {
            return work.apply(request);
        } catch (Refused refused) {
            if (refused.code() == Code.NOT_FOUND && core.options.has(Quirk.GRANTS_THE_UNKNOWN)) {
                return method.parseResponse(InputStream.nullInputStream());
            }
            throw refused;
        }
    }

    /** The work returns the parts of the answer, and may fail after them. */
    <Q extends Message, R extends Message> ServerCallHandler<Q, R> stream(
            MethodDescriptor<Q, R> method, StreamWork<Q, R> work) {
        return ServerCalls.asyncServerStreamingCall((request, out) ->
                serve(method, request, out, sink -> core.backend.work(() -> work.parts(request, sink))));
    }

    /** Returns the parts of an answer; a failure that it passes to the consumer follows the parts. */
    interface StreamWork<Q, R> {
        List<R> parts(Q request, Consumer<Refused> breaksOffWith);
    }

    private <Q extends Message, R extends Message> void serve(
            MethodDescriptor<Q, R> method,
            Q request,
            StreamObserver<R> out,
            Function<Consumer<Refused>, List<R>> work) {
        String rpc = Objects.requireNonNull(method.getBareMethodName());
        String subject = Subject.of(request);
        Instant begun = core.clock.instant();
        Context caller = Context.current();
        String outcome = "OK";
        String why = "";
        Runnable answer = () -> {};
        try {
            one(rpc, subject, request, out, caller, work);
            answer = out::onCompleted;
        } catch (Refused refused) {
            Code code = core.options.has(Quirk.UNKNOWN_EXCEPTIONS) ? Code.UNKNOWN : refused.code();
            outcome = code.name();
            why = refused.reason();
            Status status = code.toStatus().withDescription(why);
            answer = () -> answer(out, status);
        } catch (Lost lost) {
            outcome = CallRecord.LOST;
            why = String.valueOf(lost.getMessage());
        } catch (RuntimeException e) {
            outcome = Code.INTERNAL.name();
            why = String.valueOf(e.getMessage());
            Status status = Status.INTERNAL.withDescription(why);
            answer = () -> answer(out, status);
        } finally {
            core.calls.ended(node, rpc, subject, outcome, why, begun);
        }
        // last, so that the log already contains the call and the volume is free when the client has the answer
        answer.run();
    }

    private <Q extends Message, R extends Message> void one(
            String rpc,
            String subject,
            Q request,
            StreamObserver<R> out,
            Context caller,
            Function<Consumer<Refused>, List<R>> work) {
        core.calls.begun(node, rpc, subject);
        FaultScript.Fate fate = core.faults.fate(rpc, subject, node);
        Traffic.Flight flight = core.traffic.enter(rpc, Subject.exclusive(rpc, node, subject), caller);
        try {
            long padding = strike(fate, FaultPoint.BEFORE, rpc, caller);
            Refused[] breaksOff = new Refused[1];
            List<R> parts;
            try {
                gate(rpc, request);
                padding += strike(fate, FaultPoint.DURING, rpc, caller);
                parts = work.apply(end -> breaksOff[0] = end);
            } catch (Refused refused) {
                // a refusal is also an answer, and a fault can drop it
                strike(fate, FaultPoint.AFTER, rpc, caller);
                throw refused;
            }
            padding += strike(fate, FaultPoint.AFTER, rpc, caller);
            for (R part : parts) {
                out.onNext(padding > 0 ? padded(part, padding) : part);
            }
            if (breaksOff[0] != null) {
                throw breaksOff[0];
            }
        } finally {
            flight.leave();
        }
    }

    private void answer(StreamObserver<?> out, Status status) {
        if (!(out instanceof ServerCallStreamObserver<?> call) || !call.isCancelled()) {
            out.onError(status.asRuntimeException());
        }
    }

    /** Performs the fault at this point; returns the number of bytes to add to the answer. */
    private long strike(FaultScript.Fate fate, FaultPoint point, String rpc, Context caller) {
        FaultAction action = fate.at(point).orElse(null);
        if (action == null) {
            return 0;
        }
        switch (action.kind()) {
            case STATUS ->
                throw new Refused(
                        Code.valueOf(action.code()),
                        action.message().isEmpty() ? "scripted fault at " + rpc : action.message());
            case DELAY -> core.patience.delay(action.delay());
            case LATE -> core.patience.untilGivenUp(caller);
            case HANG -> {
                core.patience.untilGivenUp(caller);
                throw new Lost("hung until it was given up");
            }
            case RESET -> {
                endpoint().breakConnections();
                endUnlessWorkIsDue(point, "the connection was reset");
            }
            case HALF_CLOSE -> {
                endpoint().stopSending();
                endUnlessWorkIsDue(point, "the connection was half closed");
            }
            case OVERSIZE -> {
                return action.bytes();
            }
            case DRIP -> endpoint().drip(action.delay());
            case CRASH -> die(false);
            case CRASH_LOSING_STATE -> die(true);
        }
        return 0;
    }

    /** A connection that breaks during the work does not stop the work. */
    private static void endUnlessWorkIsDue(FaultPoint point, String why) {
        if (point != FaultPoint.DURING) {
            throw new Lost(why);
        }
    }

    private void die(boolean losingState) {
        core.crash.crash(losingState);
        throw new Lost("the driver died");
    }

    private Endpoint endpoint() {
        return Objects.requireNonNull(endpoint, "endpoint");
    }

    private void gate(String rpc, Message request) {
        Requirements needs = Requirements.of(rpc);
        if (!needs.capabilities().isEmpty() && needs.capabilities().stream().noneMatch(core::has)) {
            String needed = String.join(" or ", needs.capabilities());
            core.oracle.note(Rule.WITHOUT_CAPABILITY, rpc, "needs " + needed);
            Code code =
                    core.options.has(Quirk.INVALID_ARGUMENT_WHEN_DISABLED) ? Code.INVALID_ARGUMENT : Code.UNIMPLEMENTED;
            throw new Refused(code, "this driver does not have " + needed);
        }
        List<String> missing = needs.missing(request);
        if (!missing.isEmpty() && !core.options.has(Quirk.SERVES_WITHOUT_REQUIRED_FIELDS)) {
            core.oracle.note(Rule.INCOMPLETE, rpc, "misses " + String.join(", ", missing));
            throw new Refused(Code.INVALID_ARGUMENT, "missing: " + String.join(", ", missing));
        }
        secrets(rpc, request);
    }

    private void secrets(String rpc, Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName("secrets");
        if (field == null) {
            return;
        }
        Map<String, String> sent = new TreeMap<>();
        for (Object each : (List<?>) request.getField(field)) {
            Message entry = (Message) each;
            sent.put((String) entry.getField(entry.getDescriptorForType().findFieldByNumber(1)), (String)
                    entry.getField(entry.getDescriptorForType().findFieldByNumber(2)));
        }
        core.oracle.remember(sent);
        for (Map.Entry<String, String> needed : core.options.secrets().entrySet()) {
            String value = sent.get(needed.getKey());
            if (value == null) {
                core.oracle.note(Rule.SECRETS, rpc, "misses the secret " + needed.getKey());
                throw new Refused(Code.INVALID_ARGUMENT, "missing: the secret " + needed.getKey());
            }
            if (!value.equals(needed.getValue())) {
                core.oracle.note(Rule.SECRETS, rpc, "has another secret " + needed.getKey());
                throw new Refused(Code.UNAUTHENTICATED, "the secret " + needed.getKey() + " is wrong");
            }
        }
    }

    @SuppressWarnings("unchecked") // the builder of a message type builds that type
    private static <R extends Message> R padded(R reply, long bytes) {
        ByteString padding = ByteString.copyFrom(new byte[Math.toIntExact(bytes)]);
        UnknownFieldSet.Field field =
                UnknownFieldSet.Field.newBuilder().addLengthDelimited(padding).build();
        return (R) reply.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(PADDING_FIELD, field)
                        .build())
                .build();
    }
}
