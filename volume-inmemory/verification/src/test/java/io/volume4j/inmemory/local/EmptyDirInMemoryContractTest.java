package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;

/** emptyDir in memory. */
class EmptyDirInMemoryContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new MemorySubject(InMemoryMountBackend.create()) {
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
