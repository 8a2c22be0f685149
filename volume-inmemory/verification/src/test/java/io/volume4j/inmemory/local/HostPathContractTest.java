package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.HostPathPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;

/** hostPath of a directory. */
class HostPathContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new MemorySubject(InMemoryMountBackend.create()) {
            @Override
            public VolumePlugin newPlugin() {
                return new HostPathPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                return new HostPathSource("/data/" + name, "DirectoryOrCreate");
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(
                        new HostPathSource("/no/such/place", "Directory"),
                        new HostPathSource("/no/such/place", "BlockDevice"));
            }
        };
    }
}
