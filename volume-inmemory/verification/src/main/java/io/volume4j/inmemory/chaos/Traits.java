package io.volume4j.inmemory.chaos;

/**
 * The special properties of a seed's world, in addition to its setting.
 *
 * @param disks whether volumes are disks that a node formats
 * @param secrets whether drivers need secrets, and repeat them in every failure
 * @param twoDrivers whether one of the volumes has another driver
 * @param fewCalls whether nodes may make only one call at a time, and have abandoned one
 */
record Traits(boolean disks, boolean secrets, boolean twoDrivers, boolean fewCalls) {
    /** The driver of the third volume in worlds with two drivers. */
    static final String OTHER_DRIVER = "other";

    private static final int PLAIN = 3;
    private static final int SECRET = 6;
    private static final int TWO = 7;
    private static final int FEW = 16;

    static Traits of(long seed, Setting setting) {
        boolean given = setting.nodes > 0 && !setting.binds();
        return new Traits(
                setting.machines && Math.floorMod(seed, PLAIN) != 0,
                given && Math.floorMod(seed, SECRET) == 5,
                given && Math.floorMod(seed, TWO) == 3,
                setting.nodes > 0 && Math.floorMod(seed, FEW) == 0);
    }

    /** The driver of a claim's volume. */
    String driver(String claim) {
        return twoDrivers && claim.equals("c2") ? OTHER_DRIVER : "mem";
    }
}
