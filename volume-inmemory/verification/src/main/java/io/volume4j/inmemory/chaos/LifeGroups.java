package io.volume4j.inmemory.chaos;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/** The actions of users on groups of snapshots in a world of claims. */
final class LifeGroups {
    static final int GROUPS = 2;

    /** The label by which groups select claims; its value is {@code even} or {@code odd}, from the claim's number. */
    static final String TEAM = "team";

    private static final List<String> CLASSES = List.of("together", "together", "together-kept");

    private final Simulation world;
    private final IntSupplier number;

    /** @param number source of UIDs and of names for unknown objects */
    LifeGroups(Simulation world, IntSupplier number) {
        this.world = world;
        this.number = number;
        world.cluster().apply(type("together", DeletionPolicy.DELETE));
        world.cluster().apply(type("together-kept", DeletionPolicy.RETAIN));
    }

    Map<Act.Kind, Consumer<Act>> acts() {
        Map<Act.Kind, Consumer<Act>> acts = new EnumMap<>(Act.Kind.class);
        acts.put(Act.Kind.GROUP, this::make);
        acts.put(Act.Kind.TAKE_GROUP, this::take);
        acts.put(Act.Kind.REMOVE_GROUP, act -> remove(act.a()));
        acts.put(Act.Kind.REMOVE_MEMBER, this::removeMember);
        acts.put(Act.Kind.REMOVE_CONTENT, this::removeContent);
        return acts;
    }

    static ObjectKey key(int group) {
        return new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, Given.NAMESPACE, "g" + group % GROUPS);
    }

    /** Creates a group of the claims of one team, or of all claims. */
    void make(Act act) {
        String name = key(act.a()).name();
        if (world.cluster().get(key(act.a())).isPresent()) {
            return;
        }
        String chosen = act.c() % 3 == 2
                ? "matchExpressions: [{key: team, operator: Exists}]"
                : "matchLabels: {team: " + (act.c() % 3 == 0 ? "even" : "odd") + "}";
        String className = CLASSES.get(act.b() % CLASSES.size());
        world.tell("group " + name + " of class " + className + ", " + chosen);
        apply(
                "kind: VolumeGroupSnapshot, metadata: {name: %s, namespace: %s, uid: %s}, spec: {source: {selector: {%s}}, volumeGroupSnapshotClassName: %s}}"
                        .formatted(name, Given.NAMESPACE, uid(name), chosen, className));
    }

    /** Imports a group that another client created at the backend, of all existing volumes. */
    void take(Act act) {
        String name = key(act.a()).name();
        List<String> volumes = new ArrayList<>();
        for (ApiObject object : world.cluster().all(Kind.PERSISTENT_VOLUME)) {
            if (object instanceof PersistentVolume volume
                    && volume.spec().source() instanceof CsiSource source
                    && world.storage().volume(source.volumeHandle()).isPresent()) {
                volumes.add(source.volumeHandle());
            }
        }
        if (volumes.isEmpty() || world.cluster().get(key(act.a())).isPresent()) {
            return;
        }
        String handle = "given-" + number.getAsInt();
        String content = "content-of-" + handle;
        DeletionPolicy policy = act.b() % 2 == 0 ? DeletionPolicy.DELETE : DeletionPolicy.RETAIN;
        world.tell("group " + name + " of what the backend has as " + handle + ", of " + volumes + ", " + policy);
        world.storage().cutGroupBehindOurBack(handle, volumes);
        apply(
                "kind: VolumeGroupSnapshotContent, metadata: {name: %s, uid: %s}, spec: {deletionPolicy: %s, driver: mem, volumeGroupSnapshotRef: {name: %s, namespace: %s}, source: {groupSnapshotHandles: {volumeGroupSnapshotHandle: %s, volumeSnapshotHandles: %s}}}}"
                        .formatted(
                                content,
                                "uid-" + content,
                                word(policy),
                                name,
                                Given.NAMESPACE,
                                handle,
                                world.storage().groupSnapshotMembers(handle).values()));
        apply(
                "kind: VolumeGroupSnapshot, metadata: {name: %s, namespace: %s, uid: %s}, spec: {source: {volumeGroupSnapshotContentName: %s}}}"
                        .formatted(name, Given.NAMESPACE, uid(name), content));
    }

    void remove(int group) {
        remove(key(group));
    }

    /** A user deletes a content of a group or a snapshot. */
    void removeContent(Act act) {
        Kind kind = act.a() % 2 == 0 ? Kind.VOLUME_GROUP_SNAPSHOT_CONTENT : Kind.VOLUME_SNAPSHOT_CONTENT;
        List<ApiObject> contents = world.cluster().all(kind);
        if (!contents.isEmpty()) {
            remove(contents.get(act.b() % contents.size()).key());
        }
    }

    void removeMember(Act act) {
        member(act.a(), act.b()).ifPresent(member -> remove(member.key()));
    }

    /** One of the snapshots of a group; empty if it has none. */
    Optional<VolumeSnapshot> member(int group, int which) {
        List<VolumeSnapshot> members = new ArrayList<>();
        world.cluster()
                .get(key(group))
                .ifPresent(found ->
                        members.addAll(membersOf(world, found.metadata().uid())));
        return members.isEmpty() ? Optional.empty() : Optional.of(members.get(which % members.size()));
    }

    static List<VolumeSnapshot> membersOf(Simulation world, String groupUid) {
        List<VolumeSnapshot> members = new ArrayList<>();
        for (ApiObject object : world.cluster().all(Kind.VOLUME_SNAPSHOT)) {
            if (object instanceof VolumeSnapshot snapshot
                    && snapshot.metadata().ownerReferences().stream()
                            .map(OwnerReference::uid)
                            .anyMatch(groupUid::equals)) {
                members.add(snapshot);
            }
        }
        return members;
    }

    /** The claims that the group selects now. */
    static List<PersistentVolumeClaim> chosen(Simulation world, LabelSelector selector) {
        List<PersistentVolumeClaim> chosen = new ArrayList<>();
        for (ApiObject object : world.cluster().all(Kind.PERSISTENT_VOLUME_CLAIM)) {
            if (object instanceof PersistentVolumeClaim claim
                    && claim.metadata().namespace().equals(Given.NAMESPACE)
                    && selector.matches(claim.metadata().labels())) {
                chosen.add(claim);
            }
        }
        return chosen;
    }

    /**
     * Whether a group protects the claim. It has begun with the claim without a snapshot, because it waits for a newer claim. Until the
     * newer claim is ready, or the group is deleted, a snapshot may still need the claim.
     */
    static boolean keeps(Simulation world, PersistentVolumeClaim claim) {
        return cutSoon(claim)
                && world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT).stream()
                        .map(VolumeGroupSnapshot.class::cast)
                        .filter(group -> !group.metadata().deleting()
                                && group.metadata().finalizers().contains(WellKnown.GROUP_BOUND_PROTECTION)
                                && world.cluster().get(contentKey(group)).isEmpty())
                        .map(group -> group.spec().selector())
                        .filter(selector -> selector != null
                                && selector.matches(claim.metadata().labels()))
                        .anyMatch(selector -> chosen(world, selector).stream()
                                .anyMatch(other -> LifeExpectations.sizeOf(other) == null
                                        || (other.metadata().deleting() && !cutSoon(other))));
    }

    /** Whether the snapshot or group can never be created: a user removed a claim by force, and its volume is gone. */
    static boolean beyondCutting(Simulation world, ApiObject snapshot, Predicate<String> leftToPeople) {
        String uid = snapshot.metadata().uid();
        boolean cut = world.storage().snapshotHandles().contains("snapshot-" + uid)
                || world.storage().groupSnapshotHandles().contains("groupsnapshot-" + uid);
        return !cut
                && world
                        .cluster()
                        .get(contentKey(snapshot))
                        .map(content -> content instanceof VolumeSnapshotContent single
                                ? List.of(single.spec().volumeHandle())
                                : ((VolumeGroupSnapshotContent) content).spec().volumeHandles())
                        .stream()
                        .flatMap(List::stream)
                        .anyMatch(handle -> leftToPeople.test(handle)
                                && world.storage().volume(handle).isEmpty());
    }

    private static ObjectKey contentKey(ApiObject snapshot) {
        boolean group = snapshot instanceof VolumeGroupSnapshot;
        return new ObjectKey(
                group ? Kind.VOLUME_GROUP_SNAPSHOT_CONTENT : Kind.VOLUME_SNAPSHOT_CONTENT,
                "",
                (group ? "groupsnapcontent-" : "snapcontent-")
                        + snapshot.metadata().uid());
    }

    private static boolean cutSoon(PersistentVolumeClaim claim) {
        return claim.metadata().finalizers().contains(WellKnown.SNAPSHOTTED_PROTECTION);
    }

    void removeAll() {
        for (int i = 0; i < GROUPS; i++) {
            remove(i);
        }
    }

    /** Removes by hand what policies retained, and contents that no group ever bound. */
    void removeKept() {
        for (Kind kind : List.of(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, Kind.VOLUME_SNAPSHOT_CONTENT)) {
            for (ApiObject object : world.cluster().all(kind)) {
                boolean given = object instanceof VolumeGroupSnapshotContent content
                        && !content.spec().groupHandle().isEmpty();
                if (given || policy(object) == DeletionPolicy.RETAIN) {
                    remove(object.key());
                }
            }
        }
    }

    static DeletionPolicy policy(ApiObject content) {
        if (content instanceof VolumeGroupSnapshotContent group) {
            return group.spec().deletionPolicy();
        }
        return content instanceof VolumeSnapshotContent single
                ? single.spec().deletionPolicy()
                : DeletionPolicy.UNKNOWN;
    }

    private void remove(ObjectKey key) {
        if (world.cluster().get(key).isPresent()) {
            world.tell(key + " is to be deleted");
            world.cluster().remove(key);
        }
    }

    private String uid(String name) {
        return "uid-" + name + "-" + number.getAsInt();
    }

    private void apply(String text) {
        world.cluster().apply(read(text));
    }

    private static ApiObject type(String name, DeletionPolicy policy) {
        return read("kind: VolumeGroupSnapshotClass, metadata: {name: %s}, driver: mem, deletionPolicy: %s}"
                .formatted(name, word(policy)));
    }

    private static String word(DeletionPolicy policy) {
        return policy == DeletionPolicy.DELETE ? "Delete" : "Retain";
    }

    private static ApiObject read(String text) {
        return Manifests.read("a group", "{apiVersion: groupsnapshot.storage.k8s.io/v1beta2, " + text)
                .get(0);
    }
}
