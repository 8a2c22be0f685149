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
 * Records each step as an OpenTelemetry span. The call to the plugin is a child span. It is the current span of the
 * worker thread during the call, so that spans and log lines of the plugin belong to it.
 *
 * <p>All steps of one volume, from its claim to its mounts, are one trace, also in different processes. The trace id
 * is a hash of {@linkplain io.volume4j.spi.host.Instrumentation.StepStart#story() the text that these steps share},
 * so that nodes and controllers compute the same id without communication. The parent of the steps is a remote span
 * that is never exported. A parent-based sampler treats it as sampled.
 *
 * <p>Spans contain no secrets. Thread-safe.
 *
 * @since 0.1.0
 */
public final class OpenTelemetryInstrumentation implements Instrumentation {
    /** Attribute: the operation's id, which log lines contain too. */
    public static final AttributeKey<String> OPERATION = AttributeKey.stringKey("volume4j.operation");

    /** Attribute: the volume or the object of the step. */
    public static final AttributeKey<String> KEY = AttributeKey.stringKey("volume4j.key");

    /** Attribute: the PersistentVolume if there is one, otherwise the same as {@link #KEY}. */
    public static final AttributeKey<String> STORY = AttributeKey.stringKey("volume4j.story");

    /** Attribute: the step in words. */
    public static final AttributeKey<String> DESCRIPTION = AttributeKey.stringKey("volume4j.description");

    /** Attribute: the number of the try, from 1, since the step last succeeded. */
    public static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("volume4j.attempt");

    /** Attribute: the kind of a failure, such as {@code TRANSIENT}. */
    public static final AttributeKey<String> FAILURE = AttributeKey.stringKey("error.type");

    private static final int TRACE_ID_BYTES = 16;
    private static final int SPAN_ID_BYTES = 8;

    private final Tracer tracer;

    /** An instrumentation that creates its spans with this OpenTelemetry instance. */
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
