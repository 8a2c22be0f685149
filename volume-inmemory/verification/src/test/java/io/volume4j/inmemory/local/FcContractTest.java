package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.FcPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;

/** fc over two adapters that multipathd joins. */
class FcContractTest extends PluginContract {
    private static final String PORT = "500a0982991b8dc5";

    @Override
    protected PluginUnderTest subject() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        ScriptedFabric fabric = new ScriptedFabric(machine, "host3", "host4");
        fabric.bus.startMultipath();
        return new MemorySubject(machine) {
            private int units;

            @Override
            public VolumePlugin newPlugin() {
                return new FcPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                fabric.unit(PORT, ++units, "3600" + name);
                return new FcSource(List.of(PORT), units, "xfs", false, List.of());
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(new FcSource(List.of(PORT), 200, "xfs", false, List.of()));
            }

            @Override
            public void verifyNothingIsLeft() {
                super.verifyNothingIsLeft();
                assertThat(fabric.bus.disks()).isEmpty();
            }
        };
    }
}
