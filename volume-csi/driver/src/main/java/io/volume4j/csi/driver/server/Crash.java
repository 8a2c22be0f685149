package io.volume4j.csi.driver.server;

/** How this driver dies when a fault says so. */
@FunctionalInterface
public interface Crash {
    /** Ends the driver as SIGKILL does. If it runs in a process of its own, this does not return. */
    void crash(boolean losingState);
}
