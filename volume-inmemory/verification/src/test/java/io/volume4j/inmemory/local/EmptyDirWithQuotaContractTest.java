package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;

/** emptyDir on a disk with project quotas: whenever the process dies, no quota is left without its directory. */
class EmptyDirWithQuotaContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new MemorySubject(InMemoryMountBackend.builder().projectQuotas().build()) {
            @Override
            public VolumePlugin newPlugin() {
                return new EmptyDirPlugin();
            }

            @Override
            public VolumeSource existing(String name) {
                return new EmptyDirSource("", Quantity.parse("1Mi"));
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
