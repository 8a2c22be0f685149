package io.volume4j.examples.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What is reachable on the heap, added up object by object: what the heap says of itself counts room between objects, and objects that a
 * collector has not looked at.
 *
 * @param bytes of all objects
 * @param ours of those whose class is in the package that was asked for, or in one below it
 */
public record LiveHeap(long bytes, long ours) {
    private static final int MOST_LOOKS = 20;
    private static final long PAUSE_MILLIS = 200;
    private static final double STABLE = 0.0005;

    /** After as many full collections as it takes until two of them, with a pause in between, leave the same. */
    public static LiveHeap now(String ourPackage) throws InterruptedException {
        LiveHeap before = look(ourPackage);
        for (int i = 1; i < MOST_LOOKS; i++) {
            // For what others have begun and not ended yet, such as a snapshot of a journal.
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            LiveHeap now = look(ourPackage);
            if (Math.abs(now.bytes - before.bytes) <= STABLE * before.bytes) {
                return now;
            }
            before = now;
        }
        throw new IllegalStateException("the heap is not stable: " + before.bytes + " bytes after so many collections");
    }

    public LiveHeap less(LiveHeap before) {
        return new LiveHeap(bytes - before.bytes, ours - before.ours);
    }

    private static LiveHeap look(String ourPackage) {
        // This one compacts all of the heap; the histogram's own may leave dead objects where they are.
        System.gc();
        long all = 0;
        long ours = 0;
        for (String line : histogram()) {
            // number: instances bytes class
            String[] fields = line.strip().split(" +");
            if (fields.length >= 4 && fields[0].endsWith(":")) {
                long bytes = Long.parseLong(fields[2]);
                all += bytes;
                String name = fields[3].startsWith("[") ? fields[3].replaceFirst("^\\[+L", "") : fields[3];
                ours += name.startsWith(ourPackage + ".") ? bytes : 0;
            }
        }
        return new LiveHeap(all, ours);
    }

    private static List<String> histogram() {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return ((String) text).lines().toList();
        } catch (JMException e) {
            throw new IllegalStateException("this JVM has no class histogram", e);
        }
    }
}
