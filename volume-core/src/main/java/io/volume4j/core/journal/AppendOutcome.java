package io.volume4j.core.journal;

/** The outcome of an append or a compaction. */
public sealed interface AppendOutcome {

    /** True for {@link Durable}. */
    boolean isDurable();

    /**
     * The record is durable: the next start replays it after a crash of the process or of the machine. With
     * {@link Durability#WRITTEN} only after a crash of the process.
     */
    record Durable(long sequence) implements AppendOutcome {
        @Override
        public boolean isDurable() {
            return true;
        }
    }

    /** The append failed: a replay may or may not find the record. */
    record Failed(JournalException cause) implements AppendOutcome {
        @Override
        public boolean isDurable() {
            return false;
        }
    }
}
