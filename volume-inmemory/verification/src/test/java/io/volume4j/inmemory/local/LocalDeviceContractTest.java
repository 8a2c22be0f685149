package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.LocalPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.file.Path;
import java.util.List;

/** local of a block device. */
class LocalDeviceContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new MemorySubject(InMemoryMountBackend.create()) {
            @Override
            public VolumePlugin newPlugin() {
                return new LocalPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                machine.addDisk(Path.of("/dev", name), "serial of " + name, bytes());
                return new LocalSource("/dev/" + name, "xfs");
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(new LocalSource("/dev/no-such-disk", "xfs"));
            }
        };
    }
}
