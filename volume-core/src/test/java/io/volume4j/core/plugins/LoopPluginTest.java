package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static io.volume4j.core.plugins.LoopLife.ID;
import static io.volume4j.core.plugins.LoopLife.IMAGE;
import static io.volume4j.core.plugins.LoopLife.MEBI;
import static io.volume4j.core.plugins.LoopLife.SPEC;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.BlockMapper.MapDeviceRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From an image to the pods of a node and back. */
class LoopPluginTest {
    private final LoopLife life = new LoopLife();
    private final FakeMachine machine = life.machine;
    private final LoopPlugin plugin = life.plugin;
    private final TestContext context = life.context;

    @Test
    void goesTheWholeWayThereAndBackAndLeavesNothing() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        String device = life.attach();
        life.mountDevice();
        life.mountPod(false);

        assertThat(device).isEqualTo("/dev/loop7");
        assertThat(machine.effects)
                .containsExactly(
                        "attach", "begin ext4", "mkfs ext4", "finish", "mount ext4", "bind " + Given.DEVICE_TARGET);

        life.unmountPod();
        life.unmountDevice();
        life.detach();
        life.delete();
        assertThat(machine.mounts).isEmpty();
        assertThat(machine.loops).isEmpty();
        assertThat(machine.fileNames()).isEmpty();
        assertThat(machine.nodes).doesNotContainKeys(Given.POD_TARGET.absolute(), Given.DEVICE_TARGET.absolute());
    }

    @Test
    void doesEachStepTwiceWithTheSameResult() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        assertThat(life.attach()).isEqualTo(life.attach());
        life.mountDevice();
        life.mountDevice();
        life.mountPod(true);
        life.mountPod(true);
        assertThat(machine.mounts).hasSize(2);

        life.unmountPod();
        life.unmountPod();
        life.unmountDevice();
        life.unmountDevice();
        life.detach();
        life.detach();
        life.delete();
        life.delete();
        assertThat(machine.mounts).isEmpty();
        assertThat(machine.loops).isEmpty();
    }

    @Test
    void deletesNothingThatIsAttached() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();

        VolumeException failure = failureOf(life::delete);

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining("/dev/loop7");
        assertThat(machine.fileNames()).containsExactly(IMAGE);
    }

    @Test
    void detachesNothingThatIsMounted() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        life.mountDevice();

        VolumeException failure = failureOf(life::detach);

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining(Given.DEVICE_TARGET.toString());
        assertThat(machine.loops).isNotEmpty();
    }

    @Test
    void attachesAndDetachesOnItsOwnNodeOnly() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(failureOf(() -> plugin.attacher(SPEC)
                        .orElseThrow()
                        .attach(new AttachRequest(SPEC, ID, "node-2", false, PluginState.none()), context)))
                .hasMessageContaining("node-2");
        assertThat(failureOf(() -> plugin.detacher(ID)
                        .orElseThrow()
                        .detach(new DetachRequest(ID, "node-2", "", PluginState.none()), context)))
                .hasMessageContaining("node-2");
    }

    @Test
    void attachesNothingThatIsNotThere() {
        VolumeException failure = failureOf(life::attach);

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining(IMAGE);
        assertThat(plugin.health().orElseThrow().health(ID, context).abnormal()).isTrue();
    }

    @Test
    void mountsTheDeviceThatTheImageHasNowWhateverItHadBefore() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();

        life.mountDevice("/dev/loop99");

        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo("/dev/loop7"));
    }

    @Test
    void waitsForTheAttachmentBeforeItMounts() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(failureOf(life::mountDevice).kind()).isEqualTo(FailureKind.TRANSIENT);
    }

    @Test
    void givesNoPodTheBareDirectoryOfADeviceMountThatIsGone() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        machine.createDirectory(Given.DEVICE_TARGET, 0750);

        VolumeException failure = failureOf(() -> life.mountPod(false));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("machine's own disk");
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void changesNoPodsMountFromWritableToReadOnly() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        life.mountDevice();
        life.mountPod(false);

        assertThat(failureOf(() -> life.mountPod(true)).kind()).isEqualTo(FailureKind.FINAL);
    }

    @Test
    void observesWhatIsAttachedHereAndNothingElse() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();
        VolumeId other = VolumeId.shared(LoopPlugin.NAME, "pvc-2");

        assertThat(plugin.observer()
                        .orElseThrow()
                        .attachments(
                                List.of(
                                        new Query(ID, "node-1"),
                                        new Query(other, "node-1"),
                                        new Query(ID, "node-2"),
                                        new Query(VolumeId.shared(LoopPlugin.NAME, "../x"), "node-1")),
                                context))
                .containsExactly(Observation.PRESENT, Observation.ABSENT, Observation.UNKNOWN, Observation.UNKNOWN);
    }

    @Test
    void mapsTheDeviceItselfForARawVolume() {
        VolumeSpec block = Given.volume(Given.loop("pvc-1"), VolumeMode.BLOCK);
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        life.attach();

        assertThat(plugin.blockMapper(block)
                        .orElseThrow()
                        .mapDevice(
                                new MapDeviceRequest(block, ID, "", Map.of(), Given.DEVICE_TARGET, PluginState.none()),
                                context)
                        .devicePath())
                .isEqualTo("/dev/loop7");
        assertThat(plugin.stats(block)
                        .orElseThrow()
                        .stats(new StatsRequest(ID, Path.of("/dev/loop7")), context)
                        .totalBytes())
                .isEqualTo(64 * MEBI);
    }
}
