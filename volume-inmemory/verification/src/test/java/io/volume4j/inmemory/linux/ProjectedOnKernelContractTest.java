package io.volume4j.inmemory.linux;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.local.ProjectedContent;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** projected, the sum of all kinds of content, on the real kernel. */
@ExtendWith(RealKernel.class)
class ProjectedOnKernelContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new KernelSubject(new LinuxFixture()) {
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
