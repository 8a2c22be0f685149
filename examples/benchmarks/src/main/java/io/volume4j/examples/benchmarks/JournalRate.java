package io.volume4j.examples.benchmarks;

import io.volume4j.core.journal.AppendPriority;
import io.volume4j.core.journal.Durability;
import io.volume4j.core.journal.FileJournalStore;
import io.volume4j.core.journal.Journal;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How many intents a second become durable. */
final class JournalRate implements Benchmark {
    private static final int PAYLOAD = 200;

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public String measures() {
        return "intents/s of 200 bytes, synced and not, by how many wait at once";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("syncs", "in flight", "intents/s", "p50", "p99", "to one in flight");
        for (Durability durability : Durability.values()) {
            double first = 0;
            for (int inFlight : new int[] {1, 16, 256, 4_096}) {
                first = row(run, table, durability, inFlight, first);
            }
        }
        run.print(table);
    }

    private static double row(Run run, Table table, Durability durability, int inFlight, double first)
            throws Exception {
        Path root = Files.createDirectories(run.scratch().resolve("journal-" + durability + "-" + inFlight));
        ExecutorService writer = Executors.newSingleThreadExecutor();
        JournalOptions options = JournalOptions.builder()
                .durability(durability)
                .maxQueuedRecords(8_192)
                .build();
        try (Journal journal = new FileJournalStore(root, options, writer, new SecureRandom())
                .open(new JournalIdentity("node", "boot", "root"), reason -> {})
                .journal()) {
            append(journal, inFlight, TimeUnit.SECONDS.toNanos(1), new Latencies());
            Latencies latencies = new Latencies();
            long began = System.nanoTime();
            append(journal, inFlight, TimeUnit.SECONDS.toNanos(run.size(8, 2)), latencies);
            double rate = latencies.count() * 1e9 / (System.nanoTime() - began);
            table.row(
                    durability.name().toLowerCase(java.util.Locale.ROOT),
                    Figures.count(inFlight),
                    Figures.count((long) rate),
                    latencies.p50(),
                    latencies.p99(),
                    first == 0 ? "" : Figures.ratio(rate / first));
            return first == 0 ? rate : first;
        } finally {
            writer.shutdown();
        }
    }

    private static void append(Journal journal, int inFlight, long nanos, Latencies latencies) throws Exception {
        byte[] payload = new byte[PAYLOAD];
        Arrays.fill(payload, (byte) 'x');
        Semaphore free = new Semaphore(inFlight);
        CountDownLatch failed = new CountDownLatch(1);
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            free.acquire();
            long asked = System.nanoTime();
            journal.append(new JournalEntry(1, payload), AppendPriority.NORMAL, outcome -> {
                if (outcome.isDurable()) {
                    latencies.record(System.nanoTime() - asked);
                } else {
                    failed.countDown();
                }
                free.release();
            });
        }
        free.acquire(inFlight);
        if (failed.getCount() == 0) {
            throw new IllegalStateException("the journal refused records");
        }
    }
}
