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
        return new Turbulence(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Everything goes wrong now and then; there are threads enough. */
    public static Turbulence rough() {
        return new Turbulence(60, 400, 400, 600, 250, 4_000, 500, 300, 300, 0);
    }

    /** The same with that chance of a failed call. */
    public Turbulence withFailedCalls(int chance) {
        return new Turbulence(
                crash, slowCall, slowAnswer, chance, refused, lateEffect, watchTrouble, staleList, slowDisk, noThread);
    }

    /** The same with that chance that there is no thread. */
    public Turbulence withScarceThreads(int chance) {
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
                chance);
    }

    /** The same without crashes. */
    public Turbulence withoutCrashes() {
        return new Turbulence(
                0, slowCall, slowAnswer, failedCall, refused, lateEffect, watchTrouble, staleList, slowDisk, noThread);
    }
}
