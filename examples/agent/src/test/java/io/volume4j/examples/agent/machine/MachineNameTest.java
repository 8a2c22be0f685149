package io.volume4j.examples.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineNameTest {
    private static final Path ROOT = Path.of("/var/lib/volume4j");

    @Test
    void aMachineIsNamedByItsIdOrElseByItsHostNameAndARootByItsPath(@TempDir Path machine) throws IOException {
        Files.createDirectories(machine.resolve("proc/sys/kernel"));
        Files.createDirectories(machine.resolve("etc"));
        Files.writeString(machine.resolve("proc/sys/kernel/hostname"), "box\n");
        assertThat(MachineName.of(machine, ROOT)).isEqualTo("box:/var/lib/volume4j");

        Files.writeString(machine.resolve("etc/machine-id"), "");
        assertThat(MachineName.of(machine, ROOT)).isEqualTo("box:/var/lib/volume4j");

        Files.writeString(machine.resolve("etc/machine-id"), "0123\n");
        assertThat(MachineName.of(machine, ROOT)).isEqualTo("0123:/var/lib/volume4j");
    }
}
