package io.volume4j.csi.internal.client;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.volume4j.csi.internal.redact.SecretRedactor;
import io.volume4j.csi.internal.redact.SecretScrubber;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.rpc.ErrorTable;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.rpc.Verdict;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failed call to a driver: the RPC, how far it got, the driver's answer, and its meaning. The message contains no
 * secrets of the request. The exception never has gRPC's exception as its cause, whose message may contain secrets.
 */
public final class CsiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Rpc rpc;
    private final CallPhase phase;
    private final Status.Code code;
    private final FailureKind kind;
    private final Advice advice;
    private final boolean provesAbsent;
    private final transient @Nullable Message reply;

    private CsiException(
            Rpc rpc, CallPhase phase, Status.Code code, Verdict verdict, String message, @Nullable Message reply) {
        super(message);
        this.rpc = rpc;
        this.phase = phase;
        this.code = code;
        this.kind = verdict.kind();
        this.advice = verdict.advice();
        this.provesAbsent = verdict.provesAbsent();
        this.reply = reply;
    }

    /** The call ended with this status. */
    static CsiException failed(Rpc rpc, Message request, String driver, CallPhase phase, Status status) {
        Verdict verdict = ErrorTable.verdict(rpc, phase, status.getCode());
        String said = status.getDescription() == null
                ? ""
                : SecretScrubber.of(request).scrub(status.getDescription());
        String how = switch (phase) {
            case NEVER_SENT -> "not sent";
            case SENT_WITHOUT_ANSWER -> "sent, but not answered";
            case ANSWERED -> "answered";
        };
        String message = "%s on %s: %s: %s%s"
                .formatted(what(rpc, request), driver, how, status.getCode(), said.isEmpty() ? "" : ": " + said);
        return new CsiException(rpc, phase, status.getCode(), verdict, message, null);
    }

    /** No connection was available, so the call was not sent. */
    static CsiException unreachable(Rpc rpc, Message request, String driver, String why, boolean refused) {
        Verdict verdict =
                new Verdict(FailureKind.TRANSIENT, refused ? Advice.TRUST_SOCKET : Advice.REACH_DRIVER, false);
        String message = "%s on %s: not sent: %s".formatted(what(rpc, request), driver, why);
        return new CsiException(rpc, CallPhase.NEVER_SENT, Status.Code.UNAVAILABLE, verdict, message, null);
    }

    /** The request is invalid, so the call was not sent. */
    static CsiException invalid(Rpc rpc, Message request, String driver, List<String> complaints) {
        Verdict verdict = new Verdict(FailureKind.FINAL, Advice.FIX_REQUEST, false);
        return unsent(rpc, request, driver, complaints, Status.Code.INVALID_ARGUMENT, verdict);
    }

    /** This driver does not support the request, so the call was not sent. */
    static CsiException unsupported(Rpc rpc, Message request, String driver, List<String> missing) {
        Verdict verdict = new Verdict(FailureKind.FINAL, Advice.REFRESH_CAPABILITIES, false);
        return unsent(rpc, request, driver, missing, Status.Code.UNIMPLEMENTED, verdict);
    }

    /** The driver reported success, but its answer breaks the specification. The effect of the call is unknown. */
    static CsiException incredible(Rpc rpc, Message request, String driver, List<String> complaints, Message reply) {
        FailureKind kind = rpc.effect() == Rpc.Effect.READS ? FailureKind.TRANSIENT : FailureKind.UNCERTAIN;
        String message = "%s on %s: the answer breaks the specification: %s"
                .formatted(
                        what(rpc, request), driver, SecretScrubber.of(request).scrub(String.join("; ", complaints)));
        Verdict verdict = new Verdict(kind, Advice.REPORT_DRIVER, false);
        return new CsiException(rpc, CallPhase.ANSWERED, Status.Code.OK, verdict, message, reply);
    }

    private static CsiException unsent(
            Rpc rpc, Message request, String driver, List<String> complaints, Status.Code code, Verdict verdict) {
        String message = "%s on %s: not sent: %s".formatted(what(rpc, request), driver, String.join("; ", complaints));
        return new CsiException(rpc, CallPhase.NEVER_SENT, code, verdict, message, null);
    }

    private static String what(Rpc rpc, Message request) {
        String subject = SecretRedactor.subject(request);
        return subject.isEmpty() ? rpc.label() : rpc.label() + " of " + subject;
    }

    public Rpc rpc() {
        return rpc;
    }

    /** How far the call got. */
    public CallPhase phase() {
        return phase;
    }

    /** The code of the driver, or of gRPC in its place; OK if the driver reported success with an invalid answer. */
    public Status.Code code() {
        return code;
    }

    public FailureKind kind() {
        return kind;
    }

    public Advice advice() {
        return advice;
    }

    /** Whether the failure proves that the object of the call does not exist. */
    public boolean provesAbsent() {
        return provesAbsent;
    }

    /** Whether the driver itself answered with this code. */
    public boolean answered(Status.Code expected) {
        return phase == CallPhase.ANSWERED && code == expected;
    }

    /** The invalid answer; it may name what the caller must undo. */
    public Optional<Message> reply() {
        return Optional.ofNullable(reply);
    }

    /** The failure as an exception of the plugin interface. */
    public VolumeException toVolumeException() {
        VolumeException failure =
                VolumeException.of(kind, getMessage()).withAdvice(advice.text()).withCause(this);
        return kind == FailureKind.FINAL && provesAbsent ? failure.provingAbsence() : failure;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
