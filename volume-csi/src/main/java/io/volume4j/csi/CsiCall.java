package io.volume4j.csi;

import io.volume4j.spi.FailureKind;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One RPC, as a {@link CsiCallListener} gets it. Immutable. Contains no secrets.
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

    /** The name of the RPC in the CSI specification, such as {@code CreateVolume}. */
    public String rpc() {
        return rpc;
    }

    /** The request as one line of text, without secrets. Computed on each call. */
    public String request() {
        return request.get();
    }

    /** The duration of the call; zero before its end. */
    public Duration duration() {
        return duration;
    }

    /** The gRPC status code: {@code OK} for a success, {@code ""} before the end. */
    public String code() {
        return code;
    }

    /** The kind of the failure, null for a success and before the end. */
    public @Nullable FailureKind failure() {
        return failure;
    }

    /** The error message, {@code ""} for a success. */
    public String message() {
        return message;
    }

    @Override
    public String toString() {
        return rpc + (code.isEmpty() ? "" : " " + code + " " + duration.toMillis() + " ms");
    }
}
