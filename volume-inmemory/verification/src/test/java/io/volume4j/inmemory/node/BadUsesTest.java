package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What a host does wrong is answered at once, with what is wrong and what to do. */
class BadUsesTest {
    private static final PodVolumes NONE = PodVolumes.builder().build();

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();

    @TempDir
    Path root;

    private VolumeManagerBuilder builder(String nodeName) {
        machine.files().createRoot(root);
        return VolumeManager.builder()
                .journalInMemory()
                .plugins(PluginRegistry.builder(DefaultPluginHost.builder(root)
                                .nodeName(nodeName)
                                .mounts(machine)
                                .build())
                        .build());
    }

    private record BadUse(String name, ThrowingCallable use, Class<? extends Exception> failure, List<String> says) {
        BadUse(String name, ThrowingCallable use, Class<? extends Exception> failure, String... says) {
            this(name, use, failure, List.of(says));
        }
    }

    @Test
    void atLeastThirtyFiveBadUsesAreTried() {
        assertThat(badUses())
                .hasSizeGreaterThanOrEqualTo(35)
                .allSatisfy(bad -> assertThat(bad.says()).as(bad.name()).isNotEmpty());
    }

    @TestFactory
    Stream<DynamicTest> answeredAtOnce() {
        return badUses().stream()
                .map(bad -> DynamicTest.dynamicTest(
                        bad.name,
                        () -> assertThatThrownBy(bad.use)
                                .isInstanceOf(bad.failure)
                                .message()
                                .contains(bad.says())));
    }

    private List<BadUse> badUses() {
        Class<? extends Exception> argument = IllegalArgumentException.class;
        Class<? extends Exception> state = IllegalStateException.class;
        Duration second = Duration.ofSeconds(1);
        return List.of(
                new BadUse("a manager of nothing", () -> VolumeManager.builder().build(), state, "plugins(…)"),
                new BadUse("no node's name", () -> builder("").build(), state, "nodeName(…)"),
                new BadUse(
                        "a writer without a cluster",
                        () -> builder("n1")
                                .clusterWriter(InMemoryCluster.create())
                                .build(),
                        state,
                        "clusterWriter(…)",
                        "give cluster(…)"),
                new BadUse(
                        "a controller without a cluster",
                        () -> builder("n1").attachMode(AttachMode.CONTROLLER).build(),
                        state,
                        "attachMode(SELF)"),
                new BadUse("the root /", () -> DefaultPluginHost.builder(Path.of("/")), argument, "not /"),
                new BadUse(
                        "a relative root",
                        () -> DefaultPluginHost.builder(Path.of("a")),
                        argument,
                        "absolute",
                        "give "),
                new BadUse(
                        "a deadline of nothing",
                        () -> VolumeManager.builder().attachDeadline(Duration.ZERO),
                        argument,
                        "attachDeadline",
                        "above zero",
                        "leave the call out"),
                new BadUse(
                        "a close timeout below nothing",
                        () -> VolumeManager.builder().closeTimeout(second.negated()),
                        argument,
                        "closeTimeout",
                        "above zero"),
                new BadUse(
                        "limits of nothing",
                        () -> new OperationLimits(0, 1, 1),
                        argument,
                        "running 0",
                        "OperationLimits.standard()"),
                new BadUse(
                        "limits that cross", () -> new OperationLimits(1, 2, 1), argument, "writtenOff 1", "not below"),
                new BadUse(
                        "a back-off that shrinks",
                        () -> new RetryBackoff(second, Duration.ofMillis(1), second),
                        argument,
                        "initial <= longest",
                        "RetryBackoff.standard()"),
                new BadUse("a volume without a name", () -> PodVolumes.builder().emptyDir(""), argument, "1 to 63"),
                new BadUse(
                        "a volume named like a path", () -> PodVolumes.builder().emptyDir("a/b"), argument, "a/b"),
                new BadUse(
                        "a wish for a claim",
                        () -> PodVolumes.builder().volume("v", new ClaimSource("c", false)),
                        argument,
                        "ClusterSource"),
                new BadUse(
                        "a wish without its door",
                        () -> builder("n1")
                                .cluster(InMemoryCluster.create())
                                .build()
                                .desiredState()
                                .put("job", NONE),
                        state,
                        "directWishes()"),
                new BadUse(
                        "a UID that is a path",
                        () -> builder("n1").build().desiredState().put("../job", NONE),
                        argument,
                        "../job"),
                new BadUse(
                        "waiting for no pod",
                        () -> builder("n1").build().whenMounted(null),
                        NullPointerException.class,
                        "podUid is null",
                        "give the UID"),
                new BadUse(
                        "waiting for the end of no pod",
                        () -> builder("n1").build().whenUnmounted(null),
                        NullPointerException.class,
                        "podUid is null",
                        "give the UID"),
                new BadUse(
                        "the use of no pod's volumes",
                        () -> builder("n1").build().stats(null),
                        NullPointerException.class,
                        "podUid is null",
                        "give the UID"),
                new BadUse(
                        "waiting less than not at all",
                        () -> builder("n1").build().awaitMounted("u", second.negated()),
                        argument,
                        "timeout",
                        "PT-1S",
                        "Duration.ZERO"),
                new BadUse(
                        "a manager without mounts",
                        () -> VolumeManager.builder()
                                .plugins(PluginRegistry.builder(DefaultPluginHost.builder(root)
                                                .nodeName("n1")
                                                .build())
                                        .build())
                                .build(),
                        state,
                        "mounts(…)",
                        "withoutMounts()"),
                new BadUse(
                        "a cluster of nothing",
                        () -> VolumeManager.builder().cluster(null),
                        NullPointerException.class,
                        "cluster(…) was given null",
                        "leave the call out"),
                new BadUse(
                        "workers of nothing",
                        () -> VolumeManager.builder().workers(null),
                        NullPointerException.class,
                        "workers(…) was given null",
                        "leave the call out"),
                new BadUse(
                        "a listener of nothing",
                        () -> VolumeManager.builder().listener(null),
                        NullPointerException.class,
                        "listener(…) was given null",
                        "leave the call out"),
                new BadUse(
                        "a listener of nothing to a manager",
                        () -> builder("n1").build().listen(null),
                        NullPointerException.class,
                        "listen(…) was given null",
                        "give a listener"),
                new BadUse(
                        "a plugin of nothing",
                        () -> PluginRegistry.builder(host("n1")).plugin(null),
                        NullPointerException.class,
                        "plugin(…) was given null",
                        "give a VolumePlugin"),
                new BadUse(
                        "a host of the plugins without a clock",
                        () -> DefaultPluginHost.builder(root).clock(null),
                        NullPointerException.class,
                        "clock(…) was given null",
                        "leave the call out"),
                new BadUse(
                        "a controller that writes nowhere",
                        () -> PersistentVolumeController.builder().cluster(InMemoryCluster.create(), null),
                        NullPointerException.class,
                        "cluster(…) was given null"),
                new BadUse(
                        "a controller without patience",
                        () -> AttachDetachController.builder().pluginDeadline(Duration.ZERO),
                        argument,
                        "pluginDeadline",
                        "above zero"),
                new BadUse(
                        "a manager that is started twice",
                        () -> {
                            try (VolumeManager manager = builder("n1").build()) {
                                manager.start();
                                manager.start();
                            }
                        },
                        state,
                        "started before",
                        "once"),
                new BadUse(
                        "a manager that is started after its end",
                        () -> {
                            VolumeManager manager = builder("n1").build();
                            manager.close();
                            manager.start();
                        },
                        state,
                        "was closed",
                        "build another one"),
                new BadUse(
                        "waiting on a manager that was closed",
                        () -> {
                            VolumeManager manager = builder("n1").build();
                            manager.start();
                            manager.close();
                            manager.awaitMounted("u", second);
                        },
                        VolumeException.class,
                        "was closed",
                        "start another one"),
                new BadUse(
                        "a controller of nothing",
                        () -> PersistentVolumeController.builder().build(),
                        state,
                        "cluster(source, writer) and plugins(…)"),
                new BadUse(
                        "an attacher of nothing",
                        () -> AttachDetachController.builder().build(),
                        state,
                        "cluster(source, writer) and plugins(…)"),
                new BadUse(
                        "a snapshot controller of nothing",
                        () -> SnapshotController.builder().build(),
                        state,
                        "cluster(source, writer) and plugins(…)"),
                new BadUse(
                        "a provisioner of nothing",
                        () -> ExternalProvisioner.builder().build(),
                        state,
                        "cluster(source, writer) and plugin(name, registry)"),
                new BadUse(
                        "a class that may not be called for",
                        () -> PersistentVolumeController.builder().classLimit("fast", 0),
                        argument,
                        "classLimit",
                        "at least 1",
                        "leave the call out"),
                new BadUse(
                        "a plugin whose name is none",
                        () -> registry(new Named("No Name!")).loadFailure().ifPresent(BadUsesTest::refuse),
                        VolumeException.class,
                        "No Name!",
                        "it must be"),
                new BadUse(
                        "a plugin that has no name",
                        () -> registry(new Named(null)).loadFailure().ifPresent(BadUsesTest::refuse),
                        VolumeException.class,
                        "does not tell its name",
                        "name() returned null",
                        "it must return"),
                new BadUse(
                        "two plugins of one name",
                        () -> registry(new Named("a.example"), new Named("a.example"))
                                .loadFailure()
                                .ifPresent(BadUsesTest::refuse),
                        VolumeException.class,
                        "a.example",
                        "taken by another",
                        "one of that name only"),
                new BadUse(
                        "a plugin that is added twice",
                        () -> registry(new Named("a.example")).add(new Named("a.example")),
                        VolumeException.class,
                        "a.example is there already",
                        "remove that one first"),
                new BadUse(
                        "a claim with a field that is misspelt",
                        () -> Manifests.readStrict("claim.yaml", """
                                        apiVersion: v1
                                        kind: PersistentVolumeClaim
                                        metadata: {name: data}
                                        spec:
                                          storageClasName: fast
                                        """),
                        ManifestException.class,
                        "claim.yaml:5:20",
                        "spec.storageClasName",
                        "did you mean storageClassName?"),
                new BadUse(
                        "a kind that there is not",
                        () -> Manifests.read("x.yaml", "apiVersion: v1\nkind: Volume\nmetadata: {name: a}\n"),
                        ManifestException.class,
                        "x.yaml:2:7",
                        "write one of"));
    }

    private static void refuse(VolumeException failure) {
        throw failure;
    }

    private PluginHost host(String nodeName) {
        machine.files().createRoot(root);
        return DefaultPluginHost.builder(root)
                .nodeName(nodeName)
                .mounts(machine)
                .build();
    }

    private PluginRegistry registry(VolumePlugin... plugins) {
        return PluginRegistry.builder(host("n1")).plugins(List.of(plugins)).build();
    }

    /** A plugin that mounts by itself, and returns null. */
    private record Named(String name) implements VolumePlugin {
        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((request, context) -> null);
        }
    }

    @Test
    void aRootThatIsAFileIsRefused(@TempDir Path real) throws IOException {
        Path file = Files.writeString(real.resolve("root"), "no directory");
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(file)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .build();

        assertThatThrownBy(() -> VolumeManager.builder().plugins(plugins).build())
                .isInstanceOf(VolumeException.class)
                .message()
                .contains(file.toString(), " — ");
    }

    @Test
    void aSecondManagerOfOneRootIsRefused(@TempDir Path real) {
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(real)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .build();
        try (VolumeManager first = VolumeManager.builder().plugins(plugins).build()) {
            first.start();

            assertThatThrownBy(() -> {
                        try (VolumeManager second =
                                VolumeManager.builder().plugins(plugins).build()) {
                            second.start();
                        }
                    })
                    .isInstanceOf(VolumeException.class)
                    .message()
                    .contains(real.toString(), " — ");
        }
    }

    @Test
    void aPluginThatReturnsNullIsNamed() throws Exception {
        try (VolumeManager manager = VolumeManager.builder()
                .journalInMemory()
                .plugins(registry(new Named("a.example")))
                .build()) {
            CompletableFuture<String> failure = new CompletableFuture<>();
            manager.listen(transition -> {
                if (transition.failure() != null) {
                    failure.complete(transition.failure().getMessage());
                }
            });
            manager.start();
            manager.desiredState()
                    .put(
                            "job",
                            PodVolumes.builder().csi("v", "a.example", "vol-1").build());

            assertThat(failure.get(30, TimeUnit.SECONDS))
                    .contains("plugin a.example returned null from mount", "it must return a result");
        }
    }

    @Test
    void aSourceThatReturnsNullIsNamed() throws Exception {
        ClusterSource none = new ClusterSource() {
            @Override
            public Listing list(Kind kind, Selection selection) {
                return null;
            }

            @Override
            public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
                return null;
            }

            @Override
            public Optional<ApiObject> readLive(ObjectKey key) {
                return Optional.empty();
            }

            @Override
            public int compareRevisions(String one, String other) {
                return one.compareTo(other);
            }
        };
        try (VolumeManager manager = builder("n1").cluster(none).build()) {
            manager.start();
            awaitNamed(manager, "returned null");

            assertThatThrownBy(() -> manager.awaitMounted("u", Duration.ofMillis(50)))
                    .isInstanceOf(VolumeException.class)
                    .message()
                    .contains("returned null from list of Pod", "must return a Listing");
        }
    }

    /** A machine that has no time reads the cluster late. */
    private static void awaitNamed(VolumeManager manager, String problem) {
        while (!manager.explainPod("u").join().text().contains(problem)) {
            Thread.onSpinWait();
        }
    }

    /** Otherwise its objects would count as watched, and no change would ever come. */
    @Test
    void aSourceBesideDirectWishesThatReturnsNoWatchIsNamed() {
        InMemoryCluster cluster = InMemoryCluster.create();
        ClusterSource unwatched = new ClusterSource() {
            @Override
            public Listing list(Kind kind, Selection selection) {
                return cluster.list(kind, selection);
            }

            @Override
            public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
                return null;
            }

            @Override
            public Optional<ApiObject> readLive(ObjectKey key) {
                return cluster.readLive(key);
            }
        };
        try (VolumeManager manager =
                builder("n1").cluster(unwatched).directWishes().build()) {
            manager.start();
            manager.desiredState().complete();
            awaitNamed(manager, "returned null");

            assertThatThrownBy(() -> manager.awaitMounted("u", Duration.ofMillis(50)))
                    .isInstanceOf(VolumeException.class)
                    .message()
                    .contains(
                            unwatched.getClass().getName() + ", returned null from watch of Pod",
                            "must return a Watch");
        }
    }

    /** Otherwise null would pass for an object that is gone. */
    @Test
    void aWriterThatReturnsNullIsNamed() throws Exception {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("claim.yaml", """
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata: {name: data, namespace: default}
                        spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                        """).forEach(cluster::apply);
        ClusterWriter silent = new ClusterWriter() {
            @Override
            public ApiObject create(ApiObject object) {
                cluster.create(object);
                return null;
            }

            @Override
            public ApiObject patch(ObjectKey key, Patch patch) {
                cluster.patch(key, patch);
                return null;
            }

            @Override
            public void delete(ObjectKey key, Preconditions preconditions) {
                cluster.delete(key, preconditions);
            }
        };
        CompletableFuture<String> failure = new CompletableFuture<>();
        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                .cluster(cluster, silent)
                .plugins(registry(new Named("a.example")))
                .listener(transition -> {
                    if (transition.failure() != null) {
                        failure.complete(transition.failure().getMessage());
                    }
                })
                .build()) {
            controller.start();

            assertThat(failure.get(30, TimeUnit.SECONDS))
                    .contains(
                            silent.getClass().getName()
                                    + ", returned null from patch of PersistentVolumeClaim/default/data",
                            "it must return the stored object");
        }
    }

    @Test
    void aNodeOfAnotherNameIsNamedInTheWait() {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("pod.yaml", """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: web}
                        spec:
                          nodeName: other
                          containers: [{name: c}]
                        """).forEach(cluster::apply);
        String uid = cluster.get(ObjectKey.pod("default", "web"))
                .orElseThrow()
                .metadata()
                .uid();
        try (VolumeManager manager = builder("n1").cluster(cluster).build()) {
            manager.start();

            assertThatThrownBy(() -> manager.awaitMounted(uid, Duration.ofMillis(500)))
                    .isInstanceOf(VolumeException.class)
                    .message()
                    .contains("n1");
        }
    }

    @Test
    void aBuilderSaysAllItsMissesAtOnce() {
        VolumeManagerBuilder builder =
                VolumeManager.builder().clusterWriter(InMemoryCluster.create()).attachMode(AttachMode.CONTROLLER);

        assertThatThrownBy(builder::build)
                .message()
                .contains("plugins(…)", "clusterWriter(…)", "attachMode(CONTROLLER)");
    }
}
