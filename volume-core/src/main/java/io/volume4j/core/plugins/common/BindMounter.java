package io.volume4j.core.plugins.common;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Unmounter;
import java.util.Optional;
import java.util.function.Supplier;

/** Binds the files of a volume's device mount for a pod. */
public final class BindMounter implements Mounter, Unmounter {
    private final Supplier<MountBackend> backend;

    public BindMounter(PluginHost host) {
        this.backend = () -> host.mounts()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }

    public BindMounter(MountBackend backend) {
        this.backend = () -> backend;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        RootedPath source = request.deviceMountPath();
        if (source == null) {
            throw VolumeException.finalFailure("volume " + request.volume() + " has no device mount to bind from");
        }
        MountPoints mountPoints = new MountPoints(backend());
        MountEntry device = mountPoints
                .at(source)
                .orElseThrow(() -> VolumeException.transientFailure("nothing is mounted at " + source
                        + ", and a bind of the bare directory would put the pod's data on the machine's own disk"));
        boolean readOnly = request.readOnly() || request.spec().readOnly();
        BindOptions options = readOnly ? BindOptions.onlyRead() : BindOptions.readWrite();
        Optional<MountEntry> there = mountPoints.at(request.target());
        if (there.isPresent()) {
            requireSameAccess(request.target(), there.get(), readOnly || isReadOnly(device));
            backend().bind(source.absolute(), request.target(), options);
        } else {
            mountPoints.mountOn(request.target(), () -> backend().bind(source.absolute(), request.target(), options));
        }
        return MountResult.mounted();
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        new MountPoints(backend()).takeAway(request.target(), UnmountMode.NORMAL);
    }

    /**
     * Whether the mount itself is read-only, and so every bind of it. A writable mount of a read-only filesystem is
     * not: the kernel makes a damaged filesystem read-only by itself.
     */
    public static boolean isReadOnly(MountEntry mount) {
        return mount.options().contains("ro");
    }

    /**
     * Fails if an existing mount has another access mode: a mount that pods may use must not change.
     *
     * @param readOnly the mode that it must have; true for a bind of a mount that {@link #isReadOnly}
     */
    public static void requireSameAccess(RootedPath target, MountEntry there, boolean readOnly) {
        boolean same = readOnly ? there.readOnly() : !isReadOnly(there);
        if (!same) {
            throw VolumeException.finalFailure(target + " is mounted " + (there.readOnly() ? "read-only" : "writable")
                            + " and asked for " + (readOnly ? "read-only" : "writable"))
                    .withAdvice("it is mounted anew once its pod is gone");
        }
    }

    private MountBackend backend() {
        return backend.get();
    }
}
