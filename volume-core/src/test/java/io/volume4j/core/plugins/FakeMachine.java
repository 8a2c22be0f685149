package io.volume4j.core.plugins;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
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
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine as small as these tests need it: files without content, one kind of device, a mount table. It writes down every
 * effect on mounts and devices, in order, and what it is told to fail with, fails.
 */
public final class FakeMachine implements MountBackend, BlockDevices, HostFiles, LoopDevices {
    final List<String> effects = new ArrayList<>();
    final List<MountEntry> mounts = new ArrayList<>();
    public final TreeMap<Path, FileStatus> nodes = new TreeMap<>();

    @Nullable
    Programs programs;

    /** The contents of files such as those of sysfs. */
    final TreeMap<Path, String> contents = new TreeMap<>();

    /** What is on filesystems that are not mounted, by source. */
    final TreeMap<String, TreeMap<Path, FileStatus>> served = new TreeMap<>();

    /** Names that no listing shows. */
    final TreeSet<String> unlisted = new TreeSet<>();

    /** Whether its disk has project quotas. */
    boolean hasQuotas;

    final TreeMap<Path, Long> quotas = new TreeMap<>();
    final TreeMap<Path, Path> links = new TreeMap<>();
    final TreeMap<Path, Path> loops = new TreeMap<>();
    final TreeSet<String> filesystems = new TreeSet<>(List.of("ext4", "xfs", "tmpfs"));
    final List<String> mountOptions = new ArrayList<>();
    long available = 1L << 30;
    public Predicate<FilesystemMount> mountRefused = filesystem -> false;
    Consumer<UnmountMode> whenUnmounting = mode -> {};
    final TreeSet<String> mkfs = new TreeSet<>(List.of("ext4", "xfs"));
    DeviceIdentity identity = new DeviceIdentity("serial-1", 1 << 26);
    Supplier<DeviceContent> content = () -> new DeviceContent(DeviceContent.Kind.BLANK, "", "all zero");

    @Nullable
    RuntimeException formatFails;

    @Nullable
    RuntimeException checkFails;

    @Nullable
    public RuntimeException mountFails;

    @Nullable
    public RuntimeException removalFails;

    @Nullable
    public RuntimeException tableFails;

    Runnable whenFormatting = () -> {};

    Runnable whenAsked = () -> {};

    /** The files there are, without the directories on the way to them. */
    List<String> fileNames() {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue().type() != FileStatus.Type.DIRECTORY)
                .map(entry -> entry.getKey().toString())
                .toList();
    }

    FileStatus at(Path path) {
        return Objects.requireNonNull(nodes.get(path), () -> "nothing is at " + path);
    }

    public void put(String path, FileStatus.Type type) {
        nodes.put(Path.of(path), new FileStatus(type, 0, 0700));
    }

    public void mounted(Path source, Path target, String fsType, boolean readOnly) {
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

    /** A machine on which nothing is mounted. */
    public FakeMachine() {}

    @Override
    public MountTable table() {
        if (tableFails != null) {
            throw tableFails;
        }
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
        Optional<MountEntry> there = table().at(target.absolute());
        if (there.isPresent()) {
            if (!there.get().rootInFilesystem().equals(source.toString())) {
                throw VolumeException.finalFailure("bind: EBUSY: something else is mounted at " + target);
            }
            return;
        }
        if (mountFails != null) {
            throw mountFails;
        }
        if (!nodes.containsKey(target.absolute())) {
            throw VolumeException.transientFailure("bind: ENOENT: " + target);
        }
        effects.add("bind " + source + (options.readOnly() ? " ro" : "") + (options.recursive() ? " rec" : ""));
        Optional<MountEntry> origin = table().at(source);
        // A bind of a read-only mount is read-only, and has the options of its filesystem.
        boolean readOnly = options.readOnly()
                || origin.filter(mount -> mount.options().contains("ro")).isPresent();
        mounts.add(new MountEntry(
                mounts.size() + 100L,
                1,
                "7:0",
                source.toString(),
                target.absolute(),
                List.of(readOnly ? "ro" : "rw"),
                origin.map(MountEntry::fsType).orElse("ext4"),
                origin.map(MountEntry::source).orElse("/dev/root"),
                origin.map(MountEntry::superOptions).orElse(List.of("rw"))));
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
        if (mountRefused.test(filesystem)) {
            throw VolumeException.finalFailure("mount " + filesystem.fsType() + ": EINVAL");
        }
        mountOptions.clear();
        mountOptions.addAll(filesystem.options());
        served.getOrDefault(filesystem.source(), new TreeMap<>())
                .forEach((path, status) -> nodes.put(target.absolute().resolve(path), status));
        effects.add("mount " + filesystem.fsType() + (filesystem.readOnly() ? " ro" : ""));
        mounted(Path.of(filesystem.source()), target.absolute(), filesystem.fsType(), filesystem.readOnly());
        withOptions(mounts.size() - 1, filesystem.options());
    }

    private void withOptions(int index, List<String> own) {
        MountEntry entry = mounts.get(index);
        List<String> superOptions = new ArrayList<>(List.of("rw"));
        superOptions.addAll(own);
        mounts.set(
                index,
                new MountEntry(
                        entry.id(),
                        entry.parentId(),
                        entry.majorMinor(),
                        entry.rootInFilesystem(),
                        entry.mountPoint(),
                        entry.options(),
                        entry.fsType(),
                        entry.source(),
                        superOptions));
    }

    @Override
    public void reconfigure(FilesystemMount filesystem, RootedPath target) {
        effects.add("reconfigure " + String.join(" ", filesystem.options()));
        if (mountRefused.test(filesystem)) {
            throw VolumeException.finalFailure("fsconfig " + filesystem.fsType() + ": EINVAL");
        }
        MountEntry there = table().at(target.absolute()).orElseThrow();
        withOptions(mounts.indexOf(there), filesystem.options());
    }

    @Override
    public void unmount(RootedPath target, UnmountMode mode) {
        whenUnmounting.accept(mode);
        effects.add("unmount " + mode);
        Path place = target.absolute();
        table().at(place).ifPresent(mount -> {
            TreeMap<Path, FileStatus> content = new TreeMap<>();
            nodes.tailMap(place, false).forEach((path, status) -> {
                if (path.startsWith(place)) {
                    content.put(place.relativize(path), status);
                }
            });
            nodes.keySet().removeIf(path -> path.startsWith(place) && !path.equals(place));
            served.put(mount.source(), content);
            mounts.remove(mount);
        });
    }

    @Override
    public BlockDevices devices() {
        return this;
    }

    @Override
    public LoopDevices loops() {
        return this;
    }

    @Override
    public Path attach(RootedPath file, boolean readOnly) {
        return loops.computeIfAbsent(file.absolute(), image -> {
            effects.add("attach" + (readOnly ? " ro" : ""));
            return Path.of("/dev/loop" + (loops.size() + 7));
        });
    }

    @Override
    public Optional<Path> find(RootedPath file) {
        return Optional.ofNullable(loops.get(file.absolute()));
    }

    @Override
    public void detach(RootedPath file) {
        effects.add("detach");
        loops.remove(file.absolute());
    }

    @Override
    public void refreshSize(RootedPath file) {
        effects.add("refresh");
    }

    @Override
    public List<LoopDevice> below(Path directory) {
        return loops.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(directory))
                .map(entry -> new LoopDevice(entry.getValue(), entry.getKey()))
                .toList();
    }

    @Override
    public HostFiles files() {
        return this;
    }

    @Override
    public Programs programs() {
        Programs installed = programs;
        if (installed == null) {
            throw new UnsupportedOperationException("this machine runs no programs");
        }
        return installed;
    }

    @Override
    public FilesystemUsage usage(Path path) {
        whenAsked.run();
        return new FilesystemUsage(2 * available, available, available, 100, 90);
    }

    @Override
    public Abilities abilities() {
        return new Abilities(true, "", filesystems, mkfs);
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
        effects.add("grow " + fsType);
    }

    @Override
    public void createRoot(Path root) {
        nodes.putIfAbsent(root, new FileStatus(FileStatus.Type.DIRECTORY, 0, 0700));
    }

    @Override
    public void createDirectory(RootedPath path, int mode) {
        Path next = path.root();
        for (Path name : path.relative()) {
            next = next.resolve(name);
            int made = next.equals(path.absolute()) ? mode : 0750;
            FileStatus there = nodes.putIfAbsent(next, new FileStatus(FileStatus.Type.DIRECTORY, 0, made));
            if (there != null && there.type() != FileStatus.Type.DIRECTORY) {
                throw VolumeException.finalFailure("mkdirat " + next + ": EEXIST");
            }
        }
    }

    @Override
    public void removeDirectory(RootedPath path) {
        if (removalFails != null) {
            throw removalFails;
        }
        if (table().at(path.absolute()).isPresent()) {
            throw VolumeException.of(FailureKind.IN_USE, "unlinkat " + path + ": EBUSY");
        }
        if (!list(path).isEmpty()) {
            throw VolumeException.finalFailure("unlinkat " + path + ": ENOTEMPTY");
        }
        nodes.remove(path.absolute());
    }

    @Override
    public boolean renameDirectory(RootedPath from, RootedPath to) {
        if (!nodes.containsKey(from.absolute())) {
            return false;
        }
        if (nodes.containsKey(to.absolute())) {
            throw VolumeException.finalFailure("renameat2 " + to + ": EEXIST");
        }
        for (Path each : List.copyOf(nodes.keySet())) {
            if (each.startsWith(from.absolute())) {
                Path moved = to.absolute()
                        .resolve(from.absolute().relativize(each).toString())
                        .normalize();
                nodes.put(moved, at(each));
                nodes.remove(each);
            }
        }
        return true;
    }

    @Override
    public void createSparseFile(RootedPath path, long bytes, int mode) {
        FileStatus there = nodes.putIfAbsent(path.absolute(), new FileStatus(FileStatus.Type.FILE, bytes, mode));
        if (there != null && there.bytes() != bytes) {
            throw VolumeException.finalFailure("there is another file at " + path);
        }
    }

    @Override
    public void growFile(RootedPath path, long bytes) {
        nodes.computeIfPresent(
                path.absolute(), (place, old) -> new FileStatus(old.type(), Math.max(old.bytes(), bytes), old.mode()));
    }

    @Override
    public void removeFile(RootedPath path) {
        if (removalFails != null) {
            throw removalFails;
        }
        nodes.remove(path.absolute());
    }

    @Override
    public void writeAtomically(RootedPath path, byte[] bytes, int mode) {
        throw new AssertionError("not needed here");
    }

    @Override
    public void copyFile(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context) {
        nodes.putIfAbsent(to.absolute(), at(from.absolute()));
    }

    @Override
    public void linkAtomically(RootedPath path, String text) {
        throw new UnsupportedOperationException("this machine has no links");
    }

    @Override
    public Optional<String> readLink(RootedPath path) {
        throw new UnsupportedOperationException("this machine has no links");
    }

    @Override
    public void changeGroup(RootedPath path, long group, int mode) {
        throw new UnsupportedOperationException("this machine has no groups");
    }

    @Override
    public void changeUser(RootedPath path, long user, int mode) {
        FileStatus there = at(path.absolute());
        nodes.put(path.absolute(), new FileStatus(there.type(), there.bytes(), mode, user));
    }

    @Override
    public Optional<byte[]> read(RootedPath path, int maxBytes) {
        return Optional.ofNullable(contents.get(path.absolute())).map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Optional<FileStatus> status(RootedPath path) {
        return Optional.ofNullable(nodes.get(path.absolute()));
    }

    @Override
    public List<String> list(RootedPath path) {
        return listRoot(path.absolute());
    }

    @Override
    public List<String> listRoot(Path root) {
        return nodes.keySet().stream()
                .filter(place -> root.equals(place.getParent()))
                .map(place -> place.getFileName().toString())
                .filter(name -> !unlisted.contains(name))
                .toList();
    }

    @Override
    public void removeContents(Path root, CallContext context) {
        nodes.keySet().removeIf(place -> place.startsWith(root) && !place.equals(root));
    }

    @Override
    public boolean setQuota(RootedPath directory, long bytes) {
        at(directory.absolute());
        if (hasQuotas) {
            quotas.put(directory.absolute(), bytes);
        }
        return hasQuotas;
    }

    @Override
    public void removeQuota(RootedPath directory) {
        if (nodes.containsKey(directory.absolute())) {
            quotas.remove(directory.absolute());
        }
    }

    @Override
    public Optional<Path> resolve(Path path) {
        Path real = path;
        for (Map.Entry<Path, Path> link : links.entrySet()) {
            if (real.startsWith(link.getKey())) {
                real = link.getValue().resolve(link.getKey().relativize(real)).normalize();
            }
        }
        return HostFiles.super.resolve(real);
    }
}
