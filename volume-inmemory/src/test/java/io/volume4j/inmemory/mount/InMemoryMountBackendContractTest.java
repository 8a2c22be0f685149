package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.MountBackendContract;

class InMemoryMountBackendContractTest extends MountBackendContract {
    @Override
    protected BackendFixture fixture() {
        return new InMemoryFixture();
    }
}
