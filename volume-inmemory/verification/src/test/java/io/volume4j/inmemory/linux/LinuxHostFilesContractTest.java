package io.volume4j.inmemory.linux;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.HostFilesContract;
import io.volume4j.inmemory.contract.LinuxFixture;

class LinuxHostFilesContractTest extends HostFilesContract {
    @Override
    protected BackendFixture fixture() {
        return new LinuxFixture();
    }
}
