package io.volume4j.examples.csilifecycle;

/** Ends a driver as SIGKILL does; something else starts it again. */
@FunctionalInterface
interface Killer {
    /**
     * Returns when the driver is dead. It may be back by then.
     *
     * @throws Failed if it may not be dead
     */
    void kill();
}
