package io.volume4j.inmemory.chaos;

import io.volume4j.core.plugins.ProvenFormatAndMount;
import io.volume4j.inmemory.chaos.Mutants.Mutant;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
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
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Deliberate bugs of the code that formats disks. */
final class FormatMutants {
    private static final DeviceContent BLANK = new DeviceContent(DeviceContent.Kind.BLANK, "", "mutated");
    private static final DeviceContent HALF_MADE = new DeviceContent(DeviceContent.Kind.FOREIGN, "", "mutated");

    private FormatMutants() {}

    static void addTo(List<Mutant> all) {
        all.add(mounting(
                "formats what it could not read",
                backend -> new ProvenFormatAndMount(new Misread(backend, FormatMutants::blankIfUnreadable))));
        all.add(mounting(
                "takes whatever is on a disk for nothing",
                backend -> new ProvenFormatAndMount(new Misread(backend, FormatMutants::lookedAndBlank))));
        all.add(mounting(
                "takes samples of a disk for proof that it is blank",
                backend ->
                        (request, context) -> new ProvenFormatAndMount(backend).mount(bySignatures(request), context)));
        all.add(mounting("formats again what it has just formatted", FormatMutants::again));
        all.add(mounting(
                "writes no intent for a format",
                backend -> (request, context) ->
                        new ProvenFormatAndMount(backend).mount(with(request, new NoLedger()), context)));
    }

    /**
     * Continues a format although its volume has left the node since. Random worlds hardly ever let a half formatted
     * disk leave; {@link Schedules#leavingHalfFormatted} does.
     */
    static Mutant keptOpen() {
        return new Mutant("keeps a format open when its volume leaves", builder -> {
            Map<String, FormatLedger.OpenFormat> kept = new ConcurrentHashMap<>();
            return builder.host(host -> new Host(host, backend -> (request, context) -> {
                String disk = host.nodeName() + " " + request.device();
                FormatLedger keeping = new Keeping(request.formats(), kept, disk);
                new ProvenFormatAndMount(backend).mount(with(request, keeping), context);
            }));
        });
    }

    private static DeviceContent lookedAndBlank(Supplier<DeviceContent> look) {
        return look.get().kind() == DeviceContent.Kind.BLANK ? look.get() : BLANK;
    }

    private static DeviceContent blankIfUnreadable(Supplier<DeviceContent> look) {
        try {
            return look.get();
        } catch (VolumeException unreadable) {
            return BLANK;
        }
    }

    /** After a format without a recorded end, always assumes that it was interrupted. */
    private static FormatAndMount again(MountBackend backend) {
        return (request, context) -> {
            Function<Supplier<DeviceContent>, DeviceContent> reading = look -> {
                DeviceContent found = look.get();
                boolean open = request.formats().open() != null;
                return open && found.kind() == DeviceContent.Kind.FILESYSTEM ? HALF_MADE : found;
            };
            new ProvenFormatAndMount(new Misread(backend, reading)).mount(request, context);
        };
    }

    private static FormatAndMount.Request with(FormatAndMount.Request request, FormatLedger formats) {
        return new FormatAndMount.Request(
                request.device(),
                request.target(),
                request.fsType(),
                request.options(),
                request.readOnly(),
                formats,
                request.blank());
    }

    private static FormatAndMount.Request bySignatures(FormatAndMount.Request request) {
        return new FormatAndMount.Request(
                request.device(),
                request.target(),
                request.fsType(),
                request.options(),
                request.readOnly(),
                request.formats(),
                new BlankPolicy(BlankPolicy.Unproved.SIGNATURES, 0));
    }

    private static Mutant mounting(String name, Function<MountBackend, FormatAndMount> how) {
        return new Mutant(name, builder -> builder.host(host -> new Host(host, how)));
    }

    /** Reports records that it has not written. */
    private static final class NoLedger implements FormatLedger {
        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {}

        @Override
        public @Nullable OpenFormat open() {
            return null;
        }

        @Override
        public void finish() {}
    }

    /** Keeps every begun and unfinished format, even if the node has dropped it. */
    private record Keeping(FormatLedger ledger, Map<String, OpenFormat> kept, String disk) implements FormatLedger {
        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {
            ledger.begin(device, fsType, proof);
            kept.put(disk, new OpenFormat(device, fsType, proof));
        }

        @Override
        public @Nullable OpenFormat open() {
            OpenFormat open = ledger.open();
            return open == null ? kept.get(disk) : open;
        }

        @Override
        public void finish() {
            ledger.finish();
            kept.remove(disk);
        }
    }

    private record Host(PluginHost host, Function<MountBackend, FormatAndMount> how) implements PluginHost {
        @Override
        public Optional<FormatAndMount> formatAndMount() {
            return host.mounts().map(how);
        }

        @Override
        public String nodeName() {
            return host.nodeName();
        }

        @Override
        public Path root() {
            return host.root();
        }

        @Override
        public Path pluginDirectory(String pluginName) {
            return host.pluginDirectory(pluginName);
        }

        @Override
        public Optional<MountBackend> mounts() {
            return host.mounts();
        }

        @Override
        public SecretResolver secrets() {
            return host.secrets();
        }

        @Override
        public ConfigResolver configs() {
            return host.configs();
        }

        @Override
        public InstantSource clock() {
            return host.clock();
        }

        @Override
        public long nanoTime() {
            return host.nanoTime();
        }
    }

    /** A machine whose disks are misread. */
    private record Misread(MountBackend backend, Function<Supplier<DeviceContent>, DeviceContent> reading)
            implements MountBackend, BlockDevices {
        @Override
        public DeviceContent probe(Path device) {
            return reading.apply(() -> backend.devices().probe(device));
        }

        @Override
        public DeviceContent probe(Path device, long readAtMost, CallContext context) {
            return reading.apply(() -> backend.devices().probe(device, readAtMost, context));
        }

        @Override
        public DeviceIdentity identify(Path device) {
            return backend.devices().identify(device);
        }

        @Override
        public void format(
                Path device, DeviceIdentity expected, String fsType, List<String> options, CallContext context) {
            backend.devices().format(device, expected, fsType, options, context);
        }

        @Override
        public void check(Path device, String fsType, CallContext context) {
            backend.devices().check(device, fsType, context);
        }

        @Override
        public void grow(Path device, Path mountPoint, String fsType, CallContext context) {
            backend.devices().grow(device, mountPoint, fsType, context);
        }

        @Override
        public BlockDevices devices() {
            return this;
        }

        @Override
        public MountTable table() {
            return backend.table();
        }

        @Override
        public void bind(Path source, RootedPath target, BindOptions options) {
            backend.bind(source, target, options);
        }

        @Override
        public void mount(FilesystemMount filesystem, RootedPath target) {
            backend.mount(filesystem, target);
        }

        @Override
        public void unmount(RootedPath target, UnmountMode mode) {
            backend.unmount(target, mode);
        }

        @Override
        public LoopDevices loops() {
            return backend.loops();
        }

        @Override
        public HostFiles files() {
            return backend.files();
        }

        @Override
        public Programs programs() {
            return backend.programs();
        }

        @Override
        public FilesystemUsage usage(Path path) {
            return backend.usage(path);
        }

        @Override
        public Abilities abilities() {
            return backend.abilities();
        }
    }
}
