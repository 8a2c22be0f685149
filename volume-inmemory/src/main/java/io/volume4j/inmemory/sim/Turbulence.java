package io.volume4j.inmemory.sim;

/**
 * The probabilities of failures in a simulated world. Chances are out of 10,000, for each port call, worker call or
 * watch event.
 * @param crash chance that the process dies at a port call: before its effect, half-way, or before the answer
 * @param slowCall chance that a worker's call begins late, by up to 5 minutes
 * @param slowAnswer chance that the answer comes late, by up to 5 minutes
 * @param failedCall chance that a plugin's call fails, before or after its effect, with one of the failure kinds
 * @param refused chance that the cluster does not answer, before or after the effect
 * @param lateEffect chance that a call of a dead process takes effect later
 * @param watchTrouble chance that an event comes late or twice, or that the watch breaks
 * @param staleList chance that a listing shows an earlier state
 * @param slowDisk chance that the journal's disk is slow
 * @param noThread chance that the machine has no thread for a call or the journal, for a while
 * @since 0.1.0
 */
public record Turbulence(
        int crash,
        int slowCall,
        int slowAnswer,
        int failedCall,
        int refused,
        int lateEffect,
        int watchTrouble,
        int staleList,
        int slowDisk,
        int noThread) {
    private static final int CERTAIN = 10_000;

    public Turbulence {
        for (int chance : new int[] {
            crash, slowCall, slowAnswer, failedCall, refused, lateEffect, watchTrouble, staleList, slowDisk, noThread
        }) {
            if (chance < 0 || chance > CERTAIN) {
                throw new IllegalArgumentException("a chance is between 0 and 10,000, not " + chance);
            }
        }
    }

    /** A world in which everything works at once. */
    public static Turbulence none() {
        return builder().build();
    }

    /** A world in which every kind of failure happens, except a lack of threads. */
    public static Turbulence rough() {
        return builder()
                .crash(60)
                .slowCall(400)
                .slowAnswer(400)
                .failedCall(600)
                .refused(250)
                .lateEffect(4_000)
                .watchTrouble(500)
                .staleList(300)
                .slowDisk(300)
                .build();
    }

    /** The same with this chance of a failed call. */
    public Turbulence withFailedCalls(int chance) {
        return toBuilder().failedCall(chance).build();
    }

    /** The same with this chance of a lack of threads. */
    public Turbulence withScarceThreads(int chance) {
        return toBuilder().noThread(chance).build();
    }

    /** The same without crashes. */
    public Turbulence withoutCrashes() {
        return toBuilder().crash(0).build();
    }

    /** A builder for a world in which everything works at once. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.crash = crash;
        builder.slowCall = slowCall;
        builder.slowAnswer = slowAnswer;
        builder.failedCall = failedCall;
        builder.refused = refused;
        builder.lateEffect = lateEffect;
        builder.watchTrouble = watchTrouble;
        builder.staleList = staleList;
        builder.slowDisk = slowDisk;
        builder.noThread = noThread;
        return builder;
    }

    /** Builds a {@link Turbulence}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private int crash;
        private int slowCall;
        private int slowAnswer;
        private int failedCall;
        private int refused;
        private int lateEffect;
        private int watchTrouble;
        private int staleList;
        private int slowDisk;
        private int noThread;

        private Builder() {}

        public Builder crash(int value) {
            crash = value;
            return this;
        }

        public Builder slowCall(int value) {
            slowCall = value;
            return this;
        }

        public Builder slowAnswer(int value) {
            slowAnswer = value;
            return this;
        }

        public Builder failedCall(int value) {
            failedCall = value;
            return this;
        }

        public Builder refused(int value) {
            refused = value;
            return this;
        }

        public Builder lateEffect(int value) {
            lateEffect = value;
            return this;
        }

        public Builder watchTrouble(int value) {
            watchTrouble = value;
            return this;
        }

        public Builder staleList(int value) {
            staleList = value;
            return this;
        }

        public Builder slowDisk(int value) {
            slowDisk = value;
            return this;
        }

        public Builder noThread(int value) {
            noThread = value;
            return this;
        }

        public Turbulence build() {
            return new Turbulence(
                    crash,
                    slowCall,
                    slowAnswer,
                    failedCall,
                    refused,
                    lateEffect,
                    watchTrouble,
                    staleList,
                    slowDisk,
                    noThread);
        }
    }
}
