package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the library talks to flexvolume drivers: which commands, and what of a volume's life is ours. */
class FlexPluginTest extends FlexBench {
    @Test
    void eachStepOfAVolumesLifeIsTheDriversCommand() {
        supports("attach", "waitforattach", "mountdevice", "mount", "unmount", "unmountdevice", "detach");
        driver.says("attach", "{\"status\":\"Success\",\"device\":\"/dev/flex\"}");

        AttachResult attached = attach();
        assertThat(driver.commands()).containsExactly("getvolumename", "attach");
        driver.calls.clear();
        mountDevice(attached);
        mount();
        assertThat(driver.commands()).containsExactly("waitforattach", "mountdevice", "mount");
        driver.calls.clear();
        unmount();
        assertThat(driver.commands()).containsExactly("unmount");
        driver.calls.clear();
        unmountDevice();
        assertThat(driver.commands()).containsExactly("unmountdevice");
        driver.calls.clear();
        detach(attached.state());
        assertThat(driver.commands()).containsExactly("detach");
    }

    /** The controller's machine never sees the device, and the node may call it otherwise. */
    @Test
    void theNodeWaitsForTheDeviceAndUsesItByItsOwnName() {
        supports("mountdevice", "expandfs");
        driver.says("attach", "{\"status\":\"Success\",\"device\":\"lun-7\"}");
        driver.says("waitforattach", "{\"status\":\"Success\",\"device\":\"/dev/flex\"}");

        AttachResult attached = attach();
        assertThat(attached.devicePath()).isEqualTo("lun-7");
        assertThat(driver.commands()).doesNotContain("waitforattach");
        mountDevice(attached);
        assertThat(driver.calls).anySatisfy(call -> assertThat(call).startsWith("waitforattach", "lun-7"));
        assertThat(driver.calls).contains(List.of("mountdevice", DEVICE.toString(), "/dev/flex", options()));

        driver.calls.clear();
        mountDevice(attached);
        assertThat(driver.commands()).as("no caller waits for what is mounted").isEmpty();
        expandOnNode(DEVICE);
        assertThat(driver.calls.get(0)).startsWith("expandfs", options(), "/dev/flex");
        unmountDevice();
    }

    private static String options() {
        return "{\"kubernetes.io/fsType\":\"xfs\",\"kubernetes.io/pvOrVolumeName\":\"data\","
                + "\"kubernetes.io/readwrite\":\"rw\",\"volumeID\":\"v1\"}";
    }

    @Test
    void theArgumentsAreThoseOfTheProtocol() {
        supports("mountdevice", "mount", "unmount", "unmountdevice", "detach");
        driver.says("getvolumename", "{\"status\":\"Success\",\"volumeName\":\"vg/v1\"}");
        AttachResult attached = attach();
        mountDevice(attached);
        mount();
        unmount();
        unmountDevice();
        detach(attached.state());

        String volume = "{\"kubernetes.io/fsType\":\"xfs\",\"kubernetes.io/pvOrVolumeName\":\"data\","
                + "\"kubernetes.io/readwrite\":\"rw\",\"volumeID\":\"v1\"}";
        String pod = "{\"kubernetes.io/fsType\":\"xfs\",\"kubernetes.io/mounterArgs.FsGroup\":\"2000\","
                + "\"kubernetes.io/pod.name\":\"web\",\"kubernetes.io/pod.namespace\":\"default\","
                + "\"kubernetes.io/pod.uid\":\"uid-1\",\"kubernetes.io/pvOrVolumeName\":\"data\","
                + "\"kubernetes.io/readwrite\":\"rw\",\"kubernetes.io/serviceAccount.name\":\"robot\","
                + "\"volumeID\":\"v1\"}";
        assertThat(driver.calls)
                .containsExactly(
                        List.of("init"),
                        List.of("getvolumename", volume),
                        List.of("attach", volume, "node-1"),
                        List.of("waitforattach", "/dev/flex", volume),
                        List.of("mountdevice", DEVICE.toString(), "/dev/flex", volume),
                        List.of("mount", TARGET.toString(), pod),
                        List.of("unmount", TARGET.toString()),
                        List.of("unmountdevice", DEVICE.toString()),
                        List.of("detach", "vg/v1", "node-1"));
    }

    @Test
    void theVolumesOwnOptionsBeatTheNodes() {
        volumeOptions = Map.of("kubernetes.io/fsType", "btrfs");
        attach();

        assertThat(driver.calls.get(1).get(1))
                .contains("\"kubernetes.io/fsType\":\"btrfs\"")
                .doesNotContain("xfs");
    }

    @Test
    void aDriverThatDoesNotMountGetsOurBindOfItsDeviceMount() {
        supports("mountdevice", "unmountdevice");
        mountDevice(attach());
        machine.user().write(DEVICE.absolute().resolve("f"), new byte[] {7});

        mount();

        assertThat(machine.user().read(TARGET.absolute().resolve("f"))).containsExactly(7);
        unmount();
        unmountDevice();
        assertThat(machine.table().size()).isEqualTo(1);
    }

    @Test
    void aDriverThatOnlyAttachesGetsOurProvenFormatAndMount() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);

        mountDevice(attach());

        assertThat(machine.table().at(DEVICE.absolute()))
                .map(MountEntry::fsType)
                .contains("xfs");
        unmountDevice();
        detach(PluginState.none());
    }

    /** Several nodes may have it at the same time: a writable mount on each would destroy the filesystem. */
    @Test
    void aDeviceThatManyNodesOnlyReadIsMountedReadOnly() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);
        mountDevice(attach());
        unmountDevice();

        accessModes = List.of(AccessMode.READ_ONLY_MANY);
        mountDevice(attach());
        mount();

        assertThat(machine.table().at(DEVICE.absolute()))
                .hasValueSatisfying(mount -> assertThat(mount.readOnly()).isTrue());
        assertThat(machine.table().at(TARGET.absolute()))
                .hasValueSatisfying(mount -> assertThat(mount.readOnly()).isTrue());
        mount();
        unmount();
        unmountDevice();

        accessModes = List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY);
        mountDevice(attach());
        assertThat(machine.table().at(DEVICE.absolute()))
                .hasValueSatisfying(mount -> assertThat(mount.readOnly()).isFalse());
    }

    /** Its pods share the device mount, and the next pod may write. */
    @Test
    void aDeviceWhoseFirstPodOnlyReadsIsMountedWritable() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);
        accessModes = List.of(AccessMode.READ_WRITE_ONCE);
        podReads = true;
        mountDevice(attach());
        podReads = false;
        mount();

        assertThat(driver.calls).allSatisfy(call -> assertThat(call.toString()).doesNotContain("\"ro\""));
        assertThat(machine.table().at(TARGET.absolute()))
                .hasValueSatisfying(mount -> assertThat(mount.readOnly()).isFalse());
    }

    @Test
    void whatIsNotSupportedIsAskedOnce() {
        supports("mountdevice");
        AttachResult attached = attach();
        mountDevice(attached);
        mount();
        unmount();
        mount();
        unmount();
        attach();

        assertThat(driver.commands()).containsOnlyOnce("mount", "unmount", "getvolumename", "waitforattach");
        assertThat(driver.commands().stream().filter("attach"::equals)).hasSize(2);
    }

    @Test
    void anExchangedDriverIsAskedAnew() {
        attach();
        loaded = null;
        attach();

        assertThat(driver.commands().stream().filter("getvolumename"::equals)).hasSize(2);
    }

    @Test
    void capabilitiesThatAreLeftOutHaveTheProtocolsDefaults() {
        assertThat(plugin().attacher(spec())).isPresent();
        assertThat(plugin().shared(spec())).isTrue();
        assertThat(plugin().mounter(spec()).orElseThrow().managesContent()).isTrue();
        assertThat(plugin().nodeExpander(spec())).isPresent();
    }

    @Test
    void aDriverMaySayThatItDoesNotAttach() {
        driver.says(
                "init",
                "{\"status\":\"Success\",\"capabilities\":{\"attach\":false,\"fsGroup\":false,\"requiresFSResize\":false}}");
        supports("mount", "unmount");

        assertThat(plugin().attacher(spec())).isEmpty();
        assertThat(plugin().deviceMounter(spec())).isEmpty();
        assertThat(plugin().shared(spec())).isFalse();
        assertThat(plugin().nodeExpander(spec())).isEmpty();
        assertThat(plugin().mounter(spec()).orElseThrow().managesContent()).isFalse();
        mount();
        unmount();
        assertThat(driver.commands()).containsExactly("mount", "unmount");
    }

    @Test
    void aDriverThatNeitherAttachesNorMountsIsAFailureThatLeavesNothing() {
        driver.says("init", "{\"status\":\"Success\",\"capabilities\":{\"attach\":false}}");

        assertThat(catchThrowableOfType(VolumeException.class, this::mount).kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(machine.files().status(TARGET)).isEmpty();
    }

    @Test
    void detachFindsTheDriversNameWithoutAnyState() {
        supports("detach");
        driver.says("getvolumename", "{\"status\":\"Success\",\"volumeName\":\"vg/v1\"}");
        attach();
        loaded = null;

        detach(PluginState.none());

        assertThat(driver.calls.get(driver.calls.size() - 1)).containsExactly("detach", "vg/v1", "node-1");
    }

    @Test
    void theDriverIsAskedWhetherItIsAttached() {
        attach();
        driver.says("isattached", "{\"status\":\"Success\",\"attached\":true}");
        assertThat(observe()).containsExactly(Observation.PRESENT);

        driver.says("isattached", "{\"status\":\"Success\",\"attached\":false}");
        assertThat(observe()).containsExactly(Observation.ABSENT);

        driver.says("isattached", "{\"status\":\"Failure\"}");
        assertThat(observe()).as("a failure is no absence").containsExactly(Observation.UNKNOWN);
    }

    @Test
    void podsThatDescribeTheSameVolumeInlineShareIt() {
        String name = plugin().volumeName(spec());

        assertThat(name).startsWith("inline-").isEqualTo(plugin().volumeName(spec()));
        volumeOptions = Map.of("volumeID", "v2");
        assertThat(plugin().volumeName(spec())).isNotEqualTo(name);
    }
}
