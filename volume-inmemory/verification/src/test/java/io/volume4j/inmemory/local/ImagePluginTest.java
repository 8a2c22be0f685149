package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.ImagePlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.OtherSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A volume that is the runtime's business. */
class ImagePluginTest {
    @Test
    void nothingIsMountedOrLeftOnDiskForAnImage() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        int mounts = machine.table().size();
        PluginLife life = new PluginLife(
                machine,
                new ImagePlugin(),
                new OtherSource("image", Map.of("reference", "registry.example/files:1")),
                false);

        life.up().forEach(Runnable::run);
        assertThat(machine.table().size()).isEqualTo(mounts);
        assertThat(machine.files().status(PluginLife.POD)).isEmpty();
        life.down().forEach(Runnable::run);

        assertThat(life.leftovers()).isEmpty();
        assertThat(life.mountPointsLeft()).isFalse();
    }
}
