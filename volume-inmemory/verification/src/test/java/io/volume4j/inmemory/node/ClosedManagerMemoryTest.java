package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host may build one manager after another over the same plugins, for instance after each fence. */
@Timeout(120)
class ClosedManagerMemoryTest {
    @TempDir
    Path root;

    @Test
    void pluginsKeepNoManagerThatWasClosedInMemory() {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(InMemoryMountBackend.create())
                        .build())
                .plugins(VolumePlugins.defaultPlugins())
                .build();

        WeakReference<InMemoryCluster> ofTheClosed = lifeOf(plugins);

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            System.gc();
            return ofTheClosed.get() == null;
        });
        assertThat(plugins.plugins()).isNotEmpty();
    }

    /** The cluster of a manager that was started and closed. */
    private static WeakReference<InMemoryCluster> lifeOf(PluginRegistry plugins) {
        InMemoryCluster cluster = InMemoryCluster.create();
        try (VolumeManager manager = VolumeManager.builder()
                .cluster(cluster)
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .journalInMemory()
                .closeTimeout(Duration.ofMinutes(1))
                .build()) {
            manager.start();
        }
        return new WeakReference<>(cluster);
    }
}
