package io.volume4j.core.observe;

import io.volume4j.spi.host.Instrumentation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.MDC;

/**
 * Sets the log context (MDC) of a worker thread while it calls a plugin: {@link #OPERATION}, {@link #STEP},
 * {@link #KEY} and {@link #STORY}. Log lines of the plugin, and of the libraries that it uses, then contain the
 * volume.
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
    /** MDC key: the operation's id. */
    public static final String OPERATION = "volume4j.operation";

    /** MDC key: the step, such as {@code MOUNT}. */
    public static final String STEP = "volume4j.step";

    /** MDC key: the volume or the object. */
    public static final String KEY = "volume4j.key";

    /** MDC key: the name of the PersistentVolume if there is one, otherwise the same as {@link #KEY}. */
    public static final String STORY = "volume4j.story";

    /** One instance can serve any number of nodes and controllers. */
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
