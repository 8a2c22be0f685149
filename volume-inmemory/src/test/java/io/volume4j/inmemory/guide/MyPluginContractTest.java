package io.volume4j.inmemory.guide;

import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryFixture;
import io.volume4j.spi.plugin.VolumePlugin;

/** The few lines that docs/testing.md shows, for a plugin of one's own. */
class MyPluginContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new Subject(new InMemoryFixture());
    }

    private record Subject(BackendFixture machine) implements PluginUnderTest {
        @Override
        public VolumePlugin newPlugin() {
            return new LoopPlugin();
        }
    }
}
