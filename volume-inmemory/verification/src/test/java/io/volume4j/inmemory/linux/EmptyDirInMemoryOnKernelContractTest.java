package io.volume4j.inmemory.linux;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import org.junit.jupiter.api.extension.ExtendWith;

/** emptyDir in a real tmpfs. */
@ExtendWith(RealKernel.class)
class EmptyDirInMemoryOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new KernelSubject(new LinuxFixture()) {
            @Override
            public VolumePlugin newPlugin() {
                return new EmptyDirPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                return new EmptyDirSource("Memory", Quantity.parse("1Mi"));
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
