package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that pods get as raw devices. */
class BlockModeTest {
    private static final VolumeId DISK = VolumeId.shared("mem", "h-disk");
    private static final Path OF_POD_A = NodeHarness.ROOT.resolve("pods/a/volumeDevices/mem/disk");

    private final NodeHarness node = NodeHarness.withMachine(1);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);

    @Test
    void bringsADeviceToItsPodsAndTakesItAwayAgain() {
        mapped("a", "b");

        assertThat(Objects.requireNonNull(node.mounted("a").volumes().get("disk"))
                        .path())
                .isEqualTo(OF_POD_A);
        assertThat(machine.table().at(OF_POD_A)).isPresent();
        assertThat(node.calls())
                .containsSubsequence("attach h-disk n1", "mapDevice h-disk n1", "mapPod h-disk n1 a")
                .containsSubsequence("mapDevice h-disk n1", "mapPod h-disk n1 b");

        node.deletePod("a");
        node.deletePod("b");
        node.settle();
        assertThat(node.calls())
                .containsSubsequence("unmapPod h-disk n1 a", "unmapDevice h-disk n1", "detach h-disk n1");
        nothingIsLeft();
    }

    /** A device that is held open cannot be exchanged unnoticed for another one of the same name. */
    @Test
    void holdsTheDeviceWhileAPodHasIt() {
        mapped("a", "b");
        assertThat(locks()).hasSize(1);

        node.deletePod("a");
        node.settle();
        assertThat(locks()).as("the other pod still has it").hasSize(1);

        node.deletePod("b");
        node.settle();
        assertThat(locks()).isEmpty();
    }

    /** The plugin may take the device down only when no pod holds it any more. */
    @Test
    void letsGoOfTheDeviceBeforeThePluginIsToldTo() {
        mapped("a");
        node.plugin.faults().add(Fault.on("unmapPod").always().as(FaultKind.TRANSIENT));
        node.deletePod("a");
        node.settle();

        assertThat(locks()).isEmpty();
        assertThat(machine.table().at(OF_POD_A)).isEmpty();
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmapDevice"));

        node.plugin.faults().heal();
        node.settle();
        nothingIsLeft();
    }

    @Test
    void mapsForTheNextPodAfterTheLastOneHasGone() {
        mapped("a");
        node.deletePod("a");
        node.pod("b", "disk");
        node.settle();

        assertThat(node.mounted("b").volumes()).hasSize(1);
        assertThat(locks()).hasSize(1);
        assertThat(node.storage.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapDevice", "mapPod"})
    void takesDownWhatMayHaveBeenMapped(String call) {
        node.boundClaim("disk", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        node.plugin.faults().add(Fault.on(call).always().as(FaultKind.UNCERTAIN_AFTER));
        node.pod("a", "disk");
        node.start().settle();
        node.deletePod("a");
        node.plugin.faults().heal();
        node.settle();

        nothingIsLeft();
    }

    /** The plugin did its part, the machine did not: the plugin's part is taken down again. */
    @ParameterizedTest
    @ValueSource(strings = {"bind", "attachLoop", "createSparseFile"})
    void takesDownWhatThePluginDidWhenTheMachineRefused(String call) {
        node.boundClaim("disk", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        machine.faults().add(Fault.on(call).always().as(FaultKind.TRANSIENT));
        node.pod("a", "disk");
        node.start().settle();
        assertThat(node.explainPod("a").text()).contains("last error");
        node.deletePod("a");
        machine.faults().heal();
        node.settle();

        nothingIsLeft();
    }

    @Test
    void keepsTheDeviceOverARestart() {
        mapped("a");
        List<String> before = node.calls();
        node.kill();
        node.start().settle();

        assertThat(node.calls()).isEqualTo(before);
        assertThat(locks()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(RecoveryTest.Harm.class)
    void findsDevicesWithoutTheJournal(RecoveryTest.Harm harm) {
        mapped("a", "b");
        List<String> before = node.calls();
        node.kill();
        harm.happen(node);
        node.start().settle();
        assertThat(node.calls()).isEqualTo(before);

        node.kill();
        harm.happen(node);
        node.deletePod("a");
        node.deletePod("b");
        node.start().settle();
        nothingIsLeft();
    }

    /** Detaching what the control plane attached is the control plane's. */
    @Test
    void mapsWhatTheControlPlaneAttachedAndForgetsItAgain() {
        node.hostWrites().attachMode(AttachMode.CONTROLLER);
        node.boundClaim("disk", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        node.pod("a", "disk");
        node.start().settle();
        assertThat(node.calls()).as("not reported, not attached").isEmpty();

        node.storage.attachBehindOurBack("h-disk", NodeHarness.NODE);
        node.nodeStatus(List.of(DISK), List.of(DISK));
        node.settle();
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("disk");
        assertThat(node.calls()).containsExactly("mapDevice h-disk n1", "mapPod h-disk n1 a");

        node.deletePod("a");
        node.settle();
        assertThat(node.calls()).endsWith("unmapPod h-disk n1 a", "unmapDevice h-disk n1");
        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.get(node.agent().volumesInUse())).isEmpty();
        assertThat(locks()).isEmpty();
    }

    /** What may be mapped is not given up because another try failed for good. */
    @Test
    void keepsInMindWhatMayBeMappedThoughMappingFailsAfterARestart() {
        node.boundClaim("disk", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        node.plugin.faults().add(Fault.on("mapDevice").always().as(FaultKind.UNCERTAIN_AFTER));
        node.pod("a", "disk");
        node.start();
        node.world.advance(Duration.ofSeconds(1));
        node.kill();
        node.plugin.faults().heal();
        node.plugin.faults().add(Fault.on("mapDevice").always().as(FaultKind.FINAL));
        node.start();
        node.world.advance(Duration.ofMinutes(1));
        assertThat(node.get(node.agent().mounted("a")).volumes()).isEmpty();

        node.plugin.faults().heal();
        node.deletePod("a");
        node.settle();
        assertThat(node.calls()).contains("unmapDevice h-disk n1");
        nothingIsLeft();
    }

    @Test
    void keepsADeviceWhosePluginIsNotThereUntilItIs() {
        mapped("a");
        node.kill();
        node.deletePod("a");
        node.pluginIsThere(false).start().settle();

        assertThat(node.get(node.agent().present())).containsExactly(DISK);
        assertThat(node.get(node.agent().explainVolume(DISK)).text()).contains("plugin mem is not registered");
        assertThat(machine.table().at(OF_POD_A)).isPresent();

        node.kill();
        node.pluginIsThere(true).start().settle();
        nothingIsLeft();
    }

    @Test
    void waitsForThePluginThatMapsADevice() {
        node.boundClaim("disk", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        node.pod("a", "disk");
        node.pluginIsThere(false).start().settle();

        assertThat(node.explainPod("a").text()).contains("no volume plugin matched");
        assertThat(node.calls()).isEmpty();
    }

    @Test
    void takesDownDevicesThatCannotBeNamed() {
        mapped("a");
        node.kill();
        node.deleteJournal();
        machine.files().removeFile(RootedPath.of(NodeHarness.ROOT, "pods/a/volumeDevices/mem/.disk"));
        RootedPath devices = RootedPath.of(NodeHarness.ROOT, "plugins/mem/devices");
        for (String name : machine.files().list(devices)) {
            machine.files().removeFile(devices.resolve(name).resolve("volume"));
        }
        node.deletePod("a");
        node.start().settle();

        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(locks()).isEmpty();
    }

    @Test
    void mapsAgainAfterABoot() {
        mapped("a");
        node.reboot();
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(machine.table().at(OF_POD_A)).isPresent();
        assertThat(locks()).hasSize(1);
        node.deletePod("a");
        node.settle();
        nothingIsLeft();
    }

    private void mapped(String... pods) {
        node.boundClaim("disk", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        for (String pod : pods) {
            node.pod(pod, "disk");
        }
        node.start().settle();
    }

    private List<LoopDevice> locks() {
        return machine.loops().below(NodeHarness.ROOT);
    }

    private void nothingIsLeft() {
        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(locks()).isEmpty();
        assertThat(node.storage.volumes()).noneMatch(volume -> volume.held());
        assertThat(node.storage.violations()).isEmpty();
        assertThat(machine.violations()).isEmpty();
    }
}
