package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.AttachDetachControllerBuilder;
import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiNodeObjects;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.CsiPluginBuilder;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A control plane and a node, each with a plugin of its own for the same driver, that know of each other only through the
 * cluster's objects: who attaches, what the node is told, and what is still done when one of them was away meanwhile.
 */
@ExtendWith(MountRight.class)
@Timeout(240)
class CsiControlPlaneTest {
    private static final String SECRET = "tops3cret-canary";
    private static final String NODE = "n1";
    private static final String NODE_ID = "n1-id";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long BIGGER = 16 << 20;

    private final Place place = new Place();
    private final LinuxMountBackend machine = LinuxMountBackend.create();
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemorySecrets secrets = new InMemorySecrets();
    private final CsiTestDriver driver = CsiTestDriver.start(DriverOptions.at(place.socket())
                    .stateDirectory(place.path().resolve("state"))
                    .nodeId(NODE_ID)
                    .secret("password", SECRET)
                    .mounts(MountStyle.BINDS)
                    .build())
            .revivesByItself();
    private final CsiPlugin nodePlugin = plugin(CsiPlugin.at(new CsiEndpoint(place.socket())));
    private final PluginRegistry nodeRegistry = PluginRegistry.builder(DefaultPluginHost.builder(root())
                    .nodeName(NODE)
                    .mounts(machine)
                    .secrets(secrets)
                    .build())
            .plugin(nodePlugin)
            .build();
    private final CsiPlugin plugin =
            plugin(CsiPlugin.at(new CsiEndpoint(place.socket())).nodes(CsiNodeObjects.of(cluster, nodePlugin.name())));
    private final PluginRegistry registry = PluginRegistry.builder(
                    DefaultPluginHost.builder(place.path().resolve("control"))
                            .secrets(secrets)
                            .build())
            .plugin(plugin)
            .build();
    private final PersistentVolumeController binder = PersistentVolumeController.builder()
            .cluster(cluster, cluster)
            .plugins(registry)
            .build();
    private @Nullable AttachDetachController attaching;
    private @Nullable ExternalAttacher attacher;
    private @Nullable VolumeManager manager;

    private static CsiPlugin plugin(CsiPluginBuilder builder) {
        return builder.channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)))
                .connect(Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        stopManager();
        stopAttaching();
        binder.close();
        plugin.close();
        nodePlugin.close();
        driver.close();
        machine.close();
        place.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theControlPlaneAttachesTheNodeMountsAndBothUndoItInTheirTurn(boolean external) throws IOException {
        begin(external);
        startManager();
        cluster.apply(Wishes.pod("web", NODE, "data"));
        Files.writeString(mountPath("web").resolve("hello"), "world");
        assertThat(driver.inventory().attachments()).containsExactly(handle() + " on " + NODE_ID);
        assertThat(attachment().status().attached()).isTrue();
        // the driver's judge compares the context that NodeStage and NodePublish bring with the one it gave
        assertThat(attachment().status().attachmentMetadata()).isNotEmpty();
        assertThat(driver.calls().count("ControllerPublishVolume")).isEqualTo(1);

        cluster.remove(ObjectKey.pod("default", "web"));
        eventually(() -> {
            assertThat(cluster.list(Kind.VOLUME_ATTACHMENT, Selection.all()).objects())
                    .isEmpty();
            assertThat(driver.inventory().attachments()).isEmpty();
        });
        assertThat(order("NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume"))
                .containsExactly("NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume");
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "false, ControllerPublishVolume call=1 after UNAVAILABLE",
        "false, ControllerPublishVolume call=1 after crash",
        "false, ControllerUnpublishVolume call=1 after UNAVAILABLE",
        "false, ControllerUnpublishVolume call=1 after crash",
        "true, ControllerPublishVolume call=1 after UNAVAILABLE",
        "true, ControllerUnpublishVolume call=1 after crash",
    })
    void aLostAnswerOfTheControlPlanesCallsIsRepeatedAndLeavesNothing(boolean external, String fault) {
        driver.faults().add(fault);
        begin(external);
        startManager();
        cluster.apply(Wishes.pod("web", NODE, "data"));
        mountPath("web");
        cluster.remove(ObjectKey.pod("default", "web"));
        eventually(() -> assertThat(
                        cluster.list(Kind.VOLUME_ATTACHMENT, Selection.all()).objects())
                .isEmpty());
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
        assertThat(driver.faults().struck()).isEqualTo(1);
    }

    /** A leader that dies between its intent and the driver's answer leaves it to the next one. */
    @Test
    void theNextControlPlaneFinishesWhatTheFirstLeftOpen() {
        driver.faults().add("ControllerPublishVolume call=1 after UNAVAILABLE");
        begin(false);
        startManager();
        cluster.apply(Wishes.pod("web", NODE, "data"));
        eventually(() -> assertThat(driver.faults().struck()).isEqualTo(1));
        stopAttaching();
        startAttaching(false);
        mountPath("web");
        cluster.remove(ObjectKey.pod("default", "web"));
        eventually(() -> assertThat(driver.inventory().attachments()).isEmpty());
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    /** The process that made the call and the node's objects are gone too: only the VolumeAttachment names node and secret. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAttachWithoutAnswerIsUndoneAlthoughItsNodeIsGone(boolean external) {
        driver.faults().add("ControllerPublishVolume after UNAVAILABLE");
        begin(external);
        cluster.apply(Wishes.pod("web", NODE, "data"));
        eventually(() -> assertThat(driver.inventory().attachments()).containsExactly(handle() + " on " + NODE_ID));
        stopAttaching();
        assertThat(attachment().status().attached()).isFalse();

        cluster.remove(ObjectKey.pod("default", "web"));
        cluster.remove(ObjectKey.node(NODE));
        startAttaching(external);
        eventually(() -> {
            assertThat(attachments()).isEmpty();
            assertThat(driver.inventory().attachments()).isEmpty();
        });
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    /** Another program detaches the volume: the driver's list shows it, and the controller attaches the volume again. */
    @Test
    void whatTheDriversListDoesNotShowAttachedAnyMoreIsAttachedAgain() {
        begin(false);
        cluster.apply(Wishes.pod("web", NODE, "data"));
        eventually(() -> assertThat(attachments())
                .singleElement()
                .satisfies(
                        found -> assertThat(((VolumeAttachment) found).status().attached())
                                .isTrue()));
        long before = driver.calls().count("ControllerPublishVolume");
        try (DriverClient outsider = new DriverClient(place.socket())) {
            var unused = outsider.controller()
                    .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(handle())
                            .setNodeId(NODE_ID)
                            .putSecrets("password", SECRET)
                            .build());
        }
        // The controller may have attached it again already.
        eventually(() -> {
            assertThat(driver.inventory().attachments()).containsExactly(handle() + " on " + NODE_ID);
            assertThat(driver.calls().count("ControllerPublishVolume")).isGreaterThan(before);
        });
        assertThat(driver.calls().count("ListVolumes")).isPositive();

        startManager();
        mountPath("web");
        cluster.remove(ObjectKey.pod("default", "web"));
        eventually(() -> assertThat(driver.inventory().attachments()).isEmpty());
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    /** The control plane grows the storage; the node follows, though it lost the answer, the driver, and itself meanwhile. */
    @ParameterizedTest
    @CsvSource({
        "'', false",
        "NodeExpandVolume call=1 before UNAVAILABLE, false",
        "NodeExpandVolume call=1 after UNAVAILABLE, true",
        "NodeExpandVolume call=1 before crash, true",
        "NodeExpandVolume call=1 after crash, true",
    })
    void theNodeGrowsWhatTheControlPlaneHasGrown(String fault, boolean restart) {
        if (!fault.isEmpty()) {
            driver.faults().add(fault);
        }
        begin(false);
        startManager();
        cluster.apply(Wishes.pod("web", NODE, "data"));
        mountPath("web");
        growStorage();
        if (restart) {
            eventually(() -> assertThat(driver.faults().struck()).isEqualTo(1));
            stopManager();
            startManager();
        }
        eventually(this::assertGrown);
        assertThat(driver.oracle().violations()).isEmpty();
    }

    /** With no pod there is nothing to grow on any node; that it is due is remembered by the claim until one comes. */
    @Test
    void aVolumeThatNoPodUsedWhenItGrewIsExpandedByTheNodeWhenAPodComes() {
        begin(false);
        eventually(() -> assertThat(claim().status().capacity()).isNotNull());
        growStorage();
        assertThat(driver.calls().count("NodeExpandVolume")).isZero();
        startManager();
        cluster.apply(Wishes.pod("web", NODE, "data"));
        mountPath("web");
        eventually(this::assertGrown);
        assertThat(driver.oracle().violations()).isEmpty();
        place.holdsNothingOf(SECRET, place.path().resolve("state"));
    }

    private void assertGrown() {
        assertThat(driver.calls().count("NodeExpandVolume")).isPositive();
        assertThat(ResizeStatus.of(claim())).isEqualTo(ResizeStatus.NONE);
        assertThat(Objects.requireNonNull(claim().status().capacity()).bytes()).isEqualTo(BIGGER);
    }

    /** What an expansion controller does: the storage first, then the volume's object, then the word to the nodes. */
    private void growStorage() {
        PersistentVolume volume = volume();
        VolumeSpec spec = VolumeSpec.of(volume, false);
        ExpandResult grown = plugin.expander(spec)
                .orElseThrow()
                .expand(new ExpandRequest(spec, BIGGER, 8 << 20), new ManualCallContext("grow"));
        assertThat(grown.nodeExpansionRequired()).isTrue();
        assertThat(grown.capacityBytes()).isEqualTo(BIGGER);
        String size = Quantity.ofBytes(BIGGER).toString();
        cluster.patch(volume.key(), patch(false, FieldChange.set(size, "spec", "capacity", "storage")));
        cluster.patch(
                ObjectKey.claim("default", "data"),
                patch(
                        true,
                        FieldChange.set(size, "status", "allocatedResources", "storage"),
                        FieldChange.set(
                                ResizeStatus.NODE_PENDING.word(), "status", "allocatedResourceStatuses", "storage")));
    }

    private static Patch patch(boolean status, FieldChange... changes) {
        return new Patch(Preconditions.none(), status, List.of(changes));
    }

    private void begin(boolean external) {
        secrets.put(Wishes.SECRET, Map.of("password", SECRET));
        ManualCallContext context = new ManualCallContext("test");
        Node node = Wishes.node(NODE, nodePlugin.topology().orElseThrow().segments(context));
        cluster.apply(new Node(
                node.metadata().withAnnotation("volumes.kubernetes.io/controller-managed-attach-detach", "true"),
                node.spec(),
                node.status(),
                node.unmodeled()));
        CsiNodeObjects.announce(cluster, nodePlugin.name(), nodePlugin.nodeInfo(context));
        cluster.apply(Wishes.storageClass(plugin.name()));
        cluster.apply(Wishes.claim("data"));
        binder.start();
        startAttaching(external);
        eventually(() -> assertThat(claim().spec().volumeName()).isNotEmpty());
    }

    private void startAttaching(boolean external) {
        AttachDetachControllerBuilder builder = AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(registry)
                .verifyEvery(Duration.ofSeconds(1));
        if (external) {
            builder.externalAttacher(plugin.name());
            ExternalAttacher started = ExternalAttacher.builder(plugin.name())
                    .cluster(cluster, cluster)
                    .plugins(registry)
                    .build();
            started.start();
            attacher = started;
        }
        AttachDetachController started = builder.build();
        started.start();
        attaching = started;
    }

    private void stopAttaching() {
        if (attaching != null) {
            attaching.close();
            attaching = null;
        }
        if (attacher != null) {
            attacher.close();
            attacher = null;
        }
    }

    private void startManager() {
        VolumeManager started = VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .plugins(nodeRegistry)
                .attachMode(AttachMode.CONTROLLER)
                .closeTimeout(Duration.ofMinutes(1))
                .build();
        started.start();
        manager = started;
    }

    private void stopManager() {
        if (manager != null) {
            manager.close();
            manager = null;
        }
    }

    private Path mountPath(String pod) {
        Objects.requireNonNull(manager, "manager").awaitMounted(pod, SOON);
        return root().resolve("pods/" + pod + "/volumes/" + plugin.name() + "/data");
    }

    private void nothingIsLeft() {
        eventually(() -> assertThat(driver.inventory().leaks()).isEmpty());
        assertThat(machine.table().below(root())).isEmpty();
        assertThat(driver.oracle().violations()).isEmpty();
    }

    private static void eventually(ThrowingRunnable assertion) {
        Awaitility.await().atMost(SOON).ignoreExceptions().untilAsserted(assertion);
    }

    /** The first of each of these calls, in the order in which they came in. */
    private List<String> order(String... rpcs) {
        List<String> wanted = List.of(rpcs);
        return driver.calls().names().stream()
                .filter(wanted::contains)
                .distinct()
                .toList();
    }

    private List<? extends ApiObject> attachments() {
        return cluster.list(Kind.VOLUME_ATTACHMENT, Selection.all()).objects();
    }

    private VolumeAttachment attachment() {
        return (VolumeAttachment) attachments().get(0);
    }

    private PersistentVolumeClaim claim() {
        return (PersistentVolumeClaim)
                cluster.get(ObjectKey.claim("default", "data")).orElseThrow();
    }

    private PersistentVolume volume() {
        return (PersistentVolume)
                cluster.get(ObjectKey.volume(claim().spec().volumeName())).orElseThrow();
    }

    private String handle() {
        return driver.inventory().volumes().get(0);
    }

    private Path root() {
        return place.path().resolve("node");
    }
}
