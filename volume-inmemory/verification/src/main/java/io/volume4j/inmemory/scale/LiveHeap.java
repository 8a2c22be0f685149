package io.volume4j.inmemory.scale;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The reachable objects on this program's heap, from the JVM's class histogram.
 *
 * @param bytes of all objects
 * @param ours of the objects, and arrays of such objects, whose class is in one of the requested packages or below one
 */
public record LiveHeap(long bytes, long ours) {
    private static final List<String> LIBRARY = List.of("io.volume4j.core", "io.volume4j.spi");
    /** Number, instances, bytes, class. */
    private static final int COLUMNS = 4;

    /** The current heap, for the library's own classes; collects garbage. Equal worlds have the same bytes of these. */
    public static LiveHeap now() {
        return now(LIBRARY);
    }

    /**
     * The current heap; collects garbage.
     *
     * @throws IllegalStateException if this JVM has no histogram
     */
    public static LiveHeap now(List<String> packages) {
        try {
            Object histogram = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {null},
                            new String[] {String[].class.getName()});
            return read(String.valueOf(histogram), packages);
        } catch (JMException none) {
            throw new IllegalStateException("this JVM makes no histogram of its classes", none);
        }
    }

    /** Reads the JVM's text. */
    static LiveHeap read(String histogram, List<String> packages) {
        long all = 0;
        long ours = 0;
        for (String line : histogram.split("\n")) {
            String[] words = line.trim().split("\\s+");
            if (words.length >= COLUMNS && words[0].matches("\\d+:")) {
                long bytes = Long.parseLong(words[2]);
                all += bytes;
                // [Lname; is an array of these objects
                String name = words[COLUMNS - 1].replaceFirst("^\\[+L", "");
                ours += packages.stream().anyMatch(each -> name.startsWith(each + ".")) ? bytes : 0;
            }
        }
        return new LiveHeap(all, ours);
    }

    /** The growth since then. */
    public LiveHeap since(LiveHeap before) {
        return new LiveHeap(bytes - before.bytes, ours - before.ours);
    }
}
