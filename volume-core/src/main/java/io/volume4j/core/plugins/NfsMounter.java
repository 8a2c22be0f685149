package io.volume4j.core.plugins;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Mounts an export for one pod, and takes it away again whether its server answers or not. */
final class NfsMounter implements Mounter, Unmounter, StatsReporter {
    private static final String TYPE = "nfs";
    /** What the kernel calls them in its tables; the second for every version 4. */
    private static final Set<String> TYPES = Set.of("nfs", "nfs4");

    private static final Set<String> VERSION_OPTIONS = Set.of("vers", "nfsvers", "minorversion");
    private static final String DEFAULT_VERSION = "vers=4.2";

    private final PluginHost host;
    private final NfsServers servers;
    private final BoundedUnmount unmount;

    NfsMounter(PluginHost host, NfsServers servers, BoundedUnmount unmount) {
        this.host = host;
        this.servers = servers;
        this.unmount = unmount;
    }

    /** The export is the server's: whose its files are is decided there. */
    @Override
    public boolean managesContent() {
        return false;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof NfsSource source)) {
            throw VolumeException.finalFailure("not an nfs volume: " + request.volume());
        }
        NfsExport export = NfsExport.of(source);
        boolean readOnly =
                source.readOnly() || request.readOnly() || request.spec().readOnly();
        MountPoints mountPoints = new MountPoints(backend());
        Optional<MountEntry> there = mountPoints.at(request.target());
        if (there.isPresent()) {
            requireSame(request.target(), there.get(), export);
            BindMounter.requireSameAccess(request.target(), there.get(), readOnly);
            return MountResult.mounted();
        }
        boolean hasClient = backend().abilities().filesystems().stream().anyMatch(TYPES::contains);
        List<String> options = options(request.spec().mountOptions());
        if (hasClient) {
            context.progress("looking up " + export.server());
            options.add("addr=" + servers.addressOf(export.server()));
        }
        context.progress("mounting " + export);
        try {
            mountPoints.mountOn(
                    request.target(),
                    () -> backend()
                            .mount(new FilesystemMount(TYPE, export.toString(), readOnly, options), request.target()));
        } catch (VolumeException e) {
            throw hasClient ? failed(export, e) : noClient(export, e);
        }
        return MountResult.mounted();
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        RootedPath target = request.target();
        MountPoints mountPoints = new MountPoints(backend());
        Optional<MountEntry> there = mountPoints.at(target);
        if (there.isPresent()) {
            if (!TYPES.contains(there.get().fsType())) {
                throw VolumeException.finalFailure(
                                "at " + target + " is mounted " + there.get().fsType() + " from "
                                        + Shown.text(there.get().source()) + ", which is no NFS export")
                        .withAdvice("unmount it by hand");
            }
            unmount.run(backend(), target, context);
        }
        mountPoints.removeUnmounted(target);
    }

    /** May hang with the server. */
    @Override
    public Stats stats(StatsRequest request, CallContext context) {
        FilesystemUsage usage = backend().usage(request.path());
        return new Stats(
                usage.totalBytes(),
                usage.availableBytes(),
                usage.usedBytes(),
                usage.totalInodes(),
                usage.availableInodes(),
                usage.totalInodes() - usage.availableInodes());
    }

    private static List<String> options(List<String> asked) {
        List<String> options = new ArrayList<>();
        for (String option : asked) {
            String key = option.split("=", 2)[0];
            if (option.isBlank()
                    || option.indexOf(',') >= 0
                    || option.codePoints().anyMatch(Character::isISOControl)) {
                throw VolumeException.finalFailure("mount option " + Shown.text(option)
                        + " is not one option: write each as an element of its own");
            }
            if (key.equals("addr")) {
                throw VolumeException.finalFailure("mount option addr is given by the volume's server");
            }
            options.add(option);
        }
        boolean versioned = options.stream().anyMatch(option -> VERSION_OPTIONS.contains(option.split("=", 2)[0]));
        if (!versioned) {
            options.add(DEFAULT_VERSION);
        }
        return options;
    }

    private static void requireSame(RootedPath target, MountEntry there, NfsExport export) {
        if (!TYPES.contains(there.fsType()) || !there.source().equals(export.toString())) {
            throw VolumeException.finalFailure("at " + target + " is mounted " + there.fsType() + " from "
                    + Shown.text(there.source()) + " where " + export + " was asked for");
        }
    }

    private static VolumeException noClient(NfsExport export, VolumeException e) {
        return VolumeException.of(
                        e.kind(),
                        "cannot mount " + export + ": the running kernel has no NFS client (" + Shown.reason(e) + ")")
                .withAdvice("load the kernel's module nfs, or boot a kernel with CONFIG_NFS_FS and CONFIG_NFS_V4")
                .withCause(e);
    }

    private static VolumeException failed(NfsExport export, VolumeException e) {
        String advice = e.advice().isEmpty()
                ? "see that the server is reached and exports the path to this node; if it does not speak NFS 4.2, give"
                        + " the mount option nfsvers"
                : e.advice();
        return VolumeException.of(e.kind(), "cannot mount " + export + ": " + Shown.reason(e))
                .withAdvice(advice)
                .withCause(e);
    }

    private MountBackend backend() {
        return host.mounts().orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }
}
