package io.volume4j.csi;

import io.volume4j.spi.FailureKind;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One RPC, as a {@link CsiCallListener} sees it. Immutable; free of secrets.
 *
 * @since 0.1.0
 */
public final class CsiCall {
    private final String rpc;
    private final Supplier<String> request;
    private final Duration duration;
    private final String code;
    private final @Nullable FailureKind failure;
    private final String message;

    private CsiCall(
            String rpc,
            Supplier<String> request,
            Duration duration,
            String code,
            @Nullable FailureKind failure,
            String message) {
        this.rpc = Objects.requireNonNull(rpc, "rpc");
        this.request = Objects.requireNonNull(request, "request");
        this.duration = Objects.requireNonNull(duration, "duration");
        this.code = Objects.requireNonNull(code, "code");
        this.failure = failure;
        this.message = Objects.requireNonNull(message, "message");
    }

    /** A call that begins. */
    static CsiCall begun(String rpc, Supplier<String> request) {
        return new CsiCall(rpc, request, Duration.ZERO, "", null, "");
    }

    CsiCall ended(Duration took, String endCode, @Nullable FailureKind kind, String text) {
        return new CsiCall(rpc, request, took, endCode, kind, text);
    }

    /** Its name in the schema, such as {@code CreateVolume}. */
    public String rpc() {
        return rpc;
    }

    /** The request on one line, without secrets; made when it is asked for. */
    public String request() {
        return request.get();
    }

    /** How long it took; zero before the end. */
    public Duration duration() {
        return duration;
    }

    /** gRPC's code, {@code OK} for a success, {@code ""} before the end. */
    public String code() {
        return code;
    }

    /** What its failure means, null for a success. */
    public @Nullable FailureKind failure() {
        return failure;
    }

    /** What went wrong, {@code ""} for a success. */
    public String message() {
        return message;
    }

    @Override
    public String toString() {
        return rpc + (code.isEmpty() ? "" : " " + code + " " + duration.toMillis() + " ms");
    }
}
