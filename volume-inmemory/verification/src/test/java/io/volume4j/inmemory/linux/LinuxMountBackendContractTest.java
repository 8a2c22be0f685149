package io.volume4j.inmemory.linux;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.MountBackendContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealKernel.class)
class LinuxMountBackendContractTest extends MountBackendContract {
    @Override
    protected BackendFixture fixture() {
        return new LinuxFixture();
    }
}
