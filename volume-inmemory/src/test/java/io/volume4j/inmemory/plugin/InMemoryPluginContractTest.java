package io.volume4j.inmemory.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.inmemory.mount.InMemoryFixture;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.plugin.VolumePlugin;

class InMemoryPluginContractTest extends PluginContract {
    @Override
    protected PluginUnderTest subject() {
        return new Subject(InMemoryStorage.create(), InMemoryMountBackend.create());
    }

    private record Subject(InMemoryStorage storage, InMemoryMountBackend backend) implements PluginUnderTest {
        @Override
        public VolumePlugin newPlugin() {
            return InMemoryPlugin.on(storage);
        }

        @Override
        public BackendFixture machine() {
            return new InMemoryFixture(backend);
        }

        /** Its device mount is a tmpfs. */
        @Override
        public boolean keepsContent() {
            return false;
        }

        @Override
        public void verifyNothingIsLeft() {
            assertThat(storage.violations()).isEmpty();
            assertThat(backend.violations()).isEmpty();
            assertThat(storage.volumes()).isEmpty();
        }
    }
}
