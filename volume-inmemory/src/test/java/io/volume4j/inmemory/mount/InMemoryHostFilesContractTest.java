package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.HostFilesContract;

class InMemoryHostFilesContractTest extends HostFilesContract {
    @Override
    protected BackendFixture fixture() {
        return new InMemoryFixture();
    }
}
