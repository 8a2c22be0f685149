package io.volume4j.examples.benchmarks.world;

import io.volume4j.examples.benchmarks.measure.ThreadsTime;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that separates its own time from the library's. It adds the time of writes, by the clock or in processor time,
 * without the time of the library's listeners in them. It records when the library gets the event of one object. Thread-safe.
 */
public final class TimedCluster extends MeasuredCluster<InMemoryCluster> {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();

    /** The writes of the threads. */
    private final Map<Thread, Stretch> stretches = new ConcurrentHashMap<>();

    private volatile @Nullable ObjectKey awaited;
    private volatile long told = System.nanoTime();
    private volatile boolean byProcessor;

    public TimedCluster(InMemoryCluster cluster) {
        super(cluster);
    }

    /** Resets the count, and records the time of the event for this object, which the listeners do not know yet. */
    public void expect(ObjectKey key) {
        nanos.set(0);
        awaited = key;
    }

    /** Resets the count, and from now on counts the processor time of the writing threads. Call it while no thread writes. */
    public void countProcessor() {
        nanos.set(0);
        looks.set(0);
        byProcessor = true;
    }

    /** The number of reads of the processor clock, two for each counted stretch. */
    public long looks() {
        return looks.get();
    }

    private long now() {
        if (!byProcessor) {
            return System.nanoTime();
        }
        looks.incrementAndGet();
        return ThreadsTime.ofThis();
    }

    /** The time at which the library got the event, in nanoseconds. */
    public long told() {
        return told;
    }

    /** The cluster's time so far, including a running write of the calling thread. */
    public long nanos() {
        return nanos.get() + stretch().length();
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return cluster.watch(kind, selection, revision, event -> hear(event, listener));
    }

    private void hear(WatchEvent event, WatchListener library) {
        Stretch writing = stretch();
        boolean inWrite = writing.began != 0;
        if (inWrite) {
            nanos.addAndGet(writing.end());
        }
        ObjectKey key = awaited;
        if (key != null && event.object() != null && key.equals(event.object().key())) {
            awaited = null;
            told = System.nanoTime();
            nanos.set(0);
        }
        try {
            library.onEvent(event);
        } finally {
            if (inWrite) {
                writing.begin();
            }
        }
    }

    private Stretch stretch() {
        return stretches.computeIfAbsent(Thread.currentThread(), thread -> new Stretch());
    }

    @Override
    protected <T extends @Nullable Object> T measured(Supplier<T> write) {
        Stretch writing = stretch();
        writing.begin();
        try {
            return write.get();
        } finally {
            nanos.addAndGet(writing.end());
        }
    }

    /** The write of one thread. */
    private final class Stretch {
        /** 0 while the thread does not write. */
        private long began;

        void begin() {
            began = now();
        }

        /** By the clock, without the time before the library's event: that may be a write for the previous object. */
        long length() {
            if (began == 0) {
                return 0;
            }
            long from = byProcessor || began - told > 0 ? began : told;
            return now() - from;
        }

        long end() {
            long length = length();
            began = 0;
            return length;
        }
    }
}
