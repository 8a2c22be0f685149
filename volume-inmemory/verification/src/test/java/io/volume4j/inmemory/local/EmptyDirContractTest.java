package io.volume4j.inmemory.local;

import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.EmptyDirSource;

/** emptyDir on the node's disk. */
class EmptyDirContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new EmptyDirSubject(InMemoryMountBackend.create(), new EmptyDirSource("", null));
    }
}
