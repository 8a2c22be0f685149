package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;

/**
 * Bounds of a journal. Immutable; a setter rejects a value out of range rather than repairing it.
 *
 * @param durability what an acknowledgement stands for; default {@link Durability#SYNCED}
 * @param maxQueuedRecords appends that may wait for the disk; default 65,536
 * @param maxQueuedBytes payload bytes that may wait for the disk; default 16 MiB
 * @param maxRecordBytes largest payload; default 1 MiB, at most 16 MiB
 * @param maxGroupBytes size above which a group is written and synced; one larger record still makes a group of its own;
 *     default 256 KiB
 * @param reserveBytes space that is allocated ahead and left to teardown when the disk is full; the file grows in
 *     steps of that size, too; default 1 MiB
 * @param compactAfterBytes a snapshot is asked for when the log behind the last one exceeds this many bytes and...; default 4 MiB
 * @param compactAfterRatio ...this many times the size of that snapshot; default 2
 * @param maxJournalBytes bound of the whole file without the reserve; normal appends are refused beyond it; during a
 *     compaction there is a second file within the same bound; default 1 GiB
 * @param closeTimeout how long {@link Journal#close} waits for the disk; default 5 s
 * @param instrumentation hears of syncs on the writer's thread; default none
 */
public record JournalOptions(
        Durability durability,
        int maxQueuedRecords,
        long maxQueuedBytes,
        int maxRecordBytes,
        int maxGroupBytes,
        int reserveBytes,
        long compactAfterBytes,
        int compactAfterRatio,
        long maxJournalBytes,
        Duration closeTimeout,
        Instrumentation instrumentation) {

    /** The largest payload that the format allows. */
    public static final int RECORD_BYTES_LIMIT = 16 << 20;

    public JournalOptions {
        requireNonNull(durability, "durability");
        requireRange("maxQueuedRecords", maxQueuedRecords, 1, Integer.MAX_VALUE);
        requireRange("maxQueuedBytes", maxQueuedBytes, 1, Long.MAX_VALUE);
        requireRange("maxRecordBytes", maxRecordBytes, 1, RECORD_BYTES_LIMIT);
        requireRange("maxGroupBytes", maxGroupBytes, 1, 64 << 20);
        requireRange("reserveBytes", reserveBytes, 0, 256 << 20);
        requireRange("compactAfterBytes", compactAfterBytes, 1, Long.MAX_VALUE);
        requireRange("compactAfterRatio", compactAfterRatio, 0, 1000);
        requireRange("maxJournalBytes", maxJournalBytes, 64 << 10, 64L << 30);
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("closeTimeout " + closeTimeout + " is negative");
        }
    }

    /** All defaults. */
    public static JournalOptions defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    private static void requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Not thread-safe. Every value has the default named at {@link JournalOptions}. */
    public static final class Builder {
        private Durability durability = Durability.SYNCED;
        private int maxQueuedRecords = 65_536;
        private long maxQueuedBytes = 16 << 20;
        private int maxRecordBytes = 1 << 20;
        private int maxGroupBytes = 256 << 10;
        private int reserveBytes = 1 << 20;
        private long compactAfterBytes = 4 << 20;
        private int compactAfterRatio = 2;
        private long maxJournalBytes = 1L << 30;
        private Duration closeTimeout = Duration.ofSeconds(5);
        private Instrumentation instrumentation = Instrumentation.none();

        private Builder() {}

        public Builder durability(Durability value) {
            durability = value;
            return this;
        }

        public Builder maxQueuedRecords(int value) {
            maxQueuedRecords = value;
            return this;
        }

        public Builder maxQueuedBytes(long value) {
            maxQueuedBytes = value;
            return this;
        }

        public Builder maxRecordBytes(int value) {
            maxRecordBytes = value;
            return this;
        }

        public Builder maxGroupBytes(int value) {
            maxGroupBytes = value;
            return this;
        }

        public Builder reserveBytes(int value) {
            reserveBytes = value;
            return this;
        }

        public Builder compactAfterBytes(long value) {
            compactAfterBytes = value;
            return this;
        }

        public Builder compactAfterRatio(int value) {
            compactAfterRatio = value;
            return this;
        }

        public Builder maxJournalBytes(long value) {
            maxJournalBytes = value;
            return this;
        }

        public Builder closeTimeout(Duration value) {
            closeTimeout = value;
            return this;
        }

        public Builder instrumentation(Instrumentation value) {
            instrumentation = value;
            return this;
        }

        /** @throws IllegalArgumentException if a value is out of range, naming it and the range */
        public JournalOptions build() {
            return new JournalOptions(
                    durability,
                    maxQueuedRecords,
                    maxQueuedBytes,
                    maxRecordBytes,
                    maxGroupBytes,
                    reserveBytes,
                    compactAfterBytes,
                    compactAfterRatio,
                    maxJournalBytes,
                    closeTimeout,
                    instrumentation);
        }
    }
}
