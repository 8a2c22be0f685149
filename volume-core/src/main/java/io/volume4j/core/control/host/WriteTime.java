package io.volume4j.core.control.host;

import io.volume4j.spi.host.Patch.FieldChange;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A placeholder for the time at which the host sends a write. With it, planners need no clock, and a plan stays equal
 * as time passes.
 */
public enum WriteTime {
    /** The time of sending, in whole seconds as Kubernetes writes times. */
    NOW;

    /** Whether the value of the change contains the placeholder. Most changes do not, and a text of the time costs more than this. */
    static boolean isIn(FieldChange change) {
        @Nullable Object value = change.value();
        return value != null && isIn(value);
    }

    private static boolean isIn(Object value) {
        if (value instanceof Map<?, ?> fields) {
            for (Object field : fields.values()) {
                if (isIn(field)) {
                    return true;
                }
            }
        } else if (value instanceof List<?> list) {
            for (Object each : list) {
                if (isIn(each)) {
                    return true;
                }
            }
        }
        return value == NOW;
    }

    static FieldChange at(Instant now, FieldChange change) {
        @Nullable Object value = change.value();
        return value == null || !isIn(value)
                ? change
                : new FieldChange(
                        change.path(),
                        filled(value, now.truncatedTo(ChronoUnit.SECONDS).toString()));
    }

    private static Object filled(Object value, String now) {
        if (value == NOW) {
            return now;
        }
        if (value instanceof List<?> list) {
            List<Object> all = new ArrayList<>(list.size());
            list.forEach(each -> all.add(filled(each, now)));
            return all;
        }
        if (value instanceof Map<?, ?> fields) {
            Map<Object, Object> all = new LinkedHashMap<>();
            fields.forEach((name, field) -> all.put(name, filled(field, now)));
            return all;
        }
        return value;
    }
}
