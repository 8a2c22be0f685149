package io.volume4j.examples.commandline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person is there. */
public final class Terminal {
    private Terminal() {}

    /** Whether the input of this process comes from a terminal; newer JDKs have a console without one, too. */
    public static boolean isInput() {
        try {
            String input = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
            return input.startsWith("/dev/pts/") || input.startsWith("/dev/tty") || input.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }
}
