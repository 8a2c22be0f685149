package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.BlockDevicesContract;

class InMemoryBlockDevicesContractTest extends BlockDevicesContract {
    @Override
    protected BackendFixture fixture() {
        return new InMemoryFixture();
    }
}
