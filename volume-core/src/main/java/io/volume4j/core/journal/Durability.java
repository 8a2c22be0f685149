package io.volume4j.core.journal;

/** What {@link AppendOutcome.Durable} stands for. */
public enum Durability {
    /** Synced to the device: survives a power loss. */
    SYNCED,
    /** Handed to the kernel only: survives the process, not the machine. For benchmarks. */
    WRITTEN
}
