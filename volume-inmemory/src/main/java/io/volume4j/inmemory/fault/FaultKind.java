package io.volume4j.inmemory.fault;

/**
 * How a scripted call fails. Scenario files use the {@link #word()}.
 *
 * @since 0.1.0
 */
public enum FaultKind {
    /** No effect; fails as transient. */
    TRANSIENT("transient"),
    /** No effect; fails as uncertain. */
    UNCERTAIN_BEFORE("uncertainBefore"),
    /** Takes effect; the answer is lost and the call fails as uncertain. */
    UNCERTAIN_AFTER("uncertain"),
    /** Takes half of its effect, if it has two halves, and fails as uncertain. */
    PARTIAL("partial"),
    /** No effect; fails as final. */
    FINAL("final"),
    /** No effect; fails as final and proves that earlier calls left nothing behind. */
    FINAL_PROVING_ABSENCE("finalProvingAbsence"),
    /** No effect; fails because the volume is in use. */
    IN_USE("inUse"),
    /** No effect; fails because a limit is reached. */
    EXHAUSTED("exhausted"),
    /** No effect; fails as infeasible. */
    INFEASIBLE("infeasible"),
    /** No effect; fails because the volume is attached to another node, see {@link Fault#dangling}. */
    DANGLING("dangling"),
    /**
     * Waits before the effect until a test releases it, then succeeds. A cancelled call fails as uncertain, without
     * effect.
     */
    HANG("hang"),
    /** Takes effect, waits until a test releases it, then succeeds. A cancelled call fails as uncertain. */
    HANG_AFTER("hangAfter"),
    /** Fails as uncertain. The effect comes after the fault's delay, independently of later calls. */
    LATE_SUCCESS("lateSuccess"),
    /** No effect; throws an exception that is not a {@code VolumeException}. */
    UNCLASSIFIED_BEFORE("unclassifiedBefore"),
    /** Takes effect; throws an exception that is not a {@code VolumeException}. */
    UNCLASSIFIED_AFTER("unclassified"),
    /** Waits for the fault's delay, then succeeds. */
    DELAY("delay");

    private final String word;

    FaultKind(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /**
     * The kind with this word in scenario files.
     * @throws IllegalArgumentException if there is none; the message lists the known words
     */
    public static FaultKind ofWord(String word) {
        return Words.find("fault", word, values(), FaultKind::word);
    }
}
