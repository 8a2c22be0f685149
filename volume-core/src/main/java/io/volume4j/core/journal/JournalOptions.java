package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;

/**
 * The limits of a journal. Immutable. A setter rejects a value that is out of range.
 * @param durability the meaning of an acknowledgement; default {@link Durability#SYNCED}
 * @param maxQueuedRecords appends that may wait for the disk; default 65,536
 * @param maxQueuedBytes payload bytes that may wait for the disk; default 16 MiB
 * @param maxRecordBytes largest payload; default 1 MiB, at most 16 MiB
 * @param maxGroupBytes the size at which the journal writes and syncs a group; a larger record forms its own group;
 *     default 256 KiB
 * @param reserveBytes space that the journal allocates in advance and keeps for teardown when the disk is full. The
 *     file also grows in steps of this size; default 1 MiB
 * @param compactAfterBytes the journal requests a snapshot when the log after the last snapshot exceeds this number
 *     of bytes and {@code compactAfterRatio}; default 4 MiB
 * @param compactAfterRatio the size of that log as a multiple of the last snapshot's size; default 2
 * @param maxJournalBytes the maximum size of the file without the reserve. Above it the journal refuses normal
 *     appends. During a compaction there is a second file with the same maximum; default 1 GiB
 * @param closeTimeout how long {@link Journal#close} waits for the disk; default 5 s
 * @param instrumentation observes syncs on the writer's thread; default none
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

    /** A builder. Not thread-safe. {@link JournalOptions} lists the defaults. */
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

        /**
         * @throws IllegalArgumentException if a value is out of range; the message contains the value and the range
         */
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
