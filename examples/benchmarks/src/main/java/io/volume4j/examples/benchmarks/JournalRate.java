package io.volume4j.examples.benchmarks;

import io.volume4j.core.journal.AppendPriority;
import io.volume4j.core.journal.Durability;
import io.volume4j.core.journal.FileJournalStore;
import io.volume4j.core.journal.Journal;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** The number of durable intents per second. */
final class JournalRate implements Benchmark {
    private static final long MAX_BYTES = 16L << 30;
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
    public String warmUp() {
        return "appends for a second, or a quarter of the time in a quick run, before each row";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("syncs", "in flight", "intents/s", "p50", "p99", "to one in flight");
        List<Growth> growths = new ArrayList<>();
        Map<Durability, Double> best = new EnumMap<>(Durability.class);
        for (Durability durability : Durability.values()) {
            Growth growth = Growth.ofTime("time an intent, " + text(durability), "in flight");
            double first = 0;
            for (int inFlight : new int[] {1, 10, 100, 1_000}) {
                double rate = row(run, table, durability, inFlight, first);
                first = first == 0 ? rate : first;
                growth.at(inFlight, 1e9 / rate);
                best.put(durability, rate);
            }
            growths.add(growth);
        }
        run.print(table);
        growths.forEach(run::growth);
        double synced = best.getOrDefault(Durability.SYNCED, Double.NaN);
        best.forEach((durability, rate) -> {
            if (durability != Durability.SYNCED) {
                run.comparedRates("intents/s, 1,000 in flight, synced", synced, text(durability), rate);
            }
        });
    }

    private static String text(Durability durability) {
        return durability.name().toLowerCase(Locale.ROOT);
    }

    private static double row(Run run, Table table, Durability durability, int inFlight, double first)
            throws Exception {
        Path root = Files.createDirectories(run.scratch().resolve("journal-" + durability + "-" + inFlight));
        ExecutorService writer = Executors.newSingleThreadExecutor();
        JournalOptions options = JournalOptions.builder()
                .durability(durability)
                .maxQueuedRecords(8_192)
                // This benchmark never compacts, and the fastest rows write half a gigabyte a second.
                .maxJournalBytes(MAX_BYTES)
                .build();
        try (Journal journal = new FileJournalStore(root, options, writer, new SecureRandom())
                .open(new JournalIdentity("node", "boot", "root"), reason -> {})
                .journal()) {
            append(journal, inFlight, run.nanos(1, 0.25), new Latencies());
            Latencies latencies = new Latencies();
            long began = System.nanoTime();
            append(journal, inFlight, run.nanos(3, 1), latencies);
            double rate = latencies.count() * 1e9 / (System.nanoTime() - began);
            table.row(
                    text(durability),
                    Figures.count(inFlight),
                    Figures.count((long) rate),
                    latencies.p50(),
                    latencies.p99(),
                    first == 0 ? "" : Figures.ratio(rate / first));
            return rate;
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
