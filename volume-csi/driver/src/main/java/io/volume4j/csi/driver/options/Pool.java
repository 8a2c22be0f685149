package io.volume4j.csi.driver.options;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A stock of capacity that is accessible from one place.
 *
 * @param segments the place; empty for everywhere
 * @param bytes the capacity, positive
 * @since 0.1.0
 */
public record Pool(Map<String, String> segments, long bytes) {
    /** @throws IllegalArgumentException if the capacity is not positive */
    public Pool {
        segments = Collections.unmodifiableMap(new TreeMap<>(segments));
        if (bytes <= 0) {
            throw new IllegalArgumentException("a pool holds at least 1 byte, not " + bytes);
        }
    }

    /**
     * Reads {@code zone=a:10Gi}, {@code zone=a,rack=7:10Gi} or, for a pool that is accessible from everywhere,
     * {@code 10Gi}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static Pool parse(String text) {
        int colon = text.lastIndexOf(':');
        Map<String, String> segments = colon < 0 ? Map.of() : Segments.parse(text.substring(0, colon));
        return new Pool(segments, Bytes.parse(text.substring(colon + 1)));
    }
}
