package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.FlexVolumes;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example driver for flexvolumes, with real loop devices, filesystems and mounts. */
@ExtendWith(RealKernel.class)
class FlexVolumeOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        LinuxFixture fixture = new LinuxFixture();
        Path program = LvmDriver.install(fixture);
        return new KernelSubject(fixture) {
            @Override
            public VolumePlugin newPlugin() {
                return FlexVolumes.plugin(LvmDriver.NAME, program, FlexVolumes.Options.defaults());
            }

            @Override
            public VolumeSource existing(String name) {
                return volume(Map.of("volumegroup", "vg-0", "volumeID", name, "size", "16M"));
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(
                        volume(Map.of("volumegroup", "vg-0", "volumeID", "no-size")),
                        volume(Map.of("volumegroup", "../up", "volumeID", "v", "size", "16M")),
                        volume(Map.of("volumeID", "v", "size", "16M")));
            }

            /** A refused attach leaves the driver's word that something may have happened. */
            @Override
            public boolean failuresAreCertain() {
                return false;
            }

            /** The driver is asked by options, and these are forgotten with the detach. */
            @Override
            public boolean seesAbsence() {
                return false;
            }

            @Override
            public int crashStride() {
                return 4;
            }

            @Override
            public void verifyNothingIsLeft() {
                assertThat(fixture.backend().loops().below(LvmDriver.pool(fixture)))
                        .isEmpty();
            }
        };
    }

    private static VolumeSource volume(Map<String, String> options) {
        return new FlexVolumeSource(LvmDriver.NAME, "ext4", false, options, null);
    }
}
