package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.Snapshotter.CreateRequest;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots of loop volumes on real filesystems. */
@ExtendWith(RealKernel.class)
class LoopSnapshotsOnKernelTest {
    private static final long MIB = 1 << 20;
    private static final byte[] FIRST = "first".getBytes(StandardCharsets.UTF_8);
    private static final byte[] SECOND = "second".getBytes(StandardCharsets.UTF_8);

    private final LinuxFixture machine = new LinuxFixture();
    private final MountBackend backend = machine.backend();
    private CallContext context = new ManualCallContext("snapshots");
    private LoopPlugin plugin = new LoopPlugin();

    private void start() {
        backend.files().createRoot(machine.root());
        plugin.init(DefaultPluginHost.builder(machine.root())
                .nodeName("n1")
                .mounts(backend)
                .build());
    }

    @AfterEach
    void removeAll() {
        backend.unmount(root(), UnmountMode.NORMAL);
        backend.files().removeTree(root(), context);
        machine.close();
    }

    @Test
    void aSnapshotKeepsWhatTheVolumeHeldAndMakesVolumes() {
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        write(image("pvc-1"), FIRST);

        Snapshot snapshot = snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context);
        write(image("pvc-1"), SECOND);
        Snapshot again = snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context);
        ProvisionResult restored =
                provision("pvc-2", 32 * MIB, new ContentSource(ContentSource.Kind.SNAPSHOT, snapshot.handle()));
        ProvisionResult restoredAgain =
                provision("pvc-2", 32 * MIB, new ContentSource(ContentSource.Kind.SNAPSHOT, snapshot.handle()));

        assertThat(again).isEqualTo(snapshot);
        assertThat(snapshot.ready()).isTrue();
        assertThat(snapshot.sizeBytes()).isEqualTo(16 * MIB);
        assertThat(restored.capacityBytes()).isEqualTo(32 * MIB);
        assertThat(restoredAgain.source()).isEqualTo(restored.source());
        assertThat(read("pvc-2", 32 * MIB)).startsWith(FIRST);
        assertThat(read("pvc-1", 16 * MIB)).startsWith(SECOND);
    }

    @Test
    void aVolumeIsClonedAndASmallerOneIsRefused() {
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        write(image("pvc-1"), FIRST);

        ProvisionResult clone = provision("pvc-2", 16 * MIB, new ContentSource(ContentSource.Kind.VOLUME, "pvc-1"));

        assertThat(clone.source()).isNotEqualTo(made.source());
        assertThat(read("pvc-2", 16 * MIB)).startsWith(FIRST);
        assertThat(catchThrowableOfType(
                                VolumeException.class,
                                () -> provision(
                                        "pvc-3", 8 * MIB, new ContentSource(ContentSource.Kind.VOLUME, "pvc-1")))
                        .kind())
                .isEqualTo(FailureKind.INFEASIBLE);
    }

    @Test
    void aClaimsDataSourceIsWhatTheHostSaysItIs() {
        TypedReference snapshot = new TypedReference("snapshot.storage.k8s.io", "VolumeSnapshot", "", "friday");
        plugin = new LoopPlugin((namespace, source) -> switch (namespace + "/" + source.name()) {
            case "default/friday" -> Optional.of(new ContentSource(ContentSource.Kind.SNAPSHOT, "snap-1"));
            case "default/old" -> Optional.of(new ContentSource(ContentSource.Kind.VOLUME, "pvc-1"));
            default -> Optional.empty();
        });
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        write(image("pvc-1"), FIRST);
        assertThat(snapshots()
                        .create(new CreateRequest("snap-1", made.source(), Map.of()), context)
                        .ready())
                .isTrue();
        write(image("pvc-1"), SECOND);

        assertThat(plugin.fillsFromDataSource()).isTrue();
        assertThat(provision("pvc-2", 16 * MIB, null, snapshot).capacityBytes()).isEqualTo(16 * MIB);
        assertThat(provision("pvc-3", 16 * MIB, null, claim("old")).capacityBytes())
                .isEqualTo(16 * MIB);

        assertThat(read("pvc-2", 16 * MIB)).startsWith(FIRST);
        assertThat(read("pvc-3", 16 * MIB)).startsWith(SECOND);
        assertThat(refusalOf("lost").kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(backend.files().status(image("pvc-4"))).as("no empty volume").isEmpty();
    }

    @Test
    void whoCannotSayWhatADataSourceIsMakesNoEmptyVolumeOfIt() {
        start();

        assertThat(plugin.fillsFromDataSource()).isFalse();
        assertThat(refusalOf("old").kind()).isEqualTo(FailureKind.FINAL);
        assertThat(backend.files().status(image("pvc-4"))).isEmpty();
    }

    @Test
    void theFilesystemOfALargerCopyGrowsWhenItIsFirstMounted() {
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        long small = mountedBytes(made.source(), "pvc-1");
        ProvisionResult copy = provision("pvc-2", 64 * MIB, new ContentSource(ContentSource.Kind.VOLUME, "pvc-1"));

        long large = mountedBytes(copy.source(), "pvc-2");

        assertThat(large).isGreaterThan(3 * small);
        RootedPath images = RootedPath.of(machine.root(), "plugins/loop.volume4j.io/data/images");
        assertThat(backend.files().list(images)).containsExactly("pvc-1.img", "pvc-2.img");
    }

    @Test
    void aCopyOfAnXfsIsMountedBesideItsOriginal() {
        assumeTrue(backend.abilities().formats().contains("xfs"), "mkfs.xfs is not installed");
        start();
        ProvisionResult made = provision("pvc-1", 300 * MIB, "xfs", null, null);
        mount(made.source(), "pvc-1");
        unmount("pvc-1");
        ProvisionResult copy =
                provision("pvc-2", 300 * MIB, "xfs", new ContentSource(ContentSource.Kind.VOLUME, "pvc-1"), null);

        mount(made.source(), "pvc-1");
        try {
            mount(copy.source(), "pvc-2");
            mount(copy.source(), "pvc-2");

            assertThat(backend.table()
                            .at(target("pvc-2").absolute())
                            .orElseThrow()
                            .fsType())
                    .isEqualTo("xfs");
        } finally {
            unmount("pvc-2");
            unmount("pvc-1");
        }
    }

    /** Attaches, mounts, looks how large it is, and takes all of that away again. */
    private long mountedBytes(VolumeSource source, String name) {
        try {
            mount(source, name);
            return backend.usage(target(name).absolute()).totalBytes();
        } finally {
            unmount(name);
        }
    }

    private void mount(VolumeSource source, String name) {
        VolumeId id = VolumeId.shared(LoopPlugin.NAME, name);
        VolumeSpec spec = new VolumeSpec("data", source, null, false);
        String device = plugin.attacher(spec)
                .orElseThrow()
                .attach(new AttachRequest(spec, id, "n1", false, PluginState.none()), context)
                .devicePath();
        plugin.deviceMounter(spec)
                .orElseThrow()
                .mountDevice(
                        new DeviceMountRequest(
                                spec, id, device, Map.of(), target(name), null, new Formats(), PluginState.none()),
                        context);
    }

    private void unmount(String name) {
        VolumeId id = VolumeId.shared(LoopPlugin.NAME, name);
        plugin.deviceUnmounter(id)
                .orElseThrow()
                .unmountDevice(new DeviceUnmountRequest(id, "", target(name), PluginState.none()), context);
        plugin.detacher(id).orElseThrow().detach(new DetachRequest(id, "n1", "", PluginState.none()), context);
    }

    private RootedPath target(String name) {
        return RootedPath.of(machine.root(), "plugins/loop.volume4j.io/devices/" + name + "/mount");
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

    private static TypedReference claim(String name) {
        return new TypedReference("", "PersistentVolumeClaim", "", name);
    }

    private VolumeException refusalOf(String source) {
        return catchThrowableOfType(VolumeException.class, () -> provision("pvc-4", 16 * MIB, null, claim(source)));
    }

    @Test
    void aDeletedSnapshotIsGoneAndDeletingItTwiceIsSuccess() {
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        Snapshot snapshot = snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context);

        snapshots().delete(snapshot.handle(), context);
        snapshots().delete(snapshot.handle(), context);

        assertThat(snapshots().get("snap-1", context)).isEmpty();
        assertThat(backend.files().list(RootedPath.of(machine.root(), "plugins/loop.volume4j.io/data/snapshots")))
                .isEmpty();
    }

    @Test
    void anAttachedImageIsNotCopiedWhereTheCopyWouldNotBeOfOneInstant() {
        backend.files().createRoot(machine.root());
        backend.mount(new FilesystemMount("tmpfs", "images", false, List.of("size=64m", "mode=0700")), root());
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        var device = backend.loops().attach(image("pvc-1"), false);
        assertThat(device).isNotNull();

        VolumeException refusal = catchThrowableOfType(
                VolumeException.class,
                () -> snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context));

        backend.loops().detach(image("pvc-1"));
        assertThat(refusal.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(refusal.advice()).contains("xfs or btrfs");
        assertThat(snapshots().get("snap-1", context)).isEmpty();
    }

    /** Without shared blocks the copy takes time; a volume may be attached, written and detached before it ends. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anImageThatIsWrittenWhileItIsCopiedBecomesNoSnapshotAndNoVolume(boolean detachedAgain) {
        backend.files().createRoot(machine.root());
        backend.mount(new FilesystemMount("tmpfs", "images", false, List.of("size=64m", "mode=0700")), root());
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        fill(image("pvc-1"));
        context = new AtFirstCopied(() -> writeThroughLoop("pvc-1", detachedAgain));

        VolumeException noSnapshot = catchThrowableOfType(
                VolumeException.class,
                () -> snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context));
        backend.loops().detach(image("pvc-1"));
        context = new AtFirstCopied(() -> writeThroughLoop("pvc-1", detachedAgain));
        VolumeException noClone = catchThrowableOfType(
                VolumeException.class,
                () -> provision("pvc-2", 16 * MIB, new ContentSource(ContentSource.Kind.VOLUME, "pvc-1")));
        backend.loops().detach(image("pvc-1"));

        assertThat(noSnapshot.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(noClone.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(noClone).hasMessageContaining("a program changed").hasMessageContaining("pvc-1.img");
        context = new ManualCallContext("again");
        assertThat(snapshots().get("snap-1", context)).isEmpty();
        assertThat(backend.files().status(image("pvc-2"))).isEmpty();
        snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context);
        provision("pvc-2", 16 * MIB, new ContentSource(ContentSource.Kind.SNAPSHOT, "snap-1"));
        assertThat(read("pvc-2", 16 * MIB)).isEqualTo(read("pvc-1", 16 * MIB));
    }

    @Test
    void anAttachedVolumeIsNotClonedUntilItIsDetached() {
        backend.files().createRoot(machine.root());
        backend.mount(new FilesystemMount("tmpfs", "images", false, List.of("size=64m", "mode=0700")), root());
        start();
        provision("pvc-1", 16 * MIB, null);
        ContentSource original = new ContentSource(ContentSource.Kind.VOLUME, "pvc-1");
        assertThat(backend.loops().attach(image("pvc-1"), false)).isNotNull();

        VolumeException refusal =
                catchThrowableOfType(VolumeException.class, () -> provision("pvc-2", 16 * MIB, original));

        backend.loops().detach(image("pvc-1"));
        assertThat(refusal.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(refusal.advice()).contains("xfs or btrfs");
        assertThat(provision("pvc-2", 16 * MIB, original).capacityBytes()).isEqualTo(16 * MIB);
    }

    private void writeThroughLoop(String name, boolean thenDetach) {
        Path device = backend.loops().attach(image(name), false);
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(SECOND), 0);
            channel.write(ByteBuffer.wrap(SECOND), 15 * MIB);
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (thenDetach) {
            backend.loops().detach(image(name));
        }
    }

    /** No holes, so that the copy takes several reads. */
    private void fill(RootedPath image) {
        byte[] full = new byte[(int) (16 * MIB)];
        Arrays.fill(full, (byte) 1);
        backend.files().writeAtomically(image, full, 0600);
    }

    /** Does something once, when the first part of a file is copied. */
    private static final class AtFirstCopied implements CallContext {
        private final ManualCallContext context = new ManualCallContext("copy");
        private Runnable action;

        AtFirstCopied(Runnable action) {
            this.action = action;
        }

        @Override
        public void progress(String message) {
            if (message.startsWith("copied ")) {
                Runnable now = action;
                action = () -> {};
                now.run();
            }
        }

        @Override
        public String operationId() {
            return context.operationId();
        }

        @Override
        public int attempt() {
            return context.attempt();
        }

        @Override
        public Duration remaining() {
            return context.remaining();
        }

        @Override
        public boolean cancelled() {
            return context.cancelled();
        }

        @Override
        public void onCancel(Runnable whenCancelled) {
            context.onCancel(whenCancelled);
        }
    }

    @Test
    void anAttachedImageIsCutInAnInstantWhereTheFilesystemSharesBlocks() {
        assumeTrue(backend.abilities().formats().contains("btrfs"), "mkfs.btrfs is not installed");
        backend.files().createRoot(machine.root());
        Path disk = machine.disk("btrfs", 160 * MIB);
        backend.devices().format(disk, backend.devices().identify(disk), "btrfs", List.of(), context);
        backend.mount(new FilesystemMount("btrfs", disk.toString(), false, List.of()), root());
        start();
        ProvisionResult made = provision("pvc-1", 16 * MIB, null);
        write(image("pvc-1"), FIRST);
        var device = backend.loops().attach(image("pvc-1"), false);
        assertThat(device).isNotNull();

        Snapshot snapshot = snapshots().create(new CreateRequest("snap-1", made.source(), Map.of()), context);

        backend.loops().detach(image("pvc-1"));
        assertThat(snapshot.sizeBytes()).isEqualTo(16 * MIB);
        provision("pvc-2", 16 * MIB, new ContentSource(ContentSource.Kind.SNAPSHOT, "snap-1"));
        assertThat(read("pvc-2", 16 * MIB)).startsWith(FIRST);
    }

    private RootedPath root() {
        return RootedPath.of(Objects.requireNonNull(machine.root().getParent()), "root");
    }

    private Snapshotter snapshots() {
        return plugin.snapshotter().orElseThrow();
    }

    private RootedPath image(String name) {
        return RootedPath.of(machine.root(), "plugins/loop.volume4j.io/data/images/" + name + ".img");
    }

    /** Replaces the image by one that begins so and is as large as before. */
    private void write(RootedPath image, byte[] beginning) {
        long bytes = backend.files().status(image).orElseThrow().bytes();
        backend.files().writeAtomically(image, beginning, 0600);
        backend.files().growFile(image, bytes);
    }

    private byte[] read(String name, long bytes) {
        return backend.files().read(image(name), (int) bytes).orElseThrow();
    }

    private ProvisionResult provision(String name, long bytes, @Nullable ContentSource content) {
        return provision(name, bytes, content, null);
    }

    private ProvisionResult provision(
            String name, long bytes, @Nullable ContentSource content, @Nullable TypedReference dataSource) {
        return provision(name, bytes, "", content, dataSource);
    }

    private ProvisionResult provision(
            String name,
            long bytes,
            String fsType,
            @Nullable ContentSource content,
            @Nullable TypedReference dataSource) {
        StorageClass storageClass = new StorageClass(
                ObjectMeta.named("", "loop"),
                LoopPlugin.NAME,
                fsType.isEmpty() ? Map.of() : Map.of("fsType", fsType),
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "claim").withUid(name),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Quantity.ofBytes(bytes),
                        "loop",
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        dataSource,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
        ProvisionRequest request = new ProvisionRequest(name, claim, storageClass, bytes, 0, null);
        return plugin.provisioner(storageClass)
                .orElseThrow()
                .provision(content == null ? request : request.filledFrom(content), context);
    }
}
