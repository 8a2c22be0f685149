package io.volume4j.core.journal;

/** The meaning of {@link AppendOutcome.Durable}. */
public enum Durability {
    /** Synced to the device: survives a power loss. */
    SYNCED,
    /** Written to the kernel only: survives a crash of the process, but not of the machine. For benchmarks. */
    WRITTEN
}
