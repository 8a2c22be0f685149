package io.volume4j.inmemory.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/** Runs work on all processors. */
final class Processors {
    private Processors() {}

    static int count() {
        return Math.max(1, Runtime.getRuntime().availableProcessors());
    }

    /** Runs the work once on a thread for each processor, and waits for all. */
    static void run(Runnable work) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            Thread thread = new Thread(work, "worlds-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The results in the order of the items. */
    static <T, R> List<R> map(List<T> items, Function<T, R> function) {
        AtomicInteger next = new AtomicInteger();
        AtomicReferenceArray<R> results = new AtomicReferenceArray<>(items.size());
        run(() -> {
            for (int i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
                results.set(i, function.apply(items.get(i)));
            }
        });
        List<R> all = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            all.add(results.get(i));
        }
        return all;
    }
}
