package io.volume4j.examples.csilifecycle;

/** Kills a driver as SIGKILL does; another program must restart it. */
@FunctionalInterface
interface Killer {
    /**
     * Returns when the driver is dead, or already restarted.
     *
     * @throws Failed if it may not be dead
     */
    void kill();
}
