package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.FlexVolumes;
import io.volume4j.core.plugins.ProvenFormatAndMount;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the library talks to flexvolume drivers. */
class FlexPluginTest {
    private static final Path ROOT = Path.of("/var/lib/volume4j");
    private static final RootedPath DEVICE = RootedPath.of(ROOT, "plugins/p/devices/h/mount");
    private static final RootedPath TARGET = RootedPath.of(ROOT, "pods/uid-1/volumes/p/data");

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final ScriptedFlexDriver driver = new ScriptedFlexDriver(machine);
    private final InMemorySecrets secrets = new InMemorySecrets();
    private FlexVolumes.Options options = FlexVolumes.Options.defaults();
    private @Nullable SecretRef secretRef;
    private Map<String, String> volumeOptions = Map.of("volumeID", "v1");
    private @Nullable VolumePlugin loaded;
    private PluginState deviceState = PluginState.none();
    private String attachedPath = "/dev/flex";

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
        assertThat(driver.commands())
                .as("what is mounted is waited for by nobody")
                .isEmpty();
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ok",
                "{}",
                "{\"status\":\"Failed\"}",
                "{\"status\":\"Success\"} and more",
                "[\"Success\"]",
                "{\"status\":\"Success\"",
            })
    void whatIsNoAnswerIsAFailureThatMayHaveHadAnEffect(String output) {
        plugin();
        driver.says("attach", output);

        VolumeException failure = catchThrowableOfType(VolumeException.class, this::attach);

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessageContaining("flexvolume driver example.com/disk attach");
    }

    @Test
    void successWithABadExitCodeIsTheDriversBugAndAFailure() {
        plugin();
        driver.ends("attach", new Outcome(Ending.EXITED, 3, "{\"status\":\"Success\",\"device\":\"/dev/x\"}", false));

        assertThat(catchThrowableOfType(VolumeException.class, this::attach))
                .hasMessageContaining("it says Success and ended with exit code 3");
    }

    @Test
    void aDriverThatTakesTooLongOrPrintsTooMuchIsAFailure() {
        plugin();
        driver.ends("attach", new Outcome(Ending.OVERDUE, 0, "", false));
        assertThat(catchThrowableOfType(VolumeException.class, this::attach)).hasMessageEndingWith("attach: timeout");

        driver.ends("attach", new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", true));
        assertThat(catchThrowableOfType(VolumeException.class, this::attach)).hasMessageContaining("printed more");
    }

    @Test
    void aDriverThatSaysMountedAndDidNotIsNotBelieved() {
        plugin();
        AttachResult attached = attach();
        driver.says("mountdevice", "{\"status\":\"Success\" }");
        machine.install(
                ScriptedFlexDriver.PROGRAM, call -> new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", false));

        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> mountDevice(attached));

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessageContaining("nothing is mounted there");
    }

    @Test
    void aDriverThatSaysUnmountedAndDidNotIsHelped() {
        supports("mountdevice");
        mountDevice(attach());
        machine.install(
                ScriptedFlexDriver.PROGRAM, call -> new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", false));

        unmountDevice();

        assertThat(machine.table().at(DEVICE.absolute())).isEmpty();
    }

    @Test
    void growingIsTheDriversWordAtTheBackendAndOnTheNode() {
        supports("mountdevice", "unmountdevice", "expandfs");
        driver.says("expandvolume", "{\"status\":\"Success\",\"volumeNewSize\":3221225472}");
        mountDevice(attach());
        driver.calls.clear();

        ExpandResult grown = expandVolume();
        long seen = expandOnNode(DEVICE);

        String volume = "{\"kubernetes.io/fsType\":\"xfs\",\"kubernetes.io/pvOrVolumeName\":\"data\","
                + "\"kubernetes.io/readwrite\":\"rw\",\"volumeID\":\"v1\"}";
        assertThat(driver.calls)
                .containsExactly(
                        List.of("expandvolume", volume, "", "2147483648", "1073741824"),
                        List.of("expandfs", volume, "/dev/flex", DEVICE.toString(), "2147483648", "1073741824"));
        assertThat(grown.capacityBytes()).as("what the driver made of it").isEqualTo(3L << 30);
        assertThat(grown.nodeExpansionRequired()).isTrue();
        assertThat(seen).isEqualTo(2L << 30);
        unmountDevice();
    }

    @Test
    void aDriverThatDoesNotGrowGetsTheSizeAskedForAndOurTools() {
        machine.addDisk(Path.of("/dev/flex"), "serial-1", 1L << 30);
        mountDevice(attach());
        machine.resizeDisk(Path.of("/dev/flex"), 2L << 30);

        assertThat(expandVolume().capacityBytes()).isEqualTo(2L << 30);
        assertThat(expandOnNode(DEVICE)).isEqualTo(2L << 30);

        assertThat(machine.usage(DEVICE.absolute()).totalBytes()).isEqualTo(2L << 30);
        assertThat(driver.commands()).contains("expandvolume", "expandfs");
        unmountDevice();
    }

    @Test
    void aDriverThatFailsToGrowMayHaveGrown() {
        plugin();
        driver.says("expandvolume", "{\"status\":\"Failure\",\"message\":\"no room\"}");
        driver.says("expandfs", "{\"status\":\"Failure\",\"message\":\"busy\"}");

        VolumeException atBackend = catchThrowableOfType(VolumeException.class, this::expandVolume);
        VolumeException onNode = catchThrowableOfType(VolumeException.class, () -> expandOnNode(DEVICE));

        assertThat(atBackend.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(atBackend).hasMessageContaining("expandvolume: it says: \"no room\"");
        assertThat(onNode.kind()).isEqualTo(FailureKind.UNCERTAIN);
    }

    private ExpandResult expandVolume() {
        return plugin().expander(spec())
                .orElseThrow()
                .expand(new ExpandRequest(spec(), 2L << 30, 1L << 30), new ManualCallContext());
    }

    private long expandOnNode(@Nullable RootedPath mount) {
        return plugin().nodeExpander(spec())
                .orElseThrow()
                .expand(
                        new NodeExpandRequest(spec(), id(), attachedPath, mount, 2L << 30, 1L << 30, deviceState, null),
                        new ManualCallContext())
                .capacityBytes();
    }

    /** Otherwise the claim would say that the filesystem is larger, and it is not. */
    @Test
    void whatNobodyCanGrowIsNotSaidToHaveGrown() {
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> expandOnNode(null));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.advice()).contains("requiresFSResize");
    }

    @Test
    void aSecretWithoutANamespaceIsThatOfTheVolumesClaim() {
        secrets.put(new SecretRef("default", "login"), Map.of("password", "quiet"));
        options = options.withSecretsOnCommandLine(true);
        FlexVolumeSource source =
                new FlexVolumeSource(ScriptedFlexDriver.NAME, "xfs", false, volumeOptions, new SecretRef("", "login"));
        PersistentVolume volume = new PersistentVolume(
                ObjectMeta.named("", "pv-1"),
                new PersistentVolume.Spec(
                        Quantity.parse("1Gi"),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        new ObjectReference("v1", "PersistentVolumeClaim", "default", "data", "uid-data", ""),
                        List.of(),
                        null,
                        "",
                        source),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
        VolumeSpec spec = VolumeSpec.of(volume, false);

        var unused = plugin().attacher(spec)
                .orElseThrow()
                .attach(new AttachRequest(spec, id(), "node-1", false, PluginState.none()), new ManualCallContext());

        assertThat(driver.calls.toString()).contains("\"kubernetes.io/secret/password\":\"cXVpZXQ=\"");
    }

    @Test
    void noSecretGoesToADriverUnlessTheHostAllowsIt() {
        secretRef = new SecretRef("default", "login");
        secrets.put(secretRef, Map.of("password", "quiet"));

        VolumeException refusal = catchThrowableOfType(VolumeException.class, this::mount);

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refusal.advice()).contains("CSI");
        assertThat(driver.calls.toString()).doesNotContain("cXVpZXQ=");

        options = options.withSecretsOnCommandLine(true);
        loaded = null;
        driver.says("init", "{\"status\":\"Success\",\"capabilities\":{\"attach\":false}}");
        supports("mount");
        mount();
        assertThat(driver.calls.toString()).contains("\"kubernetes.io/secret/password\":\"cXVpZXQ=\"");
    }

    @Test
    void podsThatDescribeTheSameVolumeInlineShareIt() {
        String name = plugin().volumeName(spec());

        assertThat(name).startsWith("inline-").isEqualTo(plugin().volumeName(spec()));
        volumeOptions = Map.of("volumeID", "v2");
        assertThat(plugin().volumeName(spec())).isNotEqualTo(name);
    }

    private void supports(String... commands) {
        for (String command : commands) {
            driver.says(command, "{\"status\":\"Success\"}");
        }
    }

    private VolumePlugin plugin() {
        VolumePlugin there = loaded;
        if (there == null) {
            machine.files().createRoot(ROOT);
            there = FlexVolumes.plugin(ScriptedFlexDriver.NAME, ScriptedFlexDriver.PROGRAM, options);
            there.init(InMemoryPluginHost.named("node-1")
                    .root(ROOT)
                    .mounts(machine)
                    .formatAndMount(new ProvenFormatAndMount(machine))
                    .secrets(secrets)
                    .build());
            loaded = there;
        }
        return there;
    }

    private VolumeSpec spec() {
        return VolumeSpec.inline(new PodVolume(
                "data", new FlexVolumeSource(ScriptedFlexDriver.NAME, "xfs", false, volumeOptions, secretRef)));
    }

    private VolumeId id() {
        return VolumeId.shared(ScriptedFlexDriver.NAME, plugin().volumeName(spec()));
    }

    private AttachResult attach() {
        return plugin().attacher(spec())
                .orElseThrow()
                .attach(new AttachRequest(spec(), id(), "node-1", false, PluginState.none()), new ManualCallContext());
    }

    private void detach(PluginState state) {
        plugin().detacher(id())
                .orElseThrow()
                .detach(new DetachRequest(id(), "node-1", "", state), new ManualCallContext());
    }

    private List<Observation> observe() {
        return plugin().observer()
                .orElseThrow()
                .attachments(List.of(new Query(id(), "node-1")), new ManualCallContext());
    }

    private void mountDevice(AttachResult attached) {
        attachedPath = attached.devicePath();
        deviceState = plugin().deviceMounter(spec())
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec(),
                                id(),
                                attached.devicePath(),
                                Map.of(),
                                DEVICE,
                                null,
                                new NoFormats(),
                                deviceState),
                        new ManualCallContext())
                .state();
    }

    private void unmountDevice() {
        plugin().deviceUnmounter(id())
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(id(), "", DEVICE, PluginState.none()), new ManualCallContext());
    }

    private void mount() {
        Pod pod = new Pod(
                ObjectMeta.named("default", "web").withUid("uid-1"),
                new Pod.Spec(
                        "node-1",
                        List.of(),
                        List.of(),
                        List.of(),
                        new Pod.SecurityContext(2000L, "", List.of(), null),
                        "robot"),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
        RootedPath device = plugin().deviceMounter(spec()).isPresent() ? DEVICE : null;
        var unused = plugin().mounter(spec())
                .orElseThrow()
                .mount(
                        new MountRequest(
                                spec(), id(), pod, "data", device, "", Map.of(), TARGET, false, 0, PluginState.none()),
                        new ManualCallContext());
    }

    private void unmount() {
        plugin().unmounter(id())
                .orElseThrow()
                .unmount(
                        new UnmountRequest(id(), "uid-1", "data", TARGET, PluginState.none()), new ManualCallContext());
    }

    private static final class NoFormats implements FormatLedger {
        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {}

        @Override
        public @Nullable OpenFormat open() {
            return null;
        }

        @Override
        public void finish() {}
    }
}
