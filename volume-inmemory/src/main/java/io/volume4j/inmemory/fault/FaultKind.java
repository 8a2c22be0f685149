package io.volume4j.inmemory.fault;

/**
 * How a scripted call goes wrong. Scenario files write the {@link #word()}.
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
    /** Takes half of its effect, where it has halves, and fails as uncertain. */
    PARTIAL("partial"),
    /** No effect; fails as final. */
    FINAL("final"),
    /** No effect; fails as final and proves that nothing of an earlier call is left. */
    FINAL_PROVING_ABSENCE("finalProvingAbsence"),
    /** No effect; fails because the volume is in use. */
    IN_USE("inUse"),
    /** No effect; fails for want of room. */
    EXHAUSTED("exhausted"),
    /** No effect; can never be done. */
    INFEASIBLE("infeasible"),
    /** No effect; the backend says that another node holds it: see {@link Fault#dangling}. */
    DANGLING("dangling"),
    /** Waits before the effect until it is released; then succeeds. A cancelled call ends as uncertain, without effect. */
    HANG("hang"),
    /** Takes effect, then waits until it is released; then succeeds. A cancelled call ends as uncertain. */
    HANG_AFTER("hangAfter"),
    /** Fails as uncertain; the effect comes after the fault's delay, whatever has happened by then. */
    LATE_SUCCESS("lateSuccess"),
    /** No effect; throws an exception that says nothing. */
    UNCLASSIFIED_BEFORE("unclassifiedBefore"),
    /** Takes effect; throws an exception that says nothing. */
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
     * The kind that a scenario file means.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public static FaultKind ofWord(String word) {
        return Words.find("fault", word, values(), FaultKind::word);
    }
}
