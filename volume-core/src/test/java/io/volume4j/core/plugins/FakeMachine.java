package io.volume4j.core.plugins;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BlockDevices;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine with one device, as small as the rules about formatting need it. It writes down every effect, in order, and
 * what it is told to fail with, fails.
 */
final class FakeMachine implements MountBackend, BlockDevices, HostFiles {
    final List<String> effects = new ArrayList<>();
    final List<MountEntry> mounts = new ArrayList<>();
    final TreeSet<String> directories = new TreeSet<>();
    final TreeSet<String> mkfs = new TreeSet<>(List.of("ext4", "xfs"));
    DeviceIdentity identity = new DeviceIdentity("serial-1", 1 << 26);
    Supplier<DeviceContent> content = () -> new DeviceContent(DeviceContent.Kind.BLANK, "", "all zero");

    @Nullable
    RuntimeException formatFails;

    @Nullable
    RuntimeException checkFails;

    @Nullable
    RuntimeException mountFails;

    Runnable whenFormatting = () -> {};

    void mounted(Path source, Path target, String fsType, boolean readOnly) {
        mounts.add(new MountEntry(
                mounts.size() + 100L,
                1,
                "7:0",
                "/",
                target,
                List.of(readOnly ? "ro" : "rw"),
                fsType,
                source.toString(),
                List.of("rw")));
    }

    @Override
    public MountTable table() {
        List<MountEntry> now = List.copyOf(mounts);
        return new MountTable() {
            @Override
            public Optional<MountEntry> at(Path mountPoint) {
                return now.stream()
                        .filter(entry -> entry.mountPoint().equals(mountPoint))
                        .reduce((first, second) -> second);
            }

            @Override
            public List<MountEntry> below(Path path) {
                return now.stream()
                        .filter(entry -> entry.mountPoint().startsWith(path))
                        .toList();
            }

            @Override
            public List<MountEntry> ofDevice(String majorMinor) {
                return now.stream()
                        .filter(entry -> entry.majorMinor().equals(majorMinor))
                        .toList();
            }

            @Override
            public int size() {
                return now.size();
            }
        };
    }

    @Override
    public void bind(Path source, RootedPath target, BindOptions options) {
        throw new AssertionError("not needed here");
    }

    @Override
    public void mount(FilesystemMount filesystem, RootedPath target) {
        Optional<MountEntry> there = table().at(target.absolute());
        if (there.isPresent()) {
            if (!there.get().source().equals(filesystem.source())) {
                throw VolumeException.finalFailure("mount: EBUSY: something else is mounted at " + target);
            }
            return;
        }
        if (mountFails != null) {
            throw mountFails;
        }
        effects.add("mount " + filesystem.fsType() + (filesystem.readOnly() ? " ro" : ""));
        mounted(Path.of(filesystem.source()), target.absolute(), filesystem.fsType(), filesystem.readOnly());
    }

    @Override
    public void unmount(RootedPath target, UnmountMode mode) {
        effects.add("unmount " + mode);
        mounts.removeIf(entry -> entry.mountPoint().equals(target.absolute()));
    }

    @Override
    public BlockDevices devices() {
        return this;
    }

    @Override
    public LoopDevices loops() {
        throw new AssertionError("not needed here");
    }

    @Override
    public HostFiles files() {
        return this;
    }

    @Override
    public FilesystemUsage usage(Path path) {
        throw new AssertionError("not needed here");
    }

    @Override
    public Abilities abilities() {
        return new Abilities(true, "", new TreeSet<>(List.of("ext4", "xfs")), mkfs);
    }

    @Override
    public DeviceIdentity identify(Path device) {
        return identity;
    }

    @Override
    public DeviceContent probe(Path device) {
        return content.get();
    }

    @Override
    public void format(Path device, DeviceIdentity expected, String fsType, List<String> options, CallContext context) {
        effects.add("mkfs " + fsType);
        whenFormatting.run();
        if (formatFails != null) {
            throw formatFails;
        }
        content = () -> new DeviceContent(DeviceContent.Kind.FILESYSTEM, fsType, "superblock");
    }

    @Override
    public void check(Path device, String fsType, CallContext context) {
        effects.add("fsck " + fsType);
        if (checkFails != null) {
            throw checkFails;
        }
    }

    @Override
    public void grow(Path device, Path mountPoint, String fsType, CallContext context) {
        throw new AssertionError("not needed here");
    }

    @Override
    public void createRoot(Path root) {}

    @Override
    public void createDirectory(RootedPath path, int mode) {
        directories.add(path.toString());
    }

    @Override
    public void removeDirectory(RootedPath path) {
        directories.remove(path.toString());
    }

    @Override
    public void createSparseFile(RootedPath path, long bytes, int mode) {
        throw new AssertionError("not needed here");
    }

    @Override
    public void growFile(RootedPath path, long bytes) {
        throw new AssertionError("not needed here");
    }

    @Override
    public void removeFile(RootedPath path) {
        throw new AssertionError("not needed here");
    }

    @Override
    public void writeAtomically(RootedPath path, byte[] bytes, int mode) {
        throw new AssertionError("not needed here");
    }

    @Override
    public Optional<byte[]> read(RootedPath path, int maxBytes) {
        return Optional.empty();
    }

    @Override
    public Optional<FileStatus> status(RootedPath path) {
        return directories.contains(path.toString())
                ? Optional.of(new FileStatus(FileStatus.Type.DIRECTORY, 0, 0750))
                : Optional.empty();
    }

    @Override
    public List<String> list(RootedPath path) {
        return Collections.emptyList();
    }

    @Override
    public List<String> listRoot(Path root) {
        return Collections.emptyList();
    }
}
