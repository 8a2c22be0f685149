package io.volume4j.core.plugins.nfs;

import io.volume4j.core.plugins.common.BindMounter;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.core.plugins.common.Rollback;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Mounts exports, and unmounts them even if their servers do not answer. Thread-safe. */
public final class NfsMounts {
    private static final String TYPE = "nfs";
    /** The filesystem types in the kernel's tables; the second is for every version 4. */
    private static final Set<String> TYPES = Set.of("nfs", "nfs4");

    /** With a value, except for the short {@code v3} and {@code v4.1}. */
    private static final Pattern VERSION_OPTION = Pattern.compile("vers|nfsvers|minorversion|v[234](\\.[0-2])?");

    private static final String DEFAULT_VERSION = "vers=4.2";

    private final PluginHost host;
    private final NfsServers servers;
    private final BoundedUnmount unmount;

    public NfsMounts(PluginHost host, NfsServers servers, BoundedUnmount unmount) {
        this.host = host;
        this.servers = servers;
        this.unmount = unmount;
    }

    /**
     * Mounts an export. Succeeds if the same export is already mounted there with the same access.
     *
     * @param seLinuxOption the option of the pod's SELinux context, {@code ""} for none; it may contain quoted commas
     */
    void mount(
            NfsExport export,
            List<String> mountOptions,
            String seLinuxOption,
            boolean readOnly,
            RootedPath target,
            CallContext context) {
        MountPoints mountPoints = new MountPoints(backend());
        Optional<MountEntry> there = mountPoints.at(target);
        if (there.isPresent()) {
            requireSame(target, there.get(), export);
            BindMounter.requireSameAccess(target, there.get(), readOnly);
            return;
        }
        boolean hasClient = backend().abilities().filesystems().stream().anyMatch(TYPES::contains);
        List<String> options = options(mountOptions);
        if (!seLinuxOption.isEmpty()) {
            options.add(seLinuxOption);
        }
        if (hasClient) {
            context.progress("looking up " + export.server());
            options.add("addr=" + servers.addressOf(export.server()));
        }
        context.progress("mounting " + export);
        FilesystemMount filesystem = new FilesystemMount(TYPE, export.toString(), readOnly, options);
        try {
            mountPoints.mountOn(target, () -> backend().mount(filesystem, target));
        } catch (VolumeException e) {
            throw hasClient ? failed(export, e) : noClient(export, e);
        }
    }

    /** Unmounts and removes the mount point. Succeeds if it is not mounted. */
    void unmount(RootedPath target, CallContext context) {
        unmount(target, CompletableFuture.completedFuture(null), context);
    }

    /** @param unwatched completes when the library's own query of the mount ends */
    void unmount(RootedPath target, CompletableFuture<Void> unwatched, CallContext context) {
        MountPoints mountPoints = new MountPoints(backend());
        Optional<MountEntry> there = mountPoints.at(target);
        if (there.isPresent()) {
            if (!TYPES.contains(there.get().fsType())) {
                throw VolumeException.finalFailure(
                                "at " + target + " is mounted " + there.get().fsType() + " from "
                                        + MessageText.text(there.get().source()) + ", which is no NFS export")
                        .withAdvice("unmount it by hand");
            }
            unmount.run(backend(), target, unwatched, context);
            Rollback.afterEffect(() -> mountPoints.removeUnmounted(target));
        } else {
            mountPoints.removeUnmounted(target);
        }
    }

    MountBackend backend() {
        return host.mounts().orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }

    private static List<String> options(List<String> asked) {
        List<String> options = new ArrayList<>();
        for (String option : asked) {
            if (option.isBlank()
                    || option.indexOf(',') >= 0
                    || option.codePoints().anyMatch(Character::isISOControl)) {
                throw VolumeException.finalFailure("mount option " + MessageText.text(option)
                        + " is not one option: write each as an element of its own");
            }
            if (key(option).equals("addr")) {
                throw VolumeException.finalFailure("mount option addr is given by the volume's server");
            }
            options.add(option);
        }
        if (options.stream()
                .noneMatch(option -> VERSION_OPTION.matcher(key(option)).matches())) {
            options.add(DEFAULT_VERSION);
        }
        return options;
    }

    private static String key(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }

    private static void requireSame(RootedPath target, MountEntry there, NfsExport export) {
        if (!TYPES.contains(there.fsType()) || !export.isAt(there.source())) {
            throw VolumeException.finalFailure("at " + target + " is mounted " + there.fsType() + " from "
                    + MessageText.text(there.source()) + " where " + export + " was asked for");
        }
    }

    private static VolumeException noClient(NfsExport export, VolumeException e) {
        return VolumeException.of(
                        e.kind(),
                        "cannot mount " + export + ": the running kernel has no NFS client (" + MessageText.reason(e)
                                + ")")
                .withAdvice("load the kernel's module nfs, or boot a kernel with CONFIG_NFS_FS and CONFIG_NFS_V4")
                .withCause(e);
    }

    private static VolumeException failed(NfsExport export, VolumeException e) {
        String advice = e.advice().isEmpty()
                ? "see that the server is reached and exports the path to this node; if it does not speak NFS 4.2, give"
                        + " the mount option nfsvers"
                : e.advice();
        return VolumeException.of(e.kind(), "cannot mount " + export + ": " + MessageText.reason(e))
                .withAdvice(advice)
                .withCause(e);
    }
}
