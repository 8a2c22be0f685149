package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What would grow in a host that runs for months: managers after each fence, and waits for a pod. */
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

    /** A host may limit each wait by {@code orTimeout}, and wait again for as long as a pod has no volumes. */
    @Test
    void aManagerKeepsNoFutureThatItsCallerHasCompleted() {
        try (VolumeManager manager = VolumeManager.builder()
                .cluster(InMemoryCluster.create())
                .plugins(PluginRegistry.builder(DefaultPluginHost.builder(root)
                                .nodeName("n1")
                                .mounts(InMemoryMountBackend.create())
                                .build())
                        .plugins(VolumePlugins.defaultPlugins())
                        .build())
                .journalInMemory()
                .build()) {
            manager.start();

            WeakReference<?> waited = new WeakReference<>(late(manager.whenMounted("pod")));

            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
                System.gc();
                return waited.get() == null;
            });
        }
    }

    private static CompletableFuture<?> late(CompletableFuture<?> waiting) {
        assertThatThrownBy(() -> waiting.orTimeout(1, TimeUnit.MILLISECONDS).join())
                .hasCauseInstanceOf(TimeoutException.class);
        return waiting;
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
