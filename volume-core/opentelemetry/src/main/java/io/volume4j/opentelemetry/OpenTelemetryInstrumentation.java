package io.volume4j.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Gives each step to OpenTelemetry as a span, with a span below it for the call of the plugin, which is current on the worker
 * while the call runs: spans and log lines of the plugin belong to it.
 *
 * <p>All steps of one volume, from its claim to its mounts, are one trace, in whatever process they run. Its id is a hash of
 * {@linkplain io.volume4j.spi.host.Instrumentation.StepStart#story() what they have in common}, so that nodes and controllers
 * agree on it without telling each other. The parent of the steps is a remote span of the same origin that is never
 * exported; a parent-based sampler takes it as sampled.
 *
 * <p>No span holds a secret. Thread-safe.
 *
 * @since 0.1.0
 */
public final class OpenTelemetryInstrumentation implements Instrumentation {
    /** The operation's id, which log lines carry too. */
    public static final AttributeKey<String> OPERATION = AttributeKey.stringKey("volume4j.operation");

    /** The volume or the object that the step is about. */
    public static final AttributeKey<String> KEY = AttributeKey.stringKey("volume4j.key");

    /** The PersistentVolume where there is one, otherwise the key. */
    public static final AttributeKey<String> STORY = AttributeKey.stringKey("volume4j.story");

    /** The step in words. */
    public static final AttributeKey<String> DESCRIPTION = AttributeKey.stringKey("volume4j.description");

    /** From 1, counting the tries since the step last succeeded. */
    public static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("volume4j.attempt");

    /** The class of a failure, such as {@code TRANSIENT}. */
    public static final AttributeKey<String> FAILURE = AttributeKey.stringKey("error.type");

    private static final int TRACE_ID_BYTES = 16;
    private static final int SPAN_ID_BYTES = 8;

    private final Tracer tracer;

    /** Spans go where the host's OpenTelemetry sends them. */
    public OpenTelemetryInstrumentation(OpenTelemetry openTelemetry) {
        tracer = openTelemetry.getTracer("io.volume4j");
    }

    @Override
    public Step step(StepStart start) {
        String story = start.story().get();
        Span span = tracer.spanBuilder(start.kind())
                .setParent(Context.root().with(Span.wrap(origin(story))))
                .setAttribute(OPERATION, start.operation())
                .setAttribute(KEY, start.key().toString())
                .setAttribute(STORY, story)
                .setAttribute(DESCRIPTION, start.description().get())
                .setAttribute(ATTEMPT, (long) start.attempt())
                .startSpan();
        return new Traced(tracer, start.kind(), span);
    }

    /** What all steps of the story have as their parent, the same in every process. */
    static SpanContext origin(String story) {
        byte[] hash = sha256("volume4j " + story);
        HexFormat hex = HexFormat.of();
        return SpanContext.createFromRemoteParent(
                hex.formatHex(hash, 0, TRACE_ID_BYTES),
                hex.formatHex(hash, TRACE_ID_BYTES, TRACE_ID_BYTES + SPAN_ID_BYTES),
                TraceFlags.getSampled(),
                TraceState.getDefault());
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private record Traced(Tracer tracer, String kind, Span span) implements Step {
        /** The scope that is given back closes the context. */
        @Override
        @SuppressWarnings("MustBeClosedChecker")
        public Scope call() {
            Span call = tracer.spanBuilder(kind + " call")
                    .setParent(Context.root().with(span))
                    .startSpan();
            io.opentelemetry.context.Scope current = call.makeCurrent();
            return () -> {
                current.close();
                call.end();
            };
        }

        @Override
        public void ended(@Nullable VolumeException failure) {
            if (failure != null) {
                span.setStatus(StatusCode.ERROR, failure.getMessage());
                span.setAttribute(FAILURE, failure.kind().name());
            }
            span.end();
        }
    }
}
