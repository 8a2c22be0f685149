package io.volume4j.examples.agent.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An identity for each machine of a cluster and each root on it: from machine-id(5), or from the host's name without that file. */
public final class MachineName {
    private MachineName() {}

    /** The identity of this machine and this root. */
    public static String of(Path root) {
        return of(Path.of("/"), root);
    }

    /** @param machine the root directory of the machine, {@code /} except in tests */
    static String of(Path machine, Path root) {
        try {
            Path id = machine.resolve("etc/machine-id");
            String name = Files.isRegularFile(id) ? Files.readString(id).strip() : "";
            if (name.isEmpty()) {
                name = Files.readString(machine.resolve("proc/sys/kernel/hostname"))
                        .strip();
            }
            return name + ":" + root;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("this machine has no name that can be read", unreadable);
        }
    }
}
