package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An instrumentation that throws does not affect the others of the same builder. */
@Timeout(120)
class BrokenInstrumentationTest {
    private static final Path ROOT = Path.of("/volumes");

    private static final Instrumentation BROKEN = new Instrumentation() {
        @Override
        public Step step(StepStart start) {
            throw new IllegalStateException("broken");
        }
    };

    /** The kind of the first step that ended. */
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    private final Instrumentation hears = new Instrumentation() {
        @Override
        public Step step(StepStart start) {
            return new Step() {
                @Override
                public void ended(@Nullable VolumeException failure) {
                    ended.complete(start.kind());
                }
            };
        }
    };

    private final PluginRegistry plugins;

    BrokenInstrumentationTest() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(ROOT);
        plugins = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(new EmptyDirPlugin(), InMemoryPlugin.on(InMemoryStorage.create())))
                .build();
    }

    @Test
    void inAManager() throws Exception {
        try (VolumeManager manager = VolumeManager.builder()
                .plugins(plugins)
                .journalInMemory()
                .instrumentation(hears)
                .instrumentation(BROKEN)
                .build()) {
            manager.start();
            manager.desiredState()
                    .put("job", PodVolumes.builder().memory("scratch", 1 << 20).build());
            manager.desiredState().complete();

            assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo("MOUNT");
        }
    }

    @Test
    void inAController() throws Exception {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("cluster", """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: fast}
                provisioner: mem
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: fast
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """).forEach(cluster::apply);
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .instrumentation(hears)
                .instrumentation(BROKEN)
                .build()) {
            controller.start();

            assertThat(ended.get(60, TimeUnit.SECONDS)).isNotEmpty();
        }
    }
}
