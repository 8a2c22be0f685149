package io.volume4j.core.plugins;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Unmounter.UnmountRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real servers through the library: an iSCSI target that wants CHAP, an NFS export, and a unit of storage to which two ways lead
 * that multipathd joins, all on this very machine. Run by {@code .ci/vm/run} in a virtual machine, never by a build:
 *
 * <pre>
 *   java … StorageServersCheck &lt;portal&gt; &lt;target&gt; &lt;lun&gt; &lt;user&gt; &lt;password&gt; &lt;nfs server&gt; &lt;nfs path&gt; &lt;wwid&gt;
 * </pre>
 *
 * It prints what it sees and ends with an exception where that is not what it should be.
 */
public final class StorageServersCheck {
    private static final Path ROOT = Path.of("/var/lib/volume4j");
    /** A second each. */
    private static final int LOOKS = 20;

    private static final RootedPath TARGET = RootedPath.of(ROOT, "pods/uid-1/volumes/p/data");

    private final PluginHost host;

    private StorageServersCheck(PluginHost host) {
        this.host = host;
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> login = Map.of(
                "node.session.auth.username", arguments[3],
                "node.session.auth.password", arguments[4]);
        try (LinuxMountBackend backend = LinuxMountBackend.create()) {
            backend.files().createRoot(ROOT);
            StorageServersCheck check = new StorageServersCheck(DefaultPluginHost.builder(ROOT)
                    .nodeName("vm")
                    .mounts(backend)
                    .secrets(reference -> new SecretValues(login))
                    .build());
            check.iscsi(new IscsiSource(
                    arguments[0],
                    arguments[1],
                    Integer.parseInt(arguments[2]),
                    "",
                    "ext4",
                    false,
                    List.of(),
                    false,
                    true,
                    new SecretRef("default", "login"),
                    ""));
            check.nfs(new NfsSource(arguments[5], arguments[6], false));
            check.nfsOfAClass(arguments[5], arguments[6]);
            check.fc(arguments[7]);
        }
    }

    private void iscsi(IscsiSource source) throws IOException {
        for (String expected : new String[] {"", "written over iSCSI"}) {
            IscsiPlugin plugin = new IscsiPlugin();
            plugin.init(host);
            VolumeSpec spec = Given.volume(source, VolumeMode.FILESYSTEM);
            VolumeId id = VolumeId.shared(plugin.name(), plugin.volumeName(spec));
            mountDevice(plugin, spec, id);
            showMounted("iscsi mounted");
            readThenWrite("iscsi", expected, "written over iSCSI");
            require(count(Path.of("/sys/class/iscsi_session")) == 1, "one session");
            plugin.deviceUnmounter(id)
                    .orElseThrow()
                    .unmountDevice(new DeviceUnmountRequest(id, "", TARGET, PluginState.none()), TestContext.first());
            require(count(Path.of("/sys/class/iscsi_session")) == 0, "no session is left");
            require(count(Path.of("/etc/iscsi/nodes", source.iqn())) == 0, "no record with credentials is left");
        }
    }

    private void nfs(NfsSource source) throws IOException {
        for (String expected : new String[] {"", "written over NFS"}) {
            VolumePlugin plugin = new NfsPlugin();
            plugin.init(host);
            VolumeSpec spec = Given.volume(source, VolumeMode.FILESYSTEM);
            VolumeId id = VolumeId.ofPod(plugin.name(), plugin.volumeName(spec), "uid-1");
            plugin.mounter(spec)
                    .orElseThrow()
                    .mount(
                            new MountRequest(
                                    spec,
                                    id,
                                    Given.pod(),
                                    "data",
                                    null,
                                    "",
                                    Map.of(),
                                    TARGET,
                                    false,
                                    0,
                                    PluginState.none()),
                            TestContext.first());
            showMounted("nfs mounted");
            readThenWrite("nfs", expected, "written over NFS");
            plugin.unmounter(id)
                    .orElseThrow()
                    .unmount(new UnmountRequest(id, "uid-1", "data", TARGET, PluginState.none()), TestContext.first());
            require(!Files.exists(TARGET.absolute()), "nothing is left at the target");
        }
    }

    /** The server is this machine, so what became of the export is seen without NFS. */
    private void nfsOfAClass(String server, String share) throws IOException {
        VolumePlugin plugin = new NfsPlugin();
        plugin.init(host);
        for (boolean archive : new boolean[] {false, true}) {
            StorageClass storageClass = Given.storageClass(
                    Map.of("server", server, "share", share, "archiveOnDelete", Boolean.toString(archive)));
            ProvisionResult made = plugin.provisioner(storageClass)
                    .orElseThrow()
                    .provision(
                            new ProvisionRequest(
                                    "pvc-1",
                                    Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_MANY),
                                    storageClass,
                                    1,
                                    0,
                                    null),
                            TestContext.first());
            Path directory = Path.of(share, "pvc-1");
            Files.writeString(directory.resolve("note"), "kept");
            DeleteRequest request = new DeleteRequest("pvc-1", made.source(), made.annotations());
            for (int i = 0; i < 2; i++) {
                plugin.deleter(Given.volume(made.source(), VolumeMode.FILESYSTEM))
                        .orElseThrow()
                        .delete(request, TestContext.first());
            }
            require(!Files.exists(directory), "the volume's directory is gone from the export");
            Path archived = Path.of(share, "archived-pvc-1", "note");
            require(Files.exists(archived) == archive, archive ? "it is archived" : "it is not archived");
        }
    }

    /**
     * The kernel's test adapter shows the unit by two ways, as two adapters of a fabric do; it has no ports, so that the unit goes by its
     * own identifier.
     */
    private void fc(String wwid) throws IOException {
        for (String expected : new String[] {"", "written over FC"}) {
            show(wwid);
            FcPlugin plugin = new FcPlugin();
            plugin.init(host);
            VolumeSpec spec =
                    Given.volume(new FcSource(List.of(), null, "ext4", false, List.of(wwid)), VolumeMode.FILESYSTEM);
            VolumeId id = VolumeId.shared(plugin.name(), plugin.volumeName(spec));
            if (expected.isEmpty()) {
                provesByTheUnitsWord(link(wwid));
            }
            mountDevice(plugin, spec, id);
            showMounted("fc mounted");
            List<Path> ways = bothWays();
            require(ways.size() == 2, "two ways to " + wwid + " are joined: " + ways);
            readThenWrite("fc", expected, "about to lose a way");
            Files.writeString(ways.get(0).resolve("device/delete"), "1");
            readThenWrite("fc with one way", "about to lose a way", "written over FC");
            untilDone(() -> plugin.deviceUnmounter(id)
                    .orElseThrow()
                    .unmountDevice(new DeviceUnmountRequest(id, "", TARGET, PluginState.none()), TestContext.first()));
            require(waysOf().isEmpty(), "no map is left");
            require(!Files.exists(link(wwid)), "no way is left");
        }
    }

    /** As the library's reconciler does: udev may still look at a device that was just unmounted. */
    private static void untilDone(Runnable step) {
        for (int attempt = 1; ; attempt++) {
            try {
                step.run();
                return;
            } catch (VolumeException e) {
                if (e.kind() != FailureKind.TRANSIENT || attempt == 10) {
                    throw e;
                }
                System.out.println("again: " + e.getMessage());
                udevadm("settle");
            }
        }
    }

    /** The unit is provisioned thinly, so that its own word proves what is too large to be read without asking. */
    private void provesByTheUnitsWord(Path unit) throws IOException {
        udevadm("wait", "--timeout=20", unit.toString());
        udevadm("settle");
        DeviceContent blank = host.mounts().orElseThrow().devices().probe(unit);
        require(blank.kind() == DeviceContent.Kind.BLANK, "a thin unit is blank: " + blank);
        require(blank.evidence().contains("mapped to nothing by the unit"), "by what it says itself");

        try (FileChannel channel = FileChannel.open(unit, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("data without a mark".getBytes(StandardCharsets.US_ASCII)), 20L << 20);
            channel.force(true);
        }
        DeviceContent written = host.mounts().orElseThrow().devices().probe(unit);
        require(written.kind() == DeviceContent.Kind.FOREIGN, "data far from all marks is found: " + written);
        run("blkdiscard", "--force", unit.toString());
        DeviceContent again = host.mounts().orElseThrow().devices().probe(unit);
        require(again.kind() == DeviceContent.Kind.BLANK, "after a discard it is blank again: " + again);
    }

    /** What the fabric does when the unit is shown to this node. */
    private static void show(String wwid) throws IOException {
        try (Stream<Path> hosts = Files.list(Path.of("/sys/class/scsi_host"))) {
            for (Path adapter : hosts.toList()) {
                int number = Integer.parseInt(adapter.getFileName().toString().substring("host".length()));
                boolean standby = number % 3 == 2;
                if (!standby
                        && Files.readString(adapter.resolve("proc_name"))
                                .strip()
                                .equals("scsi_debug")) {
                    Files.writeString(adapter.resolve("scan"), "- - -");
                }
            }
        }
        udevadm("wait", "--timeout=60", link(wwid).toString());
    }

    private static void udevadm(String... arguments) {
        List<String> command = new ArrayList<>(List.of("udevadm"));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    private static void run(String... command) {
        try {
            new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path link(String wwid) {
        return Path.of("/dev/disk/by-id/scsi-" + wwid);
    }

    /** multipathd may make the map of one way and add the other a moment later. */
    private static List<Path> bothWays() throws IOException {
        for (int look = 0; look < LOOKS && waysOf().size() < 2; look++) {
            udevadm("wait", "--timeout=1", "/dev/v4j-no-such-device");
        }
        return waysOf();
    }

    /** The disks that the only multipath map of this machine joins. */
    private static List<Path> waysOf() throws IOException {
        Path block = Path.of("/sys/block");
        try (Stream<Path> devices = Files.list(block)) {
            for (Path device : devices.toList()) {
                Path name = device.resolve("dm/uuid");
                if (Files.exists(name) && Files.readString(name).startsWith("mpath-")) {
                    try (Stream<Path> ways = Files.list(device.resolve("slaves"))) {
                        return ways.map(way -> block.resolve(way.getFileName())).toList();
                    }
                }
            }
        }
        return List.of();
    }

    private static void mountDevice(VolumePlugin plugin, VolumeSpec spec, VolumeId id) {
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(spec, id, "", Map.of(), TARGET, null, new Formats(), PluginState.none()),
                        TestContext.first());
    }

    private static void readThenWrite(String what, String expected, String text) throws IOException {
        Path note = TARGET.absolute().resolve("note");
        String there = Files.exists(note) ? Files.readString(note) : "";
        require(there.equals(expected), what + " holds \"" + there + "\" where \"" + expected + "\" is expected");
        Files.writeString(note, text);
    }

    private static void showMounted(String what) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            if (line.contains(TARGET.toString())) {
                System.out.println(what + ": " + line);
            }
        }
    }

    private static long count(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("must be: " + what);
        }
        System.out.println("ok: " + what);
    }

    private static final class Formats implements FormatLedger {
        private @Nullable OpenFormat open;

        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {
            open = new OpenFormat(device, fsType, proof);
        }

        @Override
        public @Nullable OpenFormat open() {
            return open;
        }

        @Override
        public void finish() {
            open = null;
        }
    }
}
