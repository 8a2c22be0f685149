package io.volume4j.inmemory.guide;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryFixture;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.List;
import java.util.Map;

/** The plugin of docs/plugins.md does what a plugin must. */
class DirectoryPluginContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new Subject(new InMemoryFixture());
    }

    private record Subject(BackendFixture machine) implements PluginUnderTest {
        @Override
        public VolumePlugin newPlugin() {
            return new DirectoryPlugin();
        }

        @Override
        public List<VolumeSource> missing() {
            return List.of(CsiSource.of("directory.example.com", "never-made", "", Map.of()));
        }
    }
}
