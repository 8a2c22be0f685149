package io.volume4j.inmemory.linux;

import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** The loop plugin on real loop devices and real filesystems. */
@ExtendWith(RealKernel.class)
class LoopOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new KernelSubject(new LinuxFixture()) {
            @Override
            public VolumePlugin newPlugin() {
                return new LoopPlugin();
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(CsiSource.of(LoopPlugin.NAME, "pvc-missing", "ext4", Map.of()));
            }
        };
    }
}
