package io.volume4j.inmemory.linux;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.BlockDevicesContract;
import io.volume4j.inmemory.contract.LinuxFixture;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealKernel.class)
class LinuxBlockDevicesContractTest extends BlockDevicesContract {
    @Override
    protected BackendFixture fixture() {
        return new LinuxFixture();
    }
}
