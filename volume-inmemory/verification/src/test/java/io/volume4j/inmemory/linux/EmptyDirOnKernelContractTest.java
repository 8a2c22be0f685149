package io.volume4j.inmemory.linux;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import org.junit.jupiter.api.extension.ExtendWith;

/** emptyDir on the real disk. */
@ExtendWith(RealKernel.class)
class EmptyDirOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new KernelSubject(new LinuxFixture()) {
            @Override
            public VolumePlugin newPlugin() {
                return new EmptyDirPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                return new EmptyDirSource("", null);
            }

            @Override
            public boolean keepsContent() {
                return false;
            }

            @Override
            public boolean targetIsTheVolume() {
                return true;
            }
        };
    }
}
