package io.volume4j.core.observe;

import io.volume4j.spi.host.Instrumentation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.MDC;

/**
 * Puts into the log context (MDC) of a worker what it works on while it calls a plugin, so that the lines of a plugin, and of the
 * libraries that it uses, say to which volume they belong: {@link #OPERATION}, {@link #STEP}, {@link #KEY} and {@link #STORY}.
 *
 * <pre>{@code
 * VolumeManager.builder().instrumentation(new WorkerLogContext())…
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class WorkerLogContext implements Instrumentation {
    /** The operation's id. */
    public static final String OPERATION = "volume4j.operation";

    /** The step, such as {@code MOUNT}. */
    public static final String STEP = "volume4j.step";

    /** The volume or the object. */
    public static final String KEY = "volume4j.key";

    /** The PersistentVolume where there is one, otherwise the key. */
    public static final String STORY = "volume4j.story";

    /** One serves any number of nodes and controllers. */
    public WorkerLogContext() {}

    @Override
    public Step step(StepStart start) {
        Map<String, String> context = new LinkedHashMap<>();
        context.put(OPERATION, start.operation());
        context.put(STEP, start.kind());
        context.put(KEY, start.key().toString());
        context.put(STORY, start.story().get());
        return new Step() {
            @Override
            public Scope call() {
                context.forEach(MDC::put);
                return () -> context.keySet().forEach(MDC::remove);
            }
        };
    }
}
