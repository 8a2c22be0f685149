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
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.PluginState;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The attachments in the node's own object: the control plane's grants, and the node's report of volumes in use. A
 * grant counts only in a revision of the object that also shows the volume in use, because the control plane withdraws
 * a grant only in a revision that does not. Loop thread only.
 */
public final class Grants {
    private static final String GRANT = "grant";

    private final AttachMode mode;
    private final String agent;
    private final Predicate<String> takenBack;
    private final boolean reportsItself;
    /** Device paths by volume id, as text. */
    private final Map<String, String> attached = new LinkedHashMap<>();

    private final Set<String> reportedInUse = new LinkedHashSet<>();
    private @Nullable GrantList granted;
    /** Whether the object requests that the control plane attaches for this node. */
    private boolean markedForController;
    /** Whether the object exists. */
    private boolean known;
    /** Whether the node has begun to request the control plane; a write of that request may be under way. */
    private boolean asking;
    /**
     * By volume: UIDs of deleted VolumeAttachments whose grants the object still shows. These grants never count
     * again.
     */
    private final Map<String, String> over = new LinkedHashMap<>();
    /** Whether the node releases by itself the volumes that the control plane attached to it. */
    private boolean fenced;
    /** The volumes that the host declared as reported, null before the first declaration. */
    private @Nullable Set<String> vouched;

    /**
     * @param agent this start of the agent; writes that an earlier start had under way may still change earlier
     *     reports
     * @param takenBack whether a report that may still be stored shows the volume as not in use
     * @param reportsItself whether the agent writes the reports; otherwise its host does, and only the status counts
     */
    Grants(AttachMode mode, String agent, Predicate<String> takenBack, boolean reportsItself) {
        this.mode = mode;
        this.agent = agent;
        this.takenBack = takenBack;
        this.reportsItself = reportsItself;
    }

    /** Stores the contents of the node's object, null if there is none. Returns the volumes with changes. */
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
        // This library's controller withdraws the grant before it removes the volume from the status. If the volume is
        // not in the status, another controller has replaced it, and makes a new attachment beside the old grant.
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
     * Whether the node's object has the attach mode of this node, as far as that matters. Always true for a node whose
     * host writes the object: the host determines its contents.
     */
    boolean modeStored() {
        return mode == AttachMode.CONTROLLER || !reportsItself || !markedForController;
    }

    /** Whether this node attaches and detaches by itself. */
    public boolean attachesItself() {
        return mode == AttachMode.SELF;
    }

    /** From now on, the control plane may attach for this node, and the node detaches nothing by itself. */
    void asks() {
        asking = true;
    }

    /** Whether the node's object requests that the control plane attaches for this node. */
    boolean asksForController() {
        return markedForController;
    }

    /**
     * Whether this node, now in the mode CONTROLLER, may have attached the row's volume by itself before: no
     * VolumeAttachment is known, and the node's object does not request a controller yet.
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

    /** The VolumeAttachment with that UID is deleted or being deleted: its grant no longer counts. */
    void end(VolumeId id, String uid) {
        if (shows(id.toString(), uid)) {
            over.put(id.toString(), uid);
        }
    }

    /**
     * Whether the object shows a grant for the volume that no longer counts. A node that only wants the volume does
     * not use it then, and must report so: the control plane waits for that report before it replaces the attachment.
     */
    boolean over(String volume) {
        return over.containsKey(volume);
    }

    private boolean shows(String volume, String uid) {
        GrantList.Grant now = granted == null ? null : granted.of(volume);
        return now != null && now.uid().equals(uid);
    }

    /**
     * The host, which writes the reports, declares which volumes it has reported. Returns the volumes for which that
     * changed.
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

    /** From now on, no grant counts until the next start of the agent. */
    void fence() {
        fenced = true;
    }

    /** Whether the node fences itself. */
    public boolean fenced() {
        return fenced;
    }

    /** The data of each volume in the object, for comparison. */
    private Map<String, Object> words() {
        Map<String, Object> words = new LinkedHashMap<>();
        attached.forEach((volume, path) -> words.put(volume, "attached " + path));
        reportedInUse.forEach(volume -> words.merge(volume, "in use", (was, is) -> was + " " + is));
        if (granted != null) {
            granted.grants().forEach((volume, grant) -> words.merge(volume, grant, (was, is) -> was + " " + is));
        }
        return words;
    }

    /** The control plane's state of the attachment. Null if this node attaches by itself and its object agrees. */
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
        // Without a grant: a controller without grants may have attached it. The check before use verifies this.
        return attached.containsKey(name) ? VolumeView.Grant.GIVEN : VolumeView.Grant.AWAITED;
    }

    /**
     * Whether the control plane withdrew the attachment of the row. It withdraws an attachment in use only by force.
     */
    private boolean ended(String name, VolumeRow row) {
        String held = heldUnder(row);
        if (granted == null || held.isEmpty()) {
            return false;
        }
        GrantList.Grant now = granted.of(name);
        return now == null || !now.uid().equals(held);
    }

    /**
     * Whether the object contains grants, as controllers of this library write them. They stay when another controller
     * replaces it.
     */
    public boolean givesGrants() {
        return granted != null;
    }

    /** The present grant in the object, null if there is none or if the controller uses no grants. */
    public GrantList.@Nullable Grant current(VolumeId id) {
        return granted == null ? null : granted.of(id.toString());
    }

    /** The device path that the control plane reports, {@code ""} for none. */
    public String devicePath(VolumeId id) {
        return attached.getOrDefault(id.toString(), "");
    }

    /** The UID of the VolumeAttachment of the row, {@code ""} for none. */
    static String heldUnder(VolumeRow row) {
        return row.attachData().get(GRANT);
    }

    /** The same for a row that the node has not confirmed since its start, and has reported in use all the time. */
    public static String perhapsHeldUnder(VolumeRow row) {
        return row.attach() == AttachState.UNCERTAIN ? heldUnder(row) : "";
    }

    /** Whether the volume was detached since the row was written, and is now attached under another VolumeAttachment. */
    public static boolean anew(VolumeRow row, AttachResult now) {
        String held = heldUnder(row);
        return !held.isEmpty() && !held.equals(now.state().get(GRANT));
    }

    /** The data that a row stores about the VolumeAttachment with this UID. */
    static PluginState held(String uid) {
        return new PluginState(1, Map.of(GRANT, uid));
    }
}
