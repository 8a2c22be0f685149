package io.volume4j.core.control.attach;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a node's object says of volumes. Kept as the texts of the object itself, which the cache holds anyway, and read when
 * a caller asks: a large cluster says little at a time, and remembering it all twice costs more. Loop thread only.
 */
final class NodeWords {
    private List<AttachedVolume> attached = List.of();
    private List<String> statusInUse = List.of();
    private @Nullable String grants;
    private String report = "";

    /** The last report that could be believed; it stands until there is a newer one. */
    private String believed = "";

    private boolean reports;
    private boolean believable;
    private long generation = -1;

    /** The start of the agent that gave the last report that could be believed, {@code ""} for none. */
    private String agent = "";

    /** The volumes that the object names, by the texts of their ids. */
    record Named(Set<String> shown, Set<String> used) {}

    /**
     * Takes over an object.
     *
     * @param another whether it is not the one that was taken over before
     * @return whether it says anything else than before
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
     * A report never goes back: what an old object brings again says nothing about what the node does now. In an object that was
     * made anew they begin anew.
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

    /** Different after each start of the node's agent, as far as it reports. */
    String agent() {
        return agent;
    }

    /** Whether the agent gives reports of its own. */
    boolean reports() {
        return reports;
    }

    /** Whether its present word can be believed: what it does not name, it does not use. */
    boolean believable() {
        return believable;
    }

    /** What the node may rely on, null if its controller gives no grants. */
    @Nullable
    GrantList grants() {
        return grants == null ? null : GrantList.parse(grants).orElse(GrantList.none());
    }

    /** Whether the node is given grants, and this is none of them. Looked for in the text, without reading all of it. */
    boolean lacks(String volume, GrantList.Grant grant) {
        return grants != null && !GrantList.holds(grants, volume, grant);
    }

    List<AttachedVolume> attached() {
        return attached;
    }

    /** Where the status says that the device is, {@code ""} if it does not; a search, for what has no record. */
    String devicePath(String volume) {
        for (AttachedVolume each : attached) {
            if (NodeVolumeNames.idText(each.name()).equals(volume)) {
                return each.devicePath();
            }
        }
        return "";
    }

    Named named() {
        Set<String> shown = new HashSet<>();
        for (AttachedVolume volume : attached) {
            shown.add(NodeVolumeNames.idText(volume.name()));
        }
        GrantList granted = grants();
        if (granted != null) {
            shown.addAll(granted.grants().keySet());
        }
        Set<String> used = new HashSet<>(NodeVolumeNames.idTexts(statusInUse));
        InUseReport.parse(believed).ifPresent(read -> used.addAll(read.volumes().keySet()));
        return new Named(shown, used);
    }
}
