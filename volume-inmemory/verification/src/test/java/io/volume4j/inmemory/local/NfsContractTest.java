package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.NfsPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/** nfs with volumes made on an export. */
class NfsContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new MemorySubject(exporting()) {
            @Override
            public VolumePlugin newPlugin() {
                return new NfsPlugin();
            }

            @Override
            public Map<String, String> parameters() {
                return Map.of("server", "127.0.0.1", "share", "/export");
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(new NfsSource("127.0.0.1", "/not-exported", false));
            }
        };
    }

    private static InMemoryMountBackend exporting() {
        InMemoryMountBackend machine = InMemoryMountBackend.builder()
                .filesystems("ext4", "nfs", "tmpfs")
                .build();
        machine.export("nfs", "127.0.0.1:/export");
        return machine;
    }
}
