package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.mount.PathWalk.Reach;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Loop devices; a new one gets the lowest free number, as on a machine. */
final class MemoryLoops implements LoopDevices {
    private final Machine machine;
    private final MachineCalls calls;
    private final Abilities abilities;

    MemoryLoops(Machine machine, MachineCalls calls, Abilities abilities) {
        this.machine = machine;
        this.calls = calls;
        this.abilities = abilities;
    }

    @Override
    public Path attach(RootedPath file, boolean readOnly) {
        return calls.get("attachLoop", file.absolute(), () -> {
            String call = "LOOP_CONFIGURE " + file;
            if (!abilities.mayMount()) {
                throw VolumeException.finalFailure(call + ": EPERM").withAdvice(abilities.reason());
            }
            Disk existing = of(file, call);
            if (existing != null) {
                return existing.path;
            }
            Place place = machine.walk().below(file, Reach.ACROSS_MOUNTS, call);
            Inode backing = place.inode();
            if (backing.type != FileStatus.Type.FILE && backing.type != FileStatus.Type.BLOCK_DEVICE) {
                throw KernelError.EINVAL.of(call, "neither a regular file nor a block device");
            }
            int number = freeNumber();
            Disk loop = new Disk(
                    Machine.DEV.resolve("loop" + number),
                    "7:" + number,
                    "loop:" + backing.filesystem.majorMinor + ":" + backing.number,
                    backing.disk == null ? backing.data.image() : backing.disk.image,
                    bytes(backing),
                    readOnly || place.mount().readOnly,
                    backing,
                    PathWalk.canonical(place));
            machine.loops.put(loop.path, loop);
            machine.addNode(loop);
            return loop.path;
        });
    }

    @Override
    public Optional<Path> find(RootedPath file) {
        return calls.get(
                "findLoop",
                file.absolute(),
                () -> Optional.ofNullable(of(file, "LOOP_GET_STATUS " + file)).map(loop -> loop.path));
    }

    @Override
    public void detach(RootedPath file) {
        calls.make("detachLoop", file.absolute(), () -> {
            String call = "LOOP_CLR_FD " + file;
            Disk loop = of(file, call);
            if (loop == null) {
                return;
            }
            if (machine.isInUse(loop)) {
                throw KernelError.EBUSY.of(call, loop.path + " is mounted");
            }
            machine.loops.remove(loop.path);
            machine.removeNode(loop);
        });
    }

    @Override
    public void refreshSize(RootedPath file) {
        calls.make("refreshLoop", file.absolute(), () -> {
            String call = "LOOP_SET_CAPACITY " + file;
            Disk loop = of(file, call);
            if (loop == null || loop.backing == null) {
                throw KernelError.ENXIO.of(call);
            }
            loop.bytes = bytes(loop.backing);
        });
    }

    @Override
    public List<LoopDevice> below(Path directory) {
        return calls.get(
                "loopsBelow",
                directory,
                () -> machine.loops.values().stream()
                        .filter(loop -> loop.backingPath != null && loop.backingPath.startsWith(directory))
                        .map(loop -> new LoopDevice(loop.path, Objects.requireNonNull(loop.backingPath)))
                        .toList());
    }

    private @Nullable Disk of(RootedPath file, String call) {
        Place place = machine.walk().tryBelow(file, Reach.ACROSS_MOUNTS, call);
        return place == null
                ? null
                : machine.loops.values().stream()
                        .filter(loop -> loop.backing == place.inode())
                        .findFirst()
                        .orElse(null);
    }

    private static long bytes(Inode backing) {
        return backing.disk == null ? backing.data.bytes() : backing.disk.bytes;
    }

    private int freeNumber() {
        int number = 0;
        while (machine.loops.containsKey(Machine.DEV.resolve("loop" + number))) {
            number++;
        }
        return number;
    }
}
