package io.volume4j.inmemory.local;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/** projected, the sum of all kinds of content, on a machine in memory. */
class ProjectedContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new MemorySubject(InMemoryMountBackend.create()) {
            @Override
            public VolumePlugin newPlugin() {
                return ContentPlugin.projected(Map.of());
            }

            @Override
            public void prepare(InMemoryPluginHost.Builder host) {
                ProjectedContent.prepare(host);
            }

            @Override
            public VolumeSource existing(String name) {
                return ProjectedContent.source();
            }

            @Override
            public List<VolumeSource> missing() {
                return List.of(new OtherSource(
                        "projected", Map.of("sources", List.of(Map.of("secret", Map.of("name", "none"))))));
            }

            @Override
            public boolean keepsContent() {
                return false;
            }

            @Override
            public boolean readOnly() {
                return true;
            }
        };
    }
}
