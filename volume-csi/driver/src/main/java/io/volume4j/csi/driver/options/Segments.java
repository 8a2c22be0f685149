package io.volume4j.csi.driver.options;

import java.util.Map;
import java.util.TreeMap;

/** Key and value pairs on a command line. */
final class Segments {
    private Segments() {}

    /** Reads {@code zone=a,rack=7}. */
    static Map<String, String> parse(String text) {
        Map<String, String> segments = new TreeMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("expected KEY=VALUE, not \"" + pair + "\"");
            }
            segments.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return segments;
    }
}
