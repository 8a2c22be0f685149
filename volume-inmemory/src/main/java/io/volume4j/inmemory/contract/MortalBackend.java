package io.volume4j.inmemory.contract;

import io.volume4j.spi.CallContext;
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
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A machine as seen by a process that dies before one of its effects: afterwards the process reads nothing and changes
 * nothing.
 */
final class MortalBackend implements MountBackend {
    private final MountBackend machine;
    private final Lifetime lifetime;

    /** @param effects the number of changing calls before the process dies */
    MortalBackend(MountBackend machine, int effects) {
        this.machine = machine;
        this.lifetime = new Lifetime(effects);
    }

    /** Not an exception: a living process could catch that. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1L;

        Death(int effects) {
            super("the process died after " + effects + " effects", null, false, false);
        }
    }

    /** Counts effects from now on; what a process does at its start does not belong to a volume. */
    void begin() {
        lifetime.begun = true;
    }

    /** Whether the process died; later failures of its threads reach no caller. */
    boolean dead() {
        return lifetime.dead;
    }

    /** Counts the effects of one process. The calls may come from several threads, one after another. */
    static final class Lifetime {
        private final int effects;
        private int done;
        private volatile boolean begun;
        private volatile boolean dead;

        Lifetime(int effects) {
            this.effects = effects;
        }

        void look() {
            if (dead) {
                throw new Death(effects);
            }
        }

        synchronized void change() {
            if (begun) {
                dead |= done == effects;
                look();
                done++;
            }
        }
    }

    @Override
    public MountTable table() {
        lifetime.look();
        return machine.table();
    }

    @Override
    public void bind(Path source, RootedPath target, BindOptions options) {
        lifetime.change();
        machine.bind(source, target, options);
    }

    @Override
    public void bind(RootedPath source, RootedPath target, BindOptions options) {
        lifetime.change();
        machine.bind(source, target, options);
    }

    @Override
    public void mount(FilesystemMount filesystem, RootedPath target) {
        lifetime.change();
        machine.mount(filesystem, target);
    }

    @Override
    public void reconfigure(FilesystemMount filesystem, RootedPath target) {
        lifetime.change();
        machine.reconfigure(filesystem, target);
    }

    @Override
    public void unmount(RootedPath target, UnmountMode mode) {
        lifetime.change();
        machine.unmount(target, mode);
    }

    @Override
    public BlockDevices devices() {
        return new MortalDevices(machine.devices(), lifetime);
    }

    @Override
    public LoopDevices loops() {
        return new MortalLoops(machine.loops(), lifetime);
    }

    @Override
    public HostFiles files() {
        return new MortalFiles(machine.files(), lifetime);
    }

    @Override
    public Programs programs() {
        return new MortalPrograms(machine.programs(), lifetime);
    }

    @Override
    public FilesystemUsage usage(Path path) {
        lifetime.look();
        return machine.usage(path);
    }

    @Override
    public void endLeftovers(String operationPrefix, Duration patience) {
        lifetime.change();
        machine.endLeftovers(operationPrefix, patience);
    }

    @Override
    public Abilities abilities() {
        lifetime.look();
        return machine.abilities();
    }

    private record MortalPrograms(Programs machine, Lifetime lifetime) implements Programs {
        @Override
        public Optional<Path> find(String name) {
            lifetime.look();
            return machine.find(name);
        }

        @Override
        public Outcome run(Command command, CallContext context) {
            lifetime.change();
            return machine.run(command, context);
        }
    }

    private record MortalDevices(BlockDevices machine, Lifetime lifetime) implements BlockDevices {
        @Override
        public DeviceIdentity identify(Path device) {
            lifetime.look();
            return machine.identify(device);
        }

        @Override
        public DeviceContent probe(Path device) {
            lifetime.look();
            return machine.probe(device);
        }

        @Override
        public DeviceContent probe(Path device, long readAtMost, CallContext context) {
            lifetime.look();
            return machine.probe(device, readAtMost, context);
        }

        @Override
        public void format(
                Path device, DeviceIdentity expected, String fsType, List<String> options, CallContext context) {
            lifetime.change();
            machine.format(device, expected, fsType, options, context);
        }

        @Override
        public void check(Path device, String fsType, CallContext context) {
            lifetime.change();
            machine.check(device, fsType, context);
        }

        @Override
        public void grow(Path device, Path mountPoint, String fsType, CallContext context) {
            lifetime.change();
            machine.grow(device, mountPoint, fsType, context);
        }

        @Override
        public <T> Optional<T> await(
                List<Path> directories, Duration atMost, CallContext context, Supplier<Optional<T>> look) {
            lifetime.look();
            return machine.await(directories, atMost, context, look);
        }
    }

    private record MortalLoops(LoopDevices machine, Lifetime lifetime) implements LoopDevices {
        @Override
        public Path attach(RootedPath file, boolean readOnly) {
            lifetime.change();
            return machine.attach(file, readOnly);
        }

        @Override
        public Optional<Path> find(RootedPath file) {
            lifetime.look();
            return machine.find(file);
        }

        @Override
        public void detach(RootedPath file) {
            lifetime.change();
            machine.detach(file);
        }

        @Override
        public void refreshSize(RootedPath file) {
            lifetime.change();
            machine.refreshSize(file);
        }

        @Override
        public List<LoopDevice> below(Path directory) {
            lifetime.look();
            return machine.below(directory);
        }
    }
}
