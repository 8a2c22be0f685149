package io.volume4j.core.node.call;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.ownership.Ownership;
import io.volume4j.core.ownership.OwnershipCall;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.core.subpath.SubPathBinds;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountBackend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps between a mount and its use by the pod: the group, the IDs, then the subPaths of single containers. For
 * worker threads.
 */
final class PodPreparation {
    private final NodeLayout layout;
    private final @Nullable MountBackend machine;
    private final MountMetadataFiles metadataFiles;
    private final Places places;

    /** @param machine null for an agent that mounts nothing itself */
    PodPreparation(NodeLayout layout, @Nullable MountBackend machine, MountMetadataFiles metadataFiles, Places places) {
        this.layout = layout;
        this.machine = machine;
        this.metadataFiles = metadataFiles;
        this.places = places;
    }

    void applyFsGroup(MountRow row, @Nullable Ownership ownership, MountState after, CallContext context) {
        if (ownership != null && machine != null) {
            new OwnershipCall(machine).apply(layout.podMount(row), ownership, context);
        }
        metadataFiles.note(row.withState(after));
    }

    void mapIds(MountRow row, @Nullable IdMapping ids, MountState after) {
        if (machine != null && ids != null) {
            new SubPathBinds(machine).bindMapped(layout.podMount(row), layout.mappedMount(row), ids);
        }
        metadataFiles.note(row.withState(after));
    }

    void bindSubPaths(MountRow row, List<SubPath> parts) {
        if (machine != null) {
            SubPathBinds binds = new SubPathBinds(machine);
            parts.forEach(part -> binds.bind(layout.podMount(row), part));
        }
        metadataFiles.note(row.withState(MountState.MOUNTED));
    }

    /** Skips subPaths that are already bound: a running container may use them. */
    void bindLaterSubPaths(MountRow row, List<SubPath> parts) {
        if (machine != null) {
            SubPathBinds binds = new SubPathBinds(machine);
            parts.forEach(part -> binds.bindUnlessBound(layout.podMount(row), part));
        }
    }

    void removeSubPaths(MountRow row) {
        if (machine != null && !row.block()) {
            new SubPathBinds(machine).removeAll(layout.subPaths(row.podUid(), row.outerName()));
            places.removeSubPathDirectory(row);
        }
    }
}
