package io.volume4j.core.control.attach;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of a node's object about volumes. It keeps the object's own strings, which the cache holds anyway, and parses them on
 * demand. In a large cluster few nodes change at a time, and parsed copies of all would cost more. Loop thread only.
 */
final class NodeWords {
    private List<AttachedVolume> attached = List.of();
    private List<String> statusInUse = List.of();
    private @Nullable String grants;
    private String report = "";

    /** The last report that was valid; it counts until a newer one. */
    private String believed = "";

    private boolean reports;
    private boolean believable;
    private long generation = -1;

    /** The start of the agent in the last valid report, {@code ""} for none. */
    private String agent = "";

    /** The volumes in the object. */
    record Named(Set<VolumeId> shown, Set<VolumeId> used) {}

    /**
     * Applies an object.
     *
     * @param another whether it is a different object from the one before
     * @return whether its content changed
     */
    boolean update(Node node, boolean another) {
        List<AttachedVolume> attachedBefore = attached;
        List<String> inUseBefore = statusInUse;
        @Nullable String grantsBefore = grants;
        String believedBefore = believed;
        boolean believableBefore = believable;
        attached = node.status().volumesAttached();
        statusInUse = node.status().volumesInUse();
        grants = node.metadata().annotations().get(GrantKeys.GRANTS);
        readReport(node, another);
        return believable != believableBefore
                || !attached.equals(attachedBefore)
                || !statusInUse.equals(inUseBefore)
                || !java.util.Objects.equals(grants, grantsBefore)
                || !believed.equals(believedBefore);
    }

    /**
     * Generations of reports never decrease: an older report, in an old copy of the object, does not show the present use. In a new
     * object, and in one that has lost its report, they start again.
     */
    private void readReport(Node node, boolean another) {
        generation = another ? -1 : generation;
        @Nullable String text = node.metadata().annotations().get(GrantKeys.IN_USE);
        reports = text != null;
        if (text == null) {
            if (!another) {
                believed = "";
            }
            believable = !another || node.status().ready();
            report = "";
            generation = -1;
            return;
        }
        if (text.equals(report) && believable && !another) {
            return;
        }
        report = text;
        InUseReport read = InUseReport.parse(text).orElse(null);
        believable = read != null && read.generation() >= generation;
        if (read != null && believable) {
            believed = text;
            generation = read.generation();
            agent = read.agent();
        }
    }

    /** Different after each start of the node's agent, if the agent writes reports. */
    String agent() {
        return agent;
    }

    /** Whether the agent writes volume4j's reports. */
    boolean reports() {
        return reports;
    }

    /** Whether the current report is valid: then the node does not use volumes that are not in it. */
    boolean believable() {
        return believable;
    }

    /** The grants of the node, null if its controller writes none. */
    @Nullable
    GrantList grants() {
        return grants == null ? null : GrantList.parse(grants).orElse(GrantList.none());
    }

    /** Whether the node has grants, but not this one. Searches the text without parsing all of it. */
    boolean lacks(String volume, GrantList.Grant grant) {
        return grants != null && !GrantList.holds(grants, volume, grant);
    }

    List<AttachedVolume> attached() {
        return attached;
    }

    /** The device path from the status, {@code ""} if it has none. Searches the list, only for volumes without a record. */
    String devicePath(VolumeId volume) {
        for (AttachedVolume each : attached) {
            if (NodeVolumeNames.parse(each.name()).filter(volume::equals).isPresent()) {
                return each.devicePath();
            }
        }
        return "";
    }

    Named named() {
        Set<VolumeId> shown = new HashSet<>();
        for (AttachedVolume volume : attached) {
            addName(shown, volume.name());
        }
        GrantList granted = grants();
        if (granted != null) {
            granted.grants().keySet().forEach(text -> addText(shown, text));
        }
        Set<VolumeId> used = new HashSet<>();
        for (String name : statusInUse) {
            addName(used, name);
        }
        InUseReport.parse(believed).ifPresent(read -> read.volumes().keySet().forEach(text -> addText(used, text)));
        return new Named(shown, used);
    }

    /** A name that has no form is of no volume of this library. */
    private static void addName(Set<VolumeId> ids, String name) {
        @Nullable VolumeId id = NodeVolumeNames.parse(name).orElse(null);
        if (id != null) {
            ids.add(id);
        }
    }

    private static void addText(Set<VolumeId> ids, String text) {
        try {
            ids.add(VolumeId.parse(text));
        } catch (IllegalArgumentException spoiled) {
            // the text of no volume
            return;
        }
    }
}
