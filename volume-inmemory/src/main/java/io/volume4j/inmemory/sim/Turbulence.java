package io.volume4j.inmemory.sim;

/**
 * How rough a simulated world is. Chances are out of 10,000: of one port call, one worker call, or one watch event.
 *
 * @param crash that the process dies where a port call is: before its effect, half-way, or before the answer
 * @param slowCall that a worker's call begins late, by up to 5 minutes
 * @param slowAnswer that the answer comes late, by up to 5 minutes
 * @param failedCall that a plugin's call fails, before or after its effect, in one of the ways that failures have
 * @param refused that the cluster does not answer, before or after the effect
 * @param lateEffect that a call whose process has died takes effect all the same, later
 * @param watchTrouble that an event comes late, twice, or that the watch breaks
 * @param staleList that a listing shows an earlier moment
 * @param slowDisk that the journal's disk takes its time
 * @param noThread that the machine has no thread for what the library hands over, for a call or the journal, and for how long
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

    /** Everything works, at once. */
    public static Turbulence none() {
        return builder().build();
    }

    /** Everything goes wrong now and then; there are threads enough. */
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

    /** The same with that chance of a failed call. */
    public Turbulence withFailedCalls(int chance) {
        return toBuilder().failedCall(chance).build();
    }

    /** The same with that chance that there is no thread. */
    public Turbulence withScarceThreads(int chance) {
        return toBuilder().noThread(chance).build();
    }

    /** The same without crashes. */
    public Turbulence withoutCrashes() {
        return toBuilder().crash(0).build();
    }

    /** Of a world where everything works, at once. */
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
