package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.DetachDecision;
import io.volume4j.core.control.attach.plan.DriverView;
import io.volume4j.core.control.attach.plan.NodeView;
import io.volume4j.core.control.attach.plan.NodeView.Entry;
import io.volume4j.core.control.attach.plan.NodeView.Wish;
import io.volume4j.core.control.attach.plan.PairView;
import io.volume4j.core.control.attach.plan.PairView.Holder;
import io.volume4j.core.control.attach.plan.PairView.Use;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds views from {@link AttachIndex} and the cache. Loop thread only. */
final class AttachViews {
    private static final List<Kind> NEEDED =
            List.of(Kind.NODE, Kind.POD, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.VOLUME_ATTACHMENT);

    private final ObjectCache cache;
    private final AttachIndex state;
    private final ActualStateOfWorld actual;
    private final PluginRegistry plugins;
    private final EventLoop loop;
    private final LeaderTerm term;
    private final AttachOptions options;
    private final Map<String, Long> verifyAt = new HashMap<>();
    private boolean filled;

    /** Keys with decisions that were made without complete data. The engine visits them again when the data is complete. */
    private final Set<AttachKey> blocked = new LinkedHashSet<>();

    AttachViews(
            ObjectCache cache,
            AttachIndex state,
            ActualStateOfWorld actual,
            PluginRegistry plugins,
            EventLoop loop,
            LeaderTerm term,
            AttachOptions options) {
        this.cache = cache;
        this.state = state;
        this.actual = actual;
        this.plugins = plugins;
        this.loop = loop;
        this.term = term;
        this.options = options;
    }

    /** The first listing is in the index. */
    void filled() {
        filled = true;
    }

    Set<AttachKey> takeBlocked() {
        Set<AttachKey> all = new LinkedHashSet<>(blocked);
        blocked.clear();
        return all;
    }

    @Nullable
    AttachView of(AttachKey key) {
        if (!filled || !term.goesOn()) {
            return null;
        }
        if (key instanceof AttachKey.Pair pair) {
            PairState found = state.pair(pair.volume(), pair.node());
            return found == null ? null : pair(found);
        }
        if (key instanceof AttachKey.OfNode node) {
            NodeState found = state.node(node.node());
            return found == null ? null : node(found);
        }
        return driver(((AttachKey.OfDriver) key).driver());
    }

    PairView pair(PairState pair) {
        NodeState node = pair.node;
        VolumeAttachment record = record(pair);
        boolean shown = node.there && node.shows(pair);
        boolean elsewhere = record != null && madeForAnotherNode(record, node);
        boolean attached = record != null && record.status().attached();
        // A node may still use what its deleted object showed, even if another record followed since.
        boolean anew = record != null && node.registeredAnewSince(record);
        boolean silent = anew && !(node.ready && loop.nanoTime() >= node.believedAt());
        boolean earlier = elsewhere || (record != null && node.createdSince(record));
        boolean granted = node.shows(pair) || (attached && (!node.there || earlier));
        Use use = node.use(pair);
        if ((elsewhere && !node.words.reports()) || (silent && use == Use.FREE)) {
            use = Use.UNKNOWN;
        }
        String unknown = unknown();
        if (!unknown.isEmpty()) {
            blocked.add(pair.key);
        }
        PairView view = new PairView(
                pair.key.volume(),
                pair.volume.shownName(),
                node.name,
                unknown,
                managed(pair),
                node.there,
                node.healthy(),
                podNames(pair),
                pair.wanted() ? "" : doubt(pair),
                record == null ? null : recordOf(record),
                shown,
                shown && attached && record != null && pair.wanted() && superseded(pair, record),
                granted,
                pair.dangling || (pair.listed && record == null),
                use,
                anew && !elsewhere ? node.believedAt() : Long.MAX_VALUE,
                record == null || pair.checkedUid.equals(record.metadata().uid()),
                pair.certainlyAbsent(),
                node.evidence(),
                pair.unwantedSince,
                loop.nanoTime(),
                options.acceptedRiskAfter().toNanos(),
                pair.volume.oneNodeOnly,
                pair.volume.oneNodeOnly ? holders(pair) : List.of(),
                pair.volume.oneNodeOnly && record != null && !attached && !first(pair, record) && givesWay(pair),
                pair.volume.settledAt,
                pair.occupied() ? "" : limit(pair),
                pair.told);
        pair.waitsForRoom = !view.limit().isEmpty() && view.desired();
        return view;
    }

    /** A deleted node counts as managed here if its last object said so, or if no object of it was ever seen. */
    private boolean managed(PairState pair) {
        boolean neverSeen = !pair.node.there && pair.node.uid.isEmpty();
        return neverSeen || pair.node.managed;
    }

    private boolean madeForAnotherNode(VolumeAttachment record, NodeState node) {
        String madeFor = record.metadata().annotation(GrantKeys.NODE_UID);
        return node.there && !madeFor.isEmpty() && !madeFor.equals(node.uid);
    }

    private String unknown() {
        for (Kind kind : NEEDED) {
            if (!cache.complete(kind)) {
                return "the " + kind.apiName() + " objects of the cluster are being listed";
            }
        }
        return "";
    }

    @Nullable
    VolumeAttachment record(PairState pair) {
        List<ObjectKey> records = pair.records();
        if (records.size() == 1) {
            return cache.get(records.get(0), VolumeAttachment.class).orElse(null);
        }
        VolumeAttachment best = null;
        for (ObjectKey key : records) {
            VolumeAttachment record = cache.get(key, VolumeAttachment.class).orElse(null);
            if (record != null && (best == null || rank(record) > rank(best))) {
                best = record;
            }
        }
        return best;
    }

    /** If an attachment has several records, records that are not being deleted come first. */
    private static int rank(VolumeAttachment record) {
        return (record.metadata().deleting() ? 0 : 2) + (record.status().attached() ? 1 : 0);
    }

    private PairView.Recorded recordOf(VolumeAttachment record) {
        return new PairView.Recorded(
                record.metadata().name(),
                record.metadata().uid(),
                record.metadata().resourceVersion(),
                record.status().attached(),
                record.metadata().deleting(),
                ours(record),
                adopted(record));
    }

    private static boolean adopted(VolumeAttachment record) {
        return record.metadata().annotations().containsKey(AttachCalls.ADOPTED);
    }

    /**
     * A process may take a record over and die before it writes the node's grant. The node then has a grant that it does not
     * accept. Also, this process takes over records of an external attacher at once. That attacher would detach the volume as soon
     * as a user deletes the record.
     */
    private boolean superseded(PairState pair, VolumeAttachment record) {
        boolean left = !AttachCalls.marked(record) && carriedOutHere(AttacherName.plugin(record));
        return !ours(record) && (left || pair.node.words.lacks(pair.key.volume().toString(), grantOf(record)));
    }

    private static GrantList.Grant grantOf(VolumeAttachment record) {
        return new GrantList.Grant(
                record.metadata().name(),
                record.metadata().uid(),
                record.metadata().annotation(GrantKeys.GENERATION));
    }

    /** If this process carries the record out, it is ours only with our mark. An external attacher may have had it before. */
    boolean ours(VolumeAttachment record) {
        return record.metadata().annotation(GrantKeys.GENERATION).equals(term.generation())
                && (AttachCalls.marked(record) || !carriedOutHere(AttacherName.plugin(record)));
    }

    /** Whether this process attaches and detaches the driver's volumes itself. */
    boolean carriedOutHere(String driver) {
        return !options.externalAttachers().contains(driver)
                && plugins.byName(driver).isPresent();
    }

    List<String> podNames(PairState pair) {
        if (!pair.node.served()) {
            return List.of();
        }
        Set<String> uids = pair.pods();
        List<String> names = new ArrayList<>(uids.size());
        for (String uid : uids) {
            PodState pod = state.pods().get(uid);
            names.add(
                    pod == null ? uid : pod.key().namespace() + "/" + pod.key().name());
        }
        return names;
    }

    /**
     * Why a pod on the node may want the volume: a claim of the pod has no known volume, or only a plugin that is not registered knows
     * a volume of a pod's spec.
     */
    private String doubt(PairState pair) {
        String driver = pair.key.volume().plugin();
        if (!pair.recorded() && plugins.byName(driver).isEmpty()) {
            return "no plugin " + driver
                    + " is registered here, so no other controller's attachment of it is taken over";
        }
        VolumeAttachment record = record(pair);
        if (record != null
                && record.spec().inlineVolumeSpec() != null
                && plugins.byName(driver).isEmpty()
                && !options.externalAttachers().contains(driver)) {
            return "no plugin " + driver
                    + " is registered here, so it is not known which pods there have the volume in their specs";
        }
        if (pair.node.unresolved.isEmpty()) {
            return "";
        }
        PersistentVolume volume = cache.get(ObjectKey.volume(pair.volume.shownName()), PersistentVolume.class)
                .orElse(null);
        ObjectReference claim = volume == null ? null : volume.spec().claimRef();
        for (Map.Entry<String, Set<ObjectKey>> open : pair.node.unresolved.entrySet()) {
            for (ObjectKey wanted : open.getValue()) {
                boolean may =
                        (volume == null || claim == null) ? pair.volume.inline == null : mayHave(wanted, volume, claim);
                if (may) {
                    return "a pod there uses claim " + wanted.namespace() + "/" + wanted.name()
                            + ", and it is not known which volume that is";
                }
            }
        }
        return "";
    }

    /** Whether the claim may have the volume: it has the name of the volume's claim, and was not created in its place. */
    private boolean mayHave(ObjectKey claim, PersistentVolume volume, ObjectReference owner) {
        return claim.namespace().equals(owner.namespace())
                && claim.name().equals(owner.name())
                && (volume.status().phase() != VolumePhase.RELEASED
                        || namesVolume(claim, volume.metadata().name()));
    }

    private boolean namesVolume(ObjectKey claim, String volume) {
        return cache.get(claim, PersistentVolumeClaim.class)
                .filter(now -> now.spec().volumeName().equals(volume))
                .isPresent();
    }

    private List<Holder> holders(PairState pair) {
        List<Holder> holders = new ArrayList<>(0);
        for (PairState other : pair.volume.pairs()) {
            if (other != pair && other.occupied()) {
                holders.add(new Holder(other.node.name, podNames(other)));
            }
        }
        return holders;
    }

    /**
     * Two nodes can wait for each other. One has a record but may not attach, because the backend or the other node reports the
     * volume there. The other gets no record because of the first. Or other processes made a record for each. The node that may
     * have the volume goes first, then the lesser name.
     */
    private boolean givesWay(PairState pair) {
        for (PairState other : pair.volume.pairs()) {
            if (other == pair || !other.wanted() || !other.node.served()) {
                continue;
            }
            VolumeAttachment its = record(other);
            boolean waits = its == null
                    ? other.occupied() && !other.creating
                    : !its.status().attached() && !its.metadata().deleting();
            boolean before = other.node.name.compareTo(pair.node.name) < 0;
            if (waits && (its == null || first(other, its) || before)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the node may have the volume although the record is not attached. */
    private static boolean first(PairState pair, VolumeAttachment record) {
        return adopted(record) || pair.node.shows(pair);
    }

    private String limit(PairState pair) {
        String driver = pair.key.volume().plugin();
        Long limit = pair.node.limit(driver);
        if (limit == null) {
            Integer given = options.attachLimits().get(driver);
            limit = given == null ? null : (long) given;
        }
        int now = pair.node.occupied(driver);
        return limit == null || now < limit
                ? ""
                : "node " + pair.node.name + " has " + now + " volumes of driver " + driver + " and can have " + limit;
    }

    private NodeView node(NodeState node) {
        boolean write = node.served() && unknown().isEmpty();
        List<Entry> entries = new ArrayList<>(node.pairs.size());
        boolean evidenceWanted = false;
        for (PairState pair : node.pairs.values()) {
            if (write) {
                Entry entry = entry(pair);
                if (entry != null) {
                    entries.add(entry);
                }
            }
            evidenceWanted = evidenceWanted || waitsForEvidence(pair);
        }
        return new NodeView(
                node.name,
                node.uid,
                node.revision,
                write,
                !node.words.reports(),
                node.words.grants(),
                node.words.attached(),
                entries,
                evidenceWanted,
                node.words.agent(),
                node.askFenceAt,
                loop.nanoTime());
    }

    private boolean waitsForEvidence(PairState pair) {
        boolean desired = pair.wanted() && pair.node.served();
        if (pair.node.healthy() || desired || !pair.occupied() || !managed(pair)) {
            return false;
        }
        return pair.node.evidence() == null && !DetachDecision.of(pair(pair)).allowed();
    }

    private @Nullable Entry entry(PairState pair) {
        VolumeAttachment record = record(pair);
        boolean shown = pair.node.shows(pair);
        if (record == null && !pair.listed && !shown) {
            return null;
        }
        GrantList.Grant grant = record == null ? null : grantOf(record);
        String path = record == null
                ? pair.node.words.devicePath(pair.key.volume())
                : record.metadata().annotation(GrantKeys.DEVICE_PATH);
        if (pair.wanted() && record != null && !record.metadata().deleting()) {
            if (record.status().attached() && ours(record)) {
                // Also if the grant is shown: a record that was taken over since has another generation, and the node
                // requires that.
                return new Entry(pair.key.volume(), Wish.GIVE, grant, path, false, null);
            }
            return shown ? new Entry(pair.key.volume(), Wish.KEEP, grant, path, false, null) : null;
        }
        if (!shown) {
            return null;
        }
        PairView view = pair(pair);
        DetachDecision verdict = DetachDecision.of(view);
        boolean claimed = record != null && ours(record) && view.nodeChecked();
        if (view.doubt().isEmpty() && verdict.allowed() && claimed) {
            return new Entry(pair.key.volume(), Wish.TAKE, grant, path, verdict.returned(), verdict.force());
        }
        return new Entry(pair.key.volume(), Wish.KEEP, grant, path, false, null);
    }

    private DriverView driver(String driver) {
        boolean observes = !options.verifyEvery().isZero()
                && plugins.byName(driver).flatMap(plugin -> plugin.observer()).isPresent();
        long first = loop.nanoTime() + options.verifyEvery().toNanos();
        return new DriverView(
                driver,
                observes,
                actual.attachments(driver),
                verifyAt.computeIfAbsent(driver, name -> first),
                loop.nanoTime());
    }

    void verified(String driver) {
        verifyAt.put(driver, loop.nanoTime() + options.verifyEvery().toNanos());
    }
}
