package io.volume4j.core.journal;

/** How an append or a compaction ended. */
public sealed interface AppendOutcome {

    /** True for {@link Durable}. */
    boolean isDurable();

    /**
     * It will be replayed after a crash of the process or of the machine; with {@link Durability#WRITTEN} only after a
     * crash of the process.
     */
    record Durable(long sequence) implements AppendOutcome {
        @Override
        public boolean isDurable() {
            return true;
        }
    }

    /** Nothing is promised: a replay may or may not find the record. */
    record Failed(JournalException cause) implements AppendOutcome {
        @Override
        public boolean isDurable() {
            return false;
        }
    }
}
