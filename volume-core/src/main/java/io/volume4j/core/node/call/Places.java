package io.volume4j.core.node.call;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates and removes the directories and the metadata files of volumes and of pods' mounts. For worker threads. */
final class Places {
    private final NodeLayout layout;
    private final @Nullable MountBackend machine;
    private final MountMetadataFiles metadataFiles;
    private final AttachMode attachMode;

    /** @param machine null for an agent that mounts nothing itself; then the methods create nothing */
    Places(NodeLayout layout, @Nullable MountBackend machine, MountMetadataFiles metadataFiles, AttachMode attachMode) {
        this.layout = layout;
        this.machine = machine;
        this.metadataFiles = metadataFiles;
        this.attachMode = attachMode;
    }

    /**
     * Creates the directory and runs the work.
     *
     * @param undo removes the metadata of the work, after a failure that certainly had no effect
     */
    <T> T with(Supplier<RootedPath> directory, int mode, Runnable undo, Supplier<T> work) {
        if (machine == null) {
            return work.get();
        }
        machine.files().createDirectory(directory.get(), mode);
        try {
            return work.get();
        } catch (VolumeException failure) {
            if (failure.kind() != FailureKind.UNCERTAIN) {
                undo(undo, failure);
            }
            throw failure;
        }
    }

    /** Undoes the step. If something is left behind, the failure becomes uncertain, so that the node removes it later. */
    private static void undo(Runnable undo, VolumeException failure) {
        try {
            undo.run();
        } catch (VolumeException left) {
            throw VolumeException.uncertain(failure.reason() + "; what was prepared for it is left: " + left.reason())
                    .withAdvice(failure.advice())
                    .withCause(failure);
        }
    }

    /**
     * Updates the metadata file and the directory to the row: keeps them while the volume's device is, or may be,
     * here.
     */
    void forgetDevice(VolumeRow row) {
        boolean ourAttachment = attachMode == AttachMode.SELF && row.attach() != AttachState.DETACHED;
        if (row.device() != MountState.NOT_MOUNTED || ourAttachment) {
            metadataFiles.note(row);
        } else if (machine != null) {
            metadataFiles.remove(row);
            removeIfEmpty(List.of(layout.deviceDirectory(row.id())));
        }
    }

    /** @param leaving whether to remove the pod's directories when they are empty */
    void forgetMount(MountRow row, boolean leaving) {
        if (row.state() == MountState.NOT_MOUNTED && machine != null) {
            metadataFiles.remove(row);
            if (leaving) {
                removeIfEmpty(podDirectories(row));
            }
        }
    }

    void removeSubPathDirectory(MountRow row) {
        removeIfEmpty(List.of(layout.podDirectory(row.podUid()).resolve(NodeLayout.SUB_PATHS)));
    }

    private List<RootedPath> podDirectories(MountRow row) {
        RootedPath plugin = layout.podVolumes(row.podUid(), row.id().plugin(), row.block());
        RootedPath pod = layout.podDirectory(row.podUid());
        return List.of(plugin, pod.resolve(row.block() ? NodeLayout.VOLUME_DEVICES : NodeLayout.VOLUMES), pod);
    }

    /** Removes empty directories. Directories with other contents stay, which is no failure. */
    private void removeIfEmpty(List<RootedPath> directories) {
        if (machine == null) {
            return;
        }
        for (RootedPath directory : directories) {
            if (!machine.files().list(directory).isEmpty()) {
                return;
            }
            try {
                machine.files().removeDirectory(directory);
            } catch (VolumeException failure) {
                if (machine.files().list(directory).isEmpty()) {
                    throw failure;
                }
                return;
            }
        }
    }
}
