package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * From a claim to a file in a pod and back, through the whole library, with a driver that loses answers, dies and comes
 * back: afterwards nothing is left and nothing was made twice, and the driver's judge has nothing to say.
 */
@ExtendWith(MountRight.class)
@Timeout(240)
class CsiEndToEndTest {
    private static final String SECRET = "tops3cret-canary";
    private static final String NODE = "n1";
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Place place = new Place();
    private final LinuxMountBackend machine = LinuxMountBackend.create();
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final InMemorySecrets secrets = new InMemorySecrets();
    private final CsiTestDriver driver = CsiTestDriver.start(DriverOptions.at(place.socket())
                    .stateDirectory(place.path().resolve("state"))
                    .nodeId("n1-id")
                    .secret("password", SECRET)
                    .mounts(MountStyle.BINDS)
                    .build())
            .revivesByItself();
    private final CsiPlugin plugin = CsiPlugin.at(new CsiEndpoint(place.socket()))
            .channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)))
            .connect(Duration.ofSeconds(30));
    private final PluginRegistry registry = PluginRegistry.builder(DefaultPluginHost.builder(root())
                    .nodeName(NODE)
                    .mounts(machine)
                    .secrets(secrets)
                    .build())
            .plugin(plugin)
            .build();
    private final PersistentVolumeController controller = PersistentVolumeController.builder()
            .cluster(cluster, cluster)
            .plugins(registry)
            .build();
    private @Nullable VolumeManager manager;

    @AfterEach
    void close() {
        stopManager();
        controller.close();
        plugin.close();
        driver.close();
        machine.close();
        place.close();
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "CreateVolume call=1 before UNAVAILABLE",
        "CreateVolume call=1 after UNAVAILABLE",
        "CreateVolume call=1 before crash",
        "CreateVolume call=1 after crash",
        "ControllerPublishVolume call=1 after UNAVAILABLE",
        "ControllerPublishVolume call=1 after crash",
        "NodeStageVolume call=1 before INTERNAL",
        "NodeStageVolume call=1 after UNAVAILABLE",
        "NodeStageVolume call=1 after crash",
        "NodePublishVolume call=1 before ABORTED",
        "NodePublishVolume call=1 after UNKNOWN",
        "NodePublishVolume call=1 after crash",
        "NodeUnpublishVolume call=1 after UNAVAILABLE",
        "NodeUnpublishVolume call=1 after crash",
        "NodeUnstageVolume call=1 before crash",
        "NodeUnstageVolume call=1 after crash",
        "ControllerUnpublishVolume call=1 after UNAVAILABLE",
        "ControllerUnpublishVolume call=1 after crash",
        "DeleteVolume call=1 after UNAVAILABLE",
        "DeleteVolume call=1 after crash",
    })
    void everyLostAnswerEndsWithNothingLeftAndNothingMadeTwice(String fault) throws IOException {
        if (!fault.isEmpty()) {
            driver.faults().add(fault);
        }
        controller.start();
        startManager();
        claim("data");
        pod("web", "data");
        Path files = mountPath("web", "data");
        Files.writeString(files.resolve("hello"), "world");
        assertThat(driver.inventory().born()).containsEntry("volume pvc-uid-data", 1);

        cluster.remove(ObjectKey.pod("default", "web"));
        detached();
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
        if (!fault.isEmpty()) {
            assertThat(driver.faults().struck()).isEqualTo(1);
        }
    }

    @Test
    void aCreateThatNoClaimWantsIsRepeatedToLearnWhatItMadeAndThenDeleted() {
        driver.faults().add("CreateVolume call=1-3 after UNAVAILABLE");
        controller.start();
        claim("data");
        Awaitility.await().atMost(SOON).until(() -> driver.faults().struck() > 0);
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
        assertThat(cluster.get(ObjectKey.claim("default", "data"))).isEmpty();
        assertThat(calls("DeleteVolume")).isPositive();
    }

    @Test
    void whoUsesAStagedVolumeIsKnownAfterARestart() {
        controller.start();
        startManager();
        claim("data");
        pod("a", "data");
        pod("b", "data");
        mountPath("a", "data");
        mountPath("b", "data");
        assertThat(calls("NodeStageVolume")).isEqualTo(1);

        stopManager();
        cluster.remove(ObjectKey.pod("default", "a"));
        startManager();
        manager().awaitUnmounted("a", SOON);
        mountPath("b", "data");
        assertThat(calls("NodeUnstageVolume")).isZero();

        stopManager();
        startManager();
        cluster.remove(ObjectKey.pod("default", "b"));
        detached();
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
        assertThat(calls("NodeUnstageVolume")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NodeStageVolume", "NodePublishVolume", "ControllerPublishVolume"})
    void aNodeThatEndsWhileACallIsUnderWayFindsOutWhatBecameOfIt(String rpc) {
        driver.faults().add(rpc + " call=1 after UNAVAILABLE");
        controller.start();
        startManager();
        claim("data");
        pod("web", "data");
        Awaitility.await().atMost(SOON).until(() -> driver.faults().struck() > 0);
        stopManager();
        cluster.remove(ObjectKey.pod("default", "web"));
        startManager();
        detached();
        cluster.remove(ObjectKey.claim("default", "data"));
        nothingIsLeft();
    }

    /** A node that attaches by itself does not tell when it is done; the caller that deletes the claim must wait. */
    private void detached() {
        Awaitility.await()
                .atMost(SOON)
                .ignoreExceptions()
                .until(() -> driver.inventory().uses().isEmpty()
                        && driver.inventory().attachments().isEmpty());
    }

    private void nothingIsLeft() {
        Awaitility.await()
                .atMost(SOON)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(driver.inventory().leaks()).isEmpty());
        assertThat(machine.table().below(root())).isEmpty();
        assertThat(driver.oracle().violations()).isEmpty();
        place.holdsNothingOf(SECRET, place.path().resolve("state"));
    }

    private long calls(String rpc) {
        return driver.calls().records().stream()
                .filter(call -> call.rpc().equals(rpc))
                .count();
    }

    private Path root() {
        return place.path().resolve("node");
    }

    private void startManager() {
        cluster.apply(Wishes.node(NODE, plugin.topology().orElseThrow().segments(new ManualCallContext("test"))));
        VolumeManager started = VolumeManager.builder()
                .cluster(cluster)
                .plugins(registry)
                .attachMode(AttachMode.SELF)
                // The next manager starts on the same root, which this one must have let go of.
                .closeTimeout(Duration.ofMinutes(1))
                .build();
        started.start();
        manager = started;
    }

    private void stopManager() {
        VolumeManager running = manager;
        manager = null;
        if (running != null) {
            running.close();
        }
    }

    private VolumeManager manager() {
        return java.util.Objects.requireNonNull(manager, "manager");
    }

    private Path mountPath(String pod, String volume) {
        manager().awaitMounted(pod, SOON);
        return root().resolve("pods/" + pod + "/volumes/" + plugin.name() + "/" + volume);
    }

    private void claim(String name) {
        secrets.put(Wishes.SECRET, Map.of("password", SECRET));
        cluster.apply(Wishes.storageClass(plugin.name()));
        cluster.apply(Wishes.claim(name));
    }

    private void pod(String name, String... claims) {
        cluster.apply(Wishes.pod(name, NODE, claims));
    }
}
