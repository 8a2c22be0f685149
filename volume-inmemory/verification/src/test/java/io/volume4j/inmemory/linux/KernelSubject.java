package io.volume4j.inmemory.linux;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginUnderTest;

/** A plugin on the machine's real kernel. */
abstract class KernelSubject implements PluginUnderTest {
    final LinuxFixture machine;

    KernelSubject(LinuxFixture machine) {
        this.machine = machine;
    }

    @Override
    public BackendFixture machine() {
        return machine;
    }
}
