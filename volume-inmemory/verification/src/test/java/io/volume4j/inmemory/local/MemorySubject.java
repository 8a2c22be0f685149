package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryFixture;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import java.nio.file.Path;

/** A plugin on a machine in memory, which judges what is done to it. */
abstract class MemorySubject implements PluginUnderTest {
    final InMemoryMountBackend machine;

    MemorySubject(InMemoryMountBackend machine) {
        this.machine = machine;
    }

    @Override
    public BackendFixture machine() {
        return new InMemoryFixture(machine);
    }

    @Override
    public void verifyNothingIsLeft() {
        assertThat(machine.violations()).isEmpty();
        assertThat(machine.leaks(Path.of("/"))).noneMatch(leak -> leak.startsWith("quota"));
    }
}
