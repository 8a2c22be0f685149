package io.volume4j.inmemory.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryFixture;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.plugin.VolumePlugin;

/** The loop plugin on a machine in memory, which judges its formats and unmounts. */
class LoopPluginContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new Subject(InMemoryMountBackend.create());
    }

    private record Subject(InMemoryMountBackend backend) implements PluginUnderTest {
        @Override
        public VolumePlugin newPlugin() {
            return new LoopPlugin();
        }

        @Override
        public BackendFixture machine() {
            return new InMemoryFixture(backend);
        }

        @Override
        public void verifyNothingIsLeft() {
            assertThat(backend.violations()).isEmpty();
        }
    }
}
