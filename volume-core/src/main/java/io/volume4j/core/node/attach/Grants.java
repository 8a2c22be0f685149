package io.volume4j.core.node.attach;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.PluginState;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the node's own object says about attachments: what the control plane granted, and what it has been told is in use.
 * A grant counts only in a version of the object that also shows the volume in use, because the control plane takes a
 * grant back only in a version that does not. Loop thread only.
 */
public final class Grants {
    private static final String GRANT = "grant";

    private final AttachMode mode;
    private final String agent;
    private final Predicate<String> takenBack;
    private final boolean reportsItself;
    /** Device paths by the text of the volume's id. */
    private final Map<String, String> attached = new LinkedHashMap<>();

    private final Set<String> reportedInUse = new LinkedHashSet<>();
    private @Nullable GrantList granted;
    /** Whether the object tells the control plane to attach for this node. */
    private boolean markedForController;
    /** Whether the object is there. */
    private boolean known;
    /** Whether the node has begun to ask the control plane to attach; a write that says so may be under way. */
    private boolean asking;
    /** UIDs of VolumeAttachments that the object still shows by volume, and that can never be relied on any more. */
    private final Map<String, String> over = new LinkedHashMap<>();
    /** Whether the node gives up by itself what the control plane attached to it. */
    private boolean fenced;
    /** What the host vouches for, null for a host that never said. */
    private @Nullable Set<String> vouched;

    /**
     * @param agent this start of the agent: reports of an earlier one may still be changed by what it had under way
     * @param takenBack whether a report that may still be stored says that the volume is not in use
     * @param reportsItself whether the agent writes the reports; otherwise its host does, and the status alone counts
     */
    Grants(AttachMode mode, String agent, Predicate<String> takenBack, boolean reportsItself) {
        this.mode = mode;
        this.agent = agent;
        this.takenBack = takenBack;
        this.reportsItself = reportsItself;
    }

    /** Takes over the node's object, null if there is none, and returns the volumes of which something changed. */
    Set<String> update(@Nullable Node node) {
        Map<String, Object> before = words();
        attached.clear();
        reportedInUse.clear();
        granted = null;
        known = node != null;
        markedForController = node != null
                && node.metadata()
                        .annotation(WellKnown.CONTROLLER_MANAGED_ATTACH)
                        .equals("true");
        if (node != null) {
            node.status()
                    .volumesAttached()
                    .forEach(volume -> attached.put(NodeVolumeNames.idText(volume.name()), volume.devicePath()));
            reportedInUse.addAll(NodeVolumeNames.idTexts(node.status().volumesInUse()));
            if (reportsItself) {
                reportedInUse.retainAll(ownReport(node));
            }
            String text = node.metadata().annotation(GrantKeys.GRANTS);
            if (node.metadata().annotations().containsKey(GrantKeys.GRANTS)) {
                granted = GrantList.parse(text).orElse(GrantList.none());
            }
        }
        // Ours takes the grant away before it takes the volume out of the status. Where the volume is not there any
        // more, another controller took its place: that one makes a new attachment beside the old grant.
        over.entrySet()
                .removeIf(each -> !shows(each.getKey(), each.getValue()) || !attached.containsKey(each.getKey()));
        Map<String, Object> after = words();
        Set<String> changed = new LinkedHashSet<>();
        before.forEach((volume, word) -> {
            if (!word.equals(after.get(volume))) {
                changed.add(volume);
            }
        });
        after.forEach((volume, word) -> {
            if (!word.equals(before.get(volume))) {
                changed.add(volume);
            }
        });
        return changed;
    }

    /**
     * Whether the node's object says the same of who attaches as this node does, as far as that decides. Always true for a node
     * whose host writes the object: the host decides what it says.
     */
    boolean modeStored() {
        return mode == AttachMode.CONTROLLER || !reportsItself || !markedForController;
    }

    /** Whether this node attaches and detaches by itself. */
    public boolean attachesItself() {
        return mode == AttachMode.SELF;
    }

    /** From now on the control plane may attach for this node, and the node takes back nothing by itself any more. */
    void asks() {
        asking = true;
    }

    /** Whether the node's object asks the control plane to attach for this node. */
    boolean asksForController() {
        return markedForController;
    }

    /**
     * Whether this node, in the mode in which others attach, may have attached the row's volume by itself before: no VolumeAttachment is
     * known, and the node's object does not ask for a controller yet.
     */
    boolean left(VolumeRow row) {
        return mode == AttachMode.CONTROLLER
                && reportsItself
                && known
                && !markedForController
                && !asking
                && row.attach() != AttachState.DETACHED
                && heldUnder(row).isEmpty();
    }

    /** The VolumeAttachment of that UID is gone or going: the grant that names it gives the volume to no node any more. */
    void end(VolumeId id, String uid) {
        if (shows(id.toString(), uid)) {
            over.put(id.toString(), uid);
        }
    }

    /**
     * Whether the object shows a grant for the volume that is over. Who only wants the volume does not use it then, and must
     * say so: the control plane waits for that before it ends the one attachment and makes another.
     */
    boolean over(String volume) {
        return over.containsKey(volume);
    }

    private boolean shows(String volume, String uid) {
        GrantList.Grant now = granted == null ? null : granted.of(volume);
        return now != null && now.uid().equals(uid);
    }

    /**
     * The host, which writes the reports, says for which volumes it has done so; returns the volumes of which that changed.
     */
    Set<String> vouch(Set<String> volumes) {
        Set<String> changed = new LinkedHashSet<>(vouched == null ? reportedInUse : vouched);
        Set<String> unchanged = new LinkedHashSet<>(changed);
        unchanged.retainAll(volumes);
        changed.addAll(volumes);
        changed.removeAll(unchanged);
        vouched = new LinkedHashSet<>(volumes);
        return changed;
    }

    private boolean reported(String volume) {
        return reportedInUse.contains(volume)
                && !takenBack.test(volume)
                && (vouched == null || vouched.contains(volume));
    }

    private Set<String> ownReport(Node node) {
        return InUseReport.parse(node.metadata().annotation(GrantKeys.IN_USE))
                .filter(report -> report.agent().equals(agent))
                .map(report -> report.volumes().keySet())
                .orElse(Set.of());
    }

    /** From now on no grant counts, until the agent is started anew. */
    void fence() {
        fenced = true;
    }

    /** Whether the node fences itself. */
    public boolean fenced() {
        return fenced;
    }

    /** All that is said of each volume. */
    private Map<String, Object> words() {
        Map<String, Object> words = new LinkedHashMap<>();
        attached.forEach((volume, path) -> words.put(volume, "attached " + path));
        reportedInUse.forEach(volume -> words.merge(volume, "in use", (was, is) -> was + " " + is));
        if (granted != null) {
            granted.grants().forEach((volume, grant) -> words.merge(volume, grant, (was, is) -> was + " " + is));
        }
        return words;
    }

    /** The control plane's word on the volume, null where this node attaches by itself and its object says so. */
    public VolumeView.@Nullable Grant of(VolumeId id, VolumeRow row) {
        if (mode == AttachMode.SELF) {
            return modeStored() ? null : VolumeView.Grant.MODE_NOT_STORED;
        }
        if (fenced) {
            return VolumeView.Grant.FENCED;
        }
        if (left(row)) {
            return VolumeView.Grant.LEFT;
        }
        String name = id.toString();
        if (row.attach() == AttachState.ATTACHED && ended(name, row)) {
            return VolumeView.Grant.ENDED;
        }
        if (!reported(name)) {
            return VolumeView.Grant.NOT_REPORTED_IN_USE;
        }
        // Without a grant it may be given by a controller that gives none; the check that comes next finds out.
        return attached.containsKey(name) ? VolumeView.Grant.GIVEN : VolumeView.Grant.AWAITED;
    }

    /** Whether the attachment on which the row rests was taken away, which is done under a user only by force. */
    private boolean ended(String name, VolumeRow row) {
        String held = heldUnder(row);
        if (granted == null || held.isEmpty()) {
            return false;
        }
        GrantList.Grant now = granted.of(name);
        return now == null || !now.uid().equals(held);
    }

    /** Whether the object has grants, as a controller of this library writes them; they stay behind when another takes its place. */
    public boolean givesGrants() {
        return granted != null;
    }

    /** The grant that the object shows now, null if none or if the controller gives none. */
    public GrantList.@Nullable Grant current(VolumeId id) {
        return granted == null ? null : granted.of(id.toString());
    }

    /** Where the control plane says that the device is, {@code ""} if it does not. */
    public String devicePath(VolumeId id) {
        return attached.getOrDefault(id.toString(), "");
    }

    /** The UID of the VolumeAttachment under which the row's volume is attached, {@code ""} if it has none. */
    static String heldUnder(VolumeRow row) {
        return row.attachData().get(GRANT);
    }

    /** The same for what the node has not confirmed since it was started anew, and has reported all the time. */
    public static String perhapsHeldUnder(VolumeRow row) {
        return row.attach() == AttachState.UNCERTAIN ? heldUnder(row) : "";
    }

    /** What a row keeps of the VolumeAttachment with this UID. */
    static PluginState held(String uid) {
        return new PluginState(1, Map.of(GRANT, uid));
    }
}
