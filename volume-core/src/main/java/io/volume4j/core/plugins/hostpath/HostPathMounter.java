package io.volume4j.core.plugins.hostpath;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Unmounter;
import java.nio.file.Path;

/** Binds a path of the machine for a pod. */
public final class HostPathMounter implements Mounter, Unmounter {
    private static final int NEW_DIRECTORY_MODE = 0755;
    private static final int NEW_FILE_MODE = 0644;

    private final PluginHost host;
    private final AllowedPaths allowed;

    public HostPathMounter(PluginHost host, AllowedPaths allowed) {
        this.host = host;
        this.allowed = allowed;
    }

    /** The machine's own files keep their owner and mode, whatever group a pod requests. */
    @Override
    public boolean managesContent() {
        return false;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof HostPathSource source)) {
            throw VolumeException.finalFailure("not a hostPath volume: " + request.volume());
        }
        NodePath path = NodePath.of(backend(), "hostPath", source.path());
        HostPathType type = HostPathType.of(source);
        Path place = type.made() ? path.resolveToMake(allowed) : resolved(path, type);
        if (type.made() && path.typeOf(place).isEmpty()) {
            make(type, place);
        }
        FileStatus.Type actual = path.typeOf(place).orElseThrow(() -> missing(path, type));
        if (!type.accepts(actual)) {
            throw VolumeException.finalFailure(path + " " + wanted(type) + "is " + words(actual));
        }
        bind(place, actual, request);
        return MountResult.mounted();
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        new MountPoints(backend()).takeAwayWithChildren(request.target());
    }

    private Path resolved(NodePath path, HostPathType type) {
        return path.resolve(allowed).orElseThrow(() -> missing(path, type));
    }

    private void make(HostPathType type, Path place) {
        RootedPath rooted = NodePath.rooted(place);
        if (type == HostPathType.DIRECTORY_OR_CREATE) {
            makeDirectories(place);
            return;
        }
        Path parent = place.getParent();
        if (parent == null || backend().files().resolve(parent).isEmpty()) {
            throw VolumeException.transientFailure("hostPath " + MessageText.text(place.toString())
                            + " of type FileOrCreate cannot be made: its directory does not exist")
                    .withAdvice("make the directory, or mount it as DirectoryOrCreate in a volume of its own");
        }
        backend().files().createSparseFile(rooted, 0, NEW_FILE_MODE);
    }

    /** Each missing directory with the mode, from above: the machine's other users get to what is below it. */
    private void makeDirectories(Path place) {
        Path parent = place.getParent();
        if (parent != null
                && !NodePath.isRoot(parent)
                && backend().files().status(NodePath.rooted(parent)).isEmpty()) {
            makeDirectories(parent);
        }
        backend().files().createDirectory(NodePath.rooted(place), NEW_DIRECTORY_MODE);
    }

    private void bind(Path place, FileStatus.Type actual, MountRequest request) {
        RootedPath target = request.target();
        MountPoints mountPoints = new MountPoints(backend());
        boolean readOnly = request.readOnly() || request.spec().readOnly();
        // A slave mount receives the machine's later mounts and unmounts below it, and does not keep unmounted
        // filesystems busy.
        boolean withChildren = actual == FileStatus.Type.DIRECTORY
                && (!readOnly || backend().bindsReadOnlyRecursively() || hasChildren(place));
        BindOptions options = new BindOptions(readOnly, withChildren, Propagation.SLAVE);
        Runnable bind = () -> {
            if (NodePath.isRoot(place)) {
                backend().bind(place, target, options);
            } else {
                backend().bind(NodePath.rooted(place), target, options);
            }
        };
        if (mountPoints.at(target).isPresent()) {
            // The backend refuses a mount with another access mode, and accepts one of a read-only filesystem.
            bind.run();
        } else if (actual == FileStatus.Type.DIRECTORY) {
            mountPoints.mountOn(target, bind);
        } else {
            mountPoints.mountOnFile(target, bind);
        }
    }

    /**
     * Whether there are mounts below. If there are none, a recursive bind has no advantage, and old kernels can make a
     * simple bind read-only.
     */
    private boolean hasChildren(Path place) {
        return backend().table().below(place).stream()
                .anyMatch(mount -> !mount.mountPoint().equals(place));
    }

    private static VolumeException missing(NodePath path, HostPathType type) {
        return VolumeException.transientFailure(path + " " + wanted(type) + "does not exist")
                .withAdvice(type.adviceIfMissing());
    }

    private static String wanted(HostPathType type) {
        return type.word().isEmpty() ? "" : "must be of type " + type.word() + " and ";
    }

    private static String words(FileStatus.Type type) {
        return switch (type) {
            case DIRECTORY -> "a directory";
            case FILE -> "a file";
            case LINK -> "a symbolic link that leads nowhere";
            case BLOCK_DEVICE -> "a block device";
            case CHARACTER_DEVICE -> "a character device";
            case SOCKET -> "a socket";
            case OTHER -> "neither file nor directory, socket or device";
        };
    }

    private MountBackend backend() {
        return host.mounts().orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }
}
