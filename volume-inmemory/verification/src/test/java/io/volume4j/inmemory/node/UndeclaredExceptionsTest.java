package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host or a plugin in Kotlin, Scala or Groovy throws checked exceptions that no method declares. They are failures like
 * all others: none stops the node, and none keeps a volume waiting for a call that has ended.
 */
@Timeout(120)
class UndeclaredExceptionsTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String PLUGIN = "kotlin.example.com";
    private static final PodVolumes SCRATCH =
            PodVolumes.builder().emptyDir("scratch").build();
    private static final PodVolumes FOREIGN =
            PodVolumes.builder().csi("v", PLUGIN, "vol-1").build();

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();

    @TempDir
    Path root;

    /** Throws the exception although no method declares it, as other languages do. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException undeclared(Throwable failure) throws T {
        throw (T) failure;
    }

    private static RuntimeException diskFull() {
        return UndeclaredExceptionsTest.<RuntimeException>undeclared(new IOException("disk full"));
    }

    private VolumeManagerBuilder builder(VolumePlugin... plugins) {
        machine.files().createRoot(root);
        return VolumeManager.builder()
                .journalInMemory()
                .plugins(PluginRegistry.builder(DefaultPluginHost.builder(root)
                                .nodeName("n1")
                                .mounts(machine)
                                .build())
                        .plugins(List.of(plugins))
                        .defaults(VolumePlugins.defaultPlugins())
                        .build());
    }

    private static class Foreign implements VolumePlugin {
        @Override
        public String name() {
            return PLUGIN;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(PLUGIN);
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return ((CsiSource) spec.source()).volumeHandle();
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((request, context) -> Mounter.MountResult.mounted());
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((request, context) -> {});
        }
    }

    @Test
    void aCallOfAPluginEndsWithIt() {
        AtomicInteger calls = new AtomicInteger();
        VolumePlugin plugin = new Foreign() {
            @Override
            public Optional<Mounter> mounter(VolumeSpec spec) {
                return Optional.of((request, context) -> {
                    if (calls.incrementAndGet() == 1) {
                        throw diskFull();
                    }
                    return Mounter.MountResult.mounted();
                });
            }
        };
        try (VolumeManager volumes = builder(plugin).build()) {
            volumes.start();
            volumes.desiredState().put("job", FOREIGN);

            assertThat(volumes.awaitMounted("job", SOON).volumes()).containsKey("v");
        }
    }

    @Test
    void aSourceIsListedAgain() {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("pod.yaml", """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: web, uid: u1}
                        spec:
                          nodeName: n1
                          containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
                          volumes: [{name: v, emptyDir: {}}]
                        """).forEach(cluster::apply);
        try (VolumeManager volumes = builder()
                .cluster(new FailsFirst(cluster))
                .attachMode(AttachMode.SELF)
                .build()) {
            volumes.start();

            assertThat(volumes.awaitMounted("u1", SOON).volumes()).containsKey("v");
        }
    }

    /** The first listing of each kind fails. */
    private static final class FailsFirst implements ClusterSource {
        private final ClusterSource cluster;
        private final Set<Kind> failed = EnumSet.noneOf(Kind.class);

        FailsFirst(ClusterSource cluster) {
            this.cluster = cluster;
        }

        @Override
        public Listing list(Kind kind, Selection selection) {
            synchronized (failed) {
                if (failed.add(kind)) {
                    throw diskFull();
                }
            }
            return cluster.list(kind, selection);
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            return cluster.watch(kind, selection, revision, listener);
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return cluster.readLive(key);
        }
    }

    @Test
    void aListenerDoesNotStopTheNode() {
        try (VolumeManager volumes = builder()
                .listener(transition -> {
                    throw diskFull();
                })
                .build()) {
            mountsAndUnmounts(volumes);
        }
    }

    @Test
    void aSinkOfMeasurementsDoesNotStopTheNode() {
        MetricsSink sink = new MetricsSink() {
            @Override
            public void count(String name, Map<String, String> labels, long amount) {
                throw diskFull();
            }

            @Override
            public void time(String name, Map<String, String> labels, Duration duration) {
                throw diskFull();
            }

            @Override
            public void gauge(String name, Map<String, String> labels, long value) {
                throw diskFull();
            }
        };
        try (VolumeManager volumes = builder().metrics(sink).build()) {
            mountsAndUnmounts(volumes);
        }
    }

    @Test
    void anExecutorThatRefusesWithItIsAskedAgain() {
        AtomicInteger calls = new AtomicInteger();
        Executor threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "worker");
            thread.setDaemon(true);
            return thread;
        });
        Executor refuses = task -> {
            if (calls.incrementAndGet() <= 3) {
                throw diskFull();
            }
            threads.execute(task);
        };
        try (VolumeManager volumes = builder().workers(refuses).build()) {
            mountsAndUnmounts(volumes);
        }
    }

    private static void mountsAndUnmounts(VolumeManager volumes) {
        volumes.start();
        volumes.desiredState().put("job", SCRATCH);
        volumes.desiredState().complete();
        assertThat(volumes.awaitMounted("job", SOON).volumes()).containsKey("scratch");
        volumes.desiredState().remove("job");
        volumes.awaitUnmounted("job", SOON);
    }

    @Test
    void aPluginThatTellsNoChangesDoesNotKeepTheNodeFromStarting() {
        VolumePlugin plugin = new Foreign() {
            @Override
            public void onContentChange(Consumer<VolumeId> remount) {
                throw new IllegalStateException("no connection");
            }
        };
        try (VolumeManager volumes = builder(plugin).build()) {
            mountsAndUnmounts(volumes);
        }
    }

    @Test
    void aPluginThatCannotTellWhatItSupportsKeepsNoVolumeOfAnotherWaiting() {
        VolumePlugin plugin = new Foreign() {
            @Override
            public boolean supports(VolumeSpec spec) {
                throw new AssertionError("not ready");
            }
        };
        try (VolumeManager volumes = builder(plugin).build()) {
            mountsAndUnmounts(volumes);
        }
    }

    @Test
    void anExplanationThatAPluginBreaksBlamesNoListener() {
        VolumePlugin plugin = new Foreign() {
            @Override
            public Optional<Attacher> attacher(VolumeSpec spec) {
                throw new IllegalStateException("no connection");
            }
        };
        try (VolumeManager volumes = builder(plugin).build()) {
            volumes.start();
            volumes.desiredState().put("job", FOREIGN);

            assertThatThrownBy(() -> volumes.awaitMounted("job", Duration.ofMillis(300)))
                    .hasMessageContaining("no connection")
                    .message()
                    .doesNotContain("listener");
        }
    }
}
