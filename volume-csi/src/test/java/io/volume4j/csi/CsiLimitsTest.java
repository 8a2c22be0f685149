package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeResponse;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many calls a driver gets at once: one for a volume whatever the settings, and so many by setting. */
@Timeout(180)
class CsiLimitsTest {
    /** For a caller that finds its way free. A caller that must wait gives up at once. */
    private static final Duration NO_TIME = Duration.ofNanos(-1);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        goOn.countDown();
    }

    @Test
    void aVolumeHasOneCallAtATimeWhateverTheLimits() throws Exception {
        CsiPlugin plugin = world.with(CsiLimitsTest::named).plugin();
        CompletableFuture<Void> first = heldAttach(plugin, "vol-1", "n1");
        assertRefused(() -> attach(plugin, "vol-1", "n2"), "another call for it is still under way");
        assertRefused(() -> unmount(plugin, "vol-1"), "another call for it is still under way");
        assertPasses(() -> attach(plugin, "vol-2", "n2"));
        ended(first);
    }

    @Test
    void callsToTheControllerAreLimitedTogether() throws Exception {
        CsiPlugin plugin =
                world.with(builder -> named(builder.maxControllerCalls(1))).plugin();
        CompletableFuture<Void> first = heldAttach(plugin, "vol-1", "n1");
        assertRefused(() -> attach(plugin, "vol-2", "n2"), "the driver takes no more than 1 calls at once");
        assertPasses(() -> unmount(plugin, "vol-2"));
        ended(first);
    }

    @Test
    void callsThatConcernANodeAreLimitedForEachNode() throws Exception {
        CsiPlugin plugin = world.with(builder -> named(builder.maxControllerCallsPerNode(1)))
                .plugin();
        CompletableFuture<Void> first = heldAttach(plugin, "vol-1", "n1");
        assertRefused(
                () -> attach(plugin, "vol-2", "n1"), "the driver takes no more than 1 calls for one node at once");
        assertPasses(() -> attach(plugin, "vol-2", "n2"));
        ended(first);
    }

    @Test
    void callsToTheNodeAreLimitedTogether() throws Exception {
        holdUnmountOf("vol-1");
        CsiPlugin plugin = world.with(builder -> named(builder.maxNodeCalls(1))).plugin();
        CompletableFuture<Void> first =
                CompletableFuture.runAsync(() -> unmount(plugin, "vol-1", TestContext.patient()));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        assertRefused(() -> unmount(plugin, "vol-2"), "the driver takes no more than 1 calls at once");
        ended(first);
    }

    @Test
    void questionsAboutVolumesAreCallsToTheNodeToo() throws Exception {
        holdUnmountOf("vol-1");
        CsiPlugin plugin = world.with(builder -> named(builder.maxNodeCalls(1))).plugin();
        CompletableFuture<Void> first =
                CompletableFuture.runAsync(() -> unmount(plugin, "vol-1", TestContext.patient()));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        assertRefused(
                () -> stats(plugin, "vol-2", TestContext.within(NO_TIME)),
                "the driver takes no more than 1 calls at once");
        ended(first);
    }

    /** A volume that hangs makes its questions hang, and taking it down must not wait for them. */
    @Test
    void questionsLeaveHalfOfTheCallsToWhatIsToBeDone() throws Exception {
        world.calls.on(NodeGrpc.getNodeGetVolumeStatsMethod(), request -> {
            hold();
            return NodeGetVolumeStatsResponse.getDefaultInstance();
        });
        CsiPlugin plugin = world.with(builder -> named(builder.maxNodeCalls(2))).plugin();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> stats(plugin, "vol-1", TestContext.patient()));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        assertRefused(
                () -> stats(plugin, "vol-2", TestContext.within(NO_TIME)),
                "the driver takes no more than 1 calls at once");
        assertPasses(() -> unmount(plugin, "vol-2"));
        ended(first);
    }

    private void holdUnmountOf(String volume) {
        world.calls.on(NodeGrpc.getNodeUnpublishVolumeMethod(), request -> {
            if (request.getVolumeId().equals(volume)) {
                hold();
            }
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    private static void stats(CsiPlugin plugin, String volume, CallContext context) {
        VolumeSpec spec = Given.spec(
                CsiSource.of(Given.DRIVER, volume, "ext4", Map.of()),
                VolumeMode.FILESYSTEM,
                List.of(),
                AccessMode.READ_WRITE_MANY);
        Path path = Given.ROOT.resolve("pods/p1/volumes/" + volume);
        StatsRequest request = new StatsRequest(VolumeId.shared(Given.DRIVER, volume), path, null, null);
        assertThat(plugin.stats(spec).orElseThrow().stats(request, context)).isNotNull();
    }

    private CompletableFuture<Void> heldAttach(CsiPlugin plugin, String volume, String node)
            throws InterruptedException {
        world.calls.on(ControllerGrpc.getControllerPublishVolumeMethod(), request -> {
            hold();
            return ControllerPublishVolumeResponse.getDefaultInstance();
        });
        CompletableFuture<Void> held =
                CompletableFuture.runAsync(() -> attach(plugin, volume, node, TestContext.patient()));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        return held;
    }

    private void hold() {
        arrived.countDown();
        try {
            assertThat(goOn.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void ended(CompletableFuture<Void> call) throws Exception {
        goOn.countDown();
        call.get(60, TimeUnit.SECONDS);
    }

    private static void assertRefused(Runnable call, String why) {
        VolumeException failure = catchThrowableOfType(VolumeException.class, call::run);
        assertThat(failure).as("refused").isNotNull();
        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("not sent: " + why);
    }

    /** It got as far as the driver, had it been given any time. */
    private static void assertPasses(Runnable call) {
        VolumeException failure = catchThrowableOfType(VolumeException.class, call::run);
        assertThat(failure).isNotNull().hasMessageContaining("no time left");
    }

    private static void attach(CsiPlugin plugin, String volume, String node) {
        attach(plugin, volume, node, TestContext.within(NO_TIME));
    }

    private static void attach(CsiPlugin plugin, String volume, String node, CallContext context) {
        VolumeSpec spec = Given.spec(
                CsiSource.of(Given.DRIVER, volume, "ext4", Map.of()),
                VolumeMode.FILESYSTEM,
                List.of(),
                AccessMode.READ_WRITE_MANY);
        plugin.attacher(spec)
                .orElseThrow()
                .attach(
                        new AttachRequest(spec, VolumeId.shared(Given.DRIVER, volume), node, false, PluginState.none()),
                        context);
    }

    private static void unmount(CsiPlugin plugin, String volume) {
        unmount(plugin, volume, TestContext.within(NO_TIME));
    }

    private static void unmount(CsiPlugin plugin, String volume, CallContext context) {
        VolumeId id = VolumeId.shared(Given.DRIVER, volume);
        RootedPath target = new RootedPath(Given.ROOT, Path.of("pods", "p1", "volumes", volume));
        plugin.unmounter(id)
                .orElseThrow()
                .unmount(new UnmountRequest(id, "p1", "data", target, PluginState.none()), context);
    }

    private static CsiPluginBuilder named(CsiPluginBuilder builder) {
        return builder.nodes(new CsiNodes() {
            @Override
            public Optional<CsiNode> byName(String nodeName) {
                return Optional.of(new CsiNode(nodeName, "id-of-" + nodeName, Map.of(), 0));
            }

            @Override
            public List<CsiNode> all() {
                return List.of();
            }
        });
    }
}
