package io.volume4j.inmemory.linux;

import io.volume4j.core.plugins.HostPathPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** hostPath of a directory of the real machine. */
@ExtendWith(RealKernel.class)
class HostPathOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new KernelSubject(new LinuxFixture()) {
            @Override
            public VolumePlugin newPlugin() {
                return new HostPathPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                return new HostPathSource(
                        machine.elsewhere("data").resolve(name).toString(), "DirectoryOrCreate");
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(
                        new HostPathSource("/no/such/place", ""), new HostPathSource("/no/such/place", "Directory"),
                        new HostPathSource("/proc/self/status", "Directory"),
                                new HostPathSource("/dev/null", "Socket"));
            }
        };
    }
}
