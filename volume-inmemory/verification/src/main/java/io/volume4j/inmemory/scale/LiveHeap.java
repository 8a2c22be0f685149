package io.volume4j.inmemory.scale;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Live bytes of this program, by a histogram of its classes.
 *
 * @param all of all classes, simulator and cluster in memory included
 * @param library of the library's own classes without texts, arrays and maps, the same for equal worlds
 */
public record LiveHeap(long all, long library) {
    private static final List<String> LIBRARY = List.of("io.volume4j.core.", "io.volume4j.spi.");
    /** Number, instances, bytes, class. */
    private static final int COLUMNS = 4;

    /**
     * As it is now; collects garbage.
     *
     * @throws IllegalStateException if this JVM makes no histogram
     */
    public static LiveHeap now() {
        try {
            Object histogram = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {null},
                            new String[] {String[].class.getName()});
            return read(String.valueOf(histogram));
        } catch (JMException none) {
            throw new IllegalStateException("this JVM makes no histogram of its classes", none);
        }
    }

    /** Of the text that the JVM gives. */
    static LiveHeap read(String histogram) {
        long all = 0;
        long library = 0;
        for (String line : histogram.split("\n")) {
            String[] words = line.trim().split("\\s+");
            if (words.length >= COLUMNS && words[0].matches("\\d+:")) {
                long bytes = Long.parseLong(words[2]);
                all += bytes;
                library += LIBRARY.stream().anyMatch(words[COLUMNS - 1]::startsWith) ? bytes : 0;
            }
        }
        return new LiveHeap(all, library);
    }

    /** What came since then. */
    public LiveHeap since(LiveHeap before) {
        return new LiveHeap(all - before.all, library - before.library);
    }
}
