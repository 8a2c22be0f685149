package io.volume4j.inmemory.linux;

import io.volume4j.core.plugins.LocalPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** local of a directory of the real machine. */
@ExtendWith(RealKernel.class)
class LocalDirectoryOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new KernelSubject(new LinuxFixture()) {
            @Override
            public VolumePlugin newPlugin() {
                return new LocalPlugin();
            }

            @Override
            public boolean canBeRaw() {
                return false;
            }

            @Override
            public VolumeSource existing(String name) {
                return new LocalSource(machine.elsewhere(name).toString(), "");
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(new LocalSource("/no/such/place", ""), new LocalSource("/proc/self/status", ""));
            }
        };
    }
}
