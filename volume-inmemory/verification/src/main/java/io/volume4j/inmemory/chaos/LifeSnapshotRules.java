package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.GroupSnapshotter.CreateGroupRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Rules for snapshots and groups that must hold at every time, checked by the stored objects and the backend's content. The
 * backend gets known names: {@code snapshot-} or {@code groupsnapshot-} and the UID.
 */
final class LifeSnapshotRules {
    private final Simulation world;

    /** Handles that a policy retained at the backend, or whose record a user removed. */
    private final Set<String> leftToPeople = new TreeSet<>();

    /** The volumes of each group when the backend first had it. */
    private final Map<String, Set<String>> cut = new TreeMap<>();

    LifeSnapshotRules(Simulation world) {
        this.world = world;
    }

    boolean leftToPeople(String handle) {
        return leftToPeople.contains(handle);
    }

    /** The record of a retained snapshot is gone, so a person must clean up the backend. */
    void gone(ApiObject old) {
        if (LifeGroups.policy(old) == DeletionPolicy.RETAIN) {
            left(old);
        }
    }

    /**
     * A user removed the record before the library had seen it, or retained the snapshot: a person must clean up the
     * backend.
     */
    void takenAway(ApiObject old) {
        left(old);
    }

    private void left(ApiObject old) {
        if (old instanceof VolumeGroupSnapshotContent content
                && !content.handle().isEmpty()) {
            leftToPeople.add(content.handle());
            leftToPeople.addAll(
                    world.storage().groupSnapshotMembers(content.handle()).values());
        } else if (old instanceof VolumeSnapshotContent content) {
            leftToPeople.add(content.handle());
        }
    }

    void written(String write) {
        for (ApiObject object : world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT)) {
            if (object instanceof VolumeGroupSnapshot group && group.status().ready()) {
                ready(write, group);
            }
        }
        for (ApiObject object : world.cluster().all(Kind.VOLUME_SNAPSHOT)) {
            if (object instanceof VolumeSnapshot snapshot && snapshot.status().ready()) {
                ready(write, snapshot);
            }
        }
        leaks(write);
    }

    /** A group is ready when each member is ready for restore, and its content contains each of them. */
    private void ready(String write, VolumeGroupSnapshot group) {
        VolumeGroupSnapshotContent content = world.cluster()
                .get(new ObjectKey(
                        Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, "", group.status().contentName()))
                .map(VolumeGroupSnapshotContent.class::cast)
                .orElse(null);
        if (content == null || content.metadata().deleting() || group.metadata().deleting()) {
            return;
        }
        Map<String, String> members = world.storage().groupSnapshotMembers(content.handle());
        Set<String> told = new TreeSet<>();
        content.status().members().forEach(member -> told.add(member.snapshotHandle()));
        if (members.isEmpty() || !told.equals(new TreeSet<>(members.values()))) {
            violate(Rule.S14, write, group.key() + " is ready with " + told + ", the backend has " + members.values());
        }
        if (!content.spec().volumeHandles().isEmpty()
                && !members.keySet().equals(new TreeSet<>(content.spec().volumeHandles()))) {
            violate(
                    Rule.S14,
                    write,
                    group.key() + " is to be of " + content.spec().volumeHandles() + ", and was cut of "
                            + members.keySet());
        }
        for (String member : members.values()) {
            if (!world.storage().snapshotReady(member)) {
                violate(Rule.S14, write, group.key() + " is ready, and its member " + member + " is not");
            }
        }
    }

    private void ready(String write, VolumeSnapshot snapshot) {
        VolumeSnapshotContent content = world.cluster()
                .get(new ObjectKey(
                        Kind.VOLUME_SNAPSHOT_CONTENT, "", snapshot.status().contentName()))
                .map(VolumeSnapshotContent.class::cast)
                .orElse(null);
        // One call deletes a group; afterwards the members' snapshots are removed.
        if (content == null || content.metadata().deleting()) {
            return;
        }
        boolean judged = !snapshot.metadata().deleting() && !ofDyingGroup(snapshot);
        if (judged && !world.storage().snapshotReady(content.handle()) && !leftToPeople.contains(content.handle())) {
            violate(
                    Rule.S14,
                    write,
                    snapshot.key() + " is ready, and the backend says otherwise of " + content.handle());
        }
    }

    private boolean ofDyingGroup(VolumeSnapshot snapshot) {
        return snapshot.metadata().ownerReferences().stream()
                .anyMatch(owner -> world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT).stream()
                        .noneMatch(group -> group.metadata().uid().equals(owner.uid())
                                && !group.metadata().deleting()));
    }

    /** Everything at the backend must have a content: with its handle, or with the mark that it is being created. */
    void leaks(String call) {
        Set<String> told = new TreeSet<>(leftToPeople);
        for (ApiObject object : world.cluster().all(Kind.VOLUME_SNAPSHOT_CONTENT)) {
            if (object instanceof VolumeSnapshotContent content) {
                told.add(content.handle());
                if (annotated(content, WellKnown.SNAPSHOT_BEING_CREATED)) {
                    told.add("snapshot-" + content.spec().snapshotRef().uid());
                }
            }
        }
        for (ApiObject object : world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT)) {
            if (object instanceof VolumeGroupSnapshotContent content) {
                told.add(content.handle());
                if (annotated(content, WellKnown.GROUP_BEING_CREATED)) {
                    told.add("groupsnapshot-" + content.spec().groupRef().uid());
                }
            }
        }
        Set<String> grouped = new TreeSet<>();
        for (String group : world.storage().groupSnapshotHandles()) {
            grouped.addAll(world.storage().groupSnapshotMembers(group).values());
            untold(call, group, told);
        }
        for (String snapshot : world.storage().snapshotHandles()) {
            if (!grouped.contains(snapshot)) {
                untold(call, snapshot, told);
            }
        }
    }

    private void untold(String call, String handle, Set<String> told) {
        if (!told.contains(handle)) {
            violate(Rule.L2, call, "snapshot " + handle + " exists, and nothing in the cluster tells of it");
        }
    }

    private static boolean annotated(ApiObject object, String name) {
        return object.metadata().annotations().containsKey(name);
    }

    /** The sources of a snapshot exist unless it was created before, and are the same at every attempt. */
    void issued(PluginCall call, Predicate<String> forced) {
        if (call.name().equals("deleteGroupSnapshot")) {
            destroying(call);
        } else if (call.request() instanceof CreateGroupRequest create) {
            Set<String> volumes = new TreeSet<>();
            for (VolumeSource source : create.sources()) {
                if (source instanceof CsiSource csi) {
                    volumes.add(csi.volumeHandle());
                }
            }
            Set<String> before = cut.putIfAbsent(create.name(), volumes);
            if (before != null && !before.equals(volumes)) {
                violate(Rule.S10, call.text(), "it was to be cut of " + before + ", and is now of " + volumes);
            }
            boolean made = world.storage().groupSnapshotHandles().contains(create.name());
            for (String volume : volumes) {
                if (!made
                        && !forced.test(volume)
                        && world.storage().volume(volume).isEmpty()) {
                    violate(Rule.S10, call.text(), volume + " went while a group was to be cut of it");
                }
            }
        }
    }

    void effected(PluginCall call) {
        if (call.name().equals("groupSnapshot") || call.name().equals("snapshot")) {
            leaks(call.text());
        }
    }

    /** A group may be deleted only if its content is being deleted and its policy is Delete. */
    private void destroying(PluginCall call) {
        List<ApiObject> contents = world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT);
        for (ApiObject object : contents) {
            if (object instanceof VolumeGroupSnapshotContent content
                    && content.handle().equals(call.volume())
                    && (content.spec().deletionPolicy() != DeletionPolicy.DELETE
                            || !content.metadata().deleting())) {
                violate(Rule.S10, call.text(), content.key() + " does not say that its group is to be destroyed");
            }
        }
    }

    private void violate(Rule rule, String call, String message) {
        world.oracle().violate(rule, call, message);
    }
}
