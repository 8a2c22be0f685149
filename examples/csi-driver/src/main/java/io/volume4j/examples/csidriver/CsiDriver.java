package io.volume4j.examples.csidriver;

import io.volume4j.csi.driver.CsiDriverCommand;

/** The test driver as a program. Everything is in the artifact {@code volume-csi-driver}; this makes a runnable jar of it. */
public final class CsiDriver {
    private CsiDriver() {}

    public static void main(String[] arguments) {
        CsiDriverCommand.main(arguments);
    }
}
