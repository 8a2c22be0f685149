package io.volume4j.csi.driver.server;

/** The way in which the driver dies when a fault rule requires it. */
@FunctionalInterface
public interface Crash {
    /** Ends the driver as SIGKILL does. In a separate process this does not return. */
    void crash(boolean losingState);
}
