package io.volume4j.core.node;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Node;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the node's own object says about attachments: what the control plane attached, and what it has been told is in use.
 * Loop thread only.
 */
final class Grants {
    private final AttachMode mode;
    private final Map<String, String> attached = new LinkedHashMap<>();
    private final Set<String> reportedInUse = new LinkedHashSet<>();

    Grants(AttachMode mode) {
        this.mode = mode;
    }

    /** Takes over the node's object, null if there is none. */
    void update(@Nullable Node node) {
        attached.clear();
        reportedInUse.clear();
        if (node != null) {
            node.status().volumesAttached().forEach(volume -> attached.put(volume.name(), volume.devicePath()));
            reportedInUse.addAll(node.status().volumesInUse());
        }
    }

    /** The control plane's word on the volume, null where this node attaches by itself. */
    VolumeView.@Nullable Grant of(VolumeId id) {
        if (mode == AttachMode.SELF) {
            return null;
        }
        String name = id.toString();
        if (!reportedInUse.contains(name)) {
            return VolumeView.Grant.NOT_REPORTED_IN_USE;
        }
        return attached.containsKey(name) ? VolumeView.Grant.GIVEN : VolumeView.Grant.AWAITED;
    }

    /** Where the control plane says that the device is, {@code ""} if it does not. */
    String devicePath(VolumeId id) {
        return attached.getOrDefault(id.toString(), "");
    }
}
