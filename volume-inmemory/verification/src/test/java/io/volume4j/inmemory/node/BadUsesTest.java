package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.ClaimSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    @TestFactory
    Stream<DynamicTest> answeredAtOnce() {
        Class<? extends Exception> argument = IllegalArgumentException.class;
        Class<? extends Exception> state = IllegalStateException.class;
        Duration second = Duration.ofSeconds(1);
        return Stream.of(
                        new BadUse(
                                "a manager of nothing",
                                () -> VolumeManager.builder().build(),
                                state,
                                "plugins(…)"),
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
                                () -> builder("n1")
                                        .attachMode(AttachMode.CONTROLLER)
                                        .build(),
                                state,
                                "attachMode(SELF)"),
                        new BadUse("the root /", () -> DefaultPluginHost.builder(Path.of("/")), argument, "not /"),
                        new BadUse(
                                "a relative root", () -> DefaultPluginHost.builder(Path.of("a")), argument, "absolute"),
                        new BadUse(
                                "a deadline of nothing",
                                () -> VolumeManager.builder().attachDeadline(Duration.ZERO),
                                argument,
                                "attachDeadline"),
                        new BadUse(
                                "a close timeout below nothing",
                                () -> VolumeManager.builder().closeTimeout(second.negated()),
                                argument,
                                "closeTimeout"),
                        new BadUse("limits of nothing", () -> new OperationLimits(0, 1, 1), argument, "running 0"),
                        new BadUse("limits that cross", () -> new OperationLimits(1, 2, 1), argument, "writtenOff 1"),
                        new BadUse(
                                "a back-off that shrinks",
                                () -> new RetryBackoff(second, Duration.ofMillis(1), second),
                                argument,
                                "longest"),
                        new BadUse(
                                "a volume without a name",
                                () -> PodVolumes.builder().emptyDir(""),
                                argument,
                                "1 to 63"),
                        new BadUse(
                                "a volume named like a path",
                                () -> PodVolumes.builder().emptyDir("a/b"),
                                argument,
                                "a/b"),
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
                                "podUid"),
                        new BadUse(
                                "waiting for the end of no pod",
                                () -> builder("n1").build().whenUnmounted(null),
                                NullPointerException.class,
                                "podUid"))
                .map(bad -> DynamicTest.dynamicTest(
                        bad.name,
                        () -> assertThatThrownBy(bad.use)
                                .isInstanceOf(bad.failure)
                                .message()
                                .contains(bad.says())));
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
