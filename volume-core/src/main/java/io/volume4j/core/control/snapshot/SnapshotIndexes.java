package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.facts.ReferenceIndex;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** References between snapshots, contents and claims. Loop thread only. */
final class SnapshotIndexes {
    /** The key for snapshots without a class. No class has this name. */
    static final String NO_CLASS = "\0";

    /** Snapshots by their source claim. */
    final ReferenceIndex<ObjectKey, ObjectKey> byClaim = new ReferenceIndex<>();

    /** Groups that select claims, by namespace. */
    final ReferenceIndex<String, ObjectKey> groupsByNamespace = new ReferenceIndex<>();

    /** Claims by namespace, for the selectors of groups. */
    final ReferenceIndex<String, ObjectKey> claimsByNamespace = new ReferenceIndex<>();

    /** Snapshots by their current or future content. */
    final ReferenceIndex<ObjectKey, ObjectKey> byContent = new ReferenceIndex<>();

    /** Snapshots and contents by their class: kind and name of the class. */
    final ReferenceIndex<String, ObjectKey> byClass = new ReferenceIndex<>();

    /** Contents by the backend's snapshot. */
    final ReferenceIndex<Stored, ObjectKey> byHandle = new ReferenceIndex<>();

    /** Contents of members by the name of the content of their group. */
    final ReferenceIndex<String, ObjectKey> byGroupContent = new ReferenceIndex<>();

    /** Snapshots of members by the UID of their group. */
    final ReferenceIndex<String, ObjectKey> byGroup = new ReferenceIndex<>();

    /** Claims by the claim or snapshot that is their data source. */
    final ReferenceIndex<ObjectKey, ObjectKey> madeFrom = new ReferenceIndex<>();

    void changed(ObjectKey key, @Nullable ApiObject before, @Nullable ApiObject after) {
        switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> {
                madeFrom.move(key, sources(before), sources(after));
                claimsByNamespace.move(key, namespace(before), namespace(after));
            }
            case VOLUME_SNAPSHOT, VOLUME_GROUP_SNAPSHOT -> {
                byClaim.move(key, claims(before), claims(after));
                groupsByNamespace.move(key, namespaces(before), namespaces(after));
                byContent.move(key, contents(before), contents(after));
                byGroup.move(key, groups(before), groups(after));
                byClass.move(key, classes(before), classes(after));
            }
            case VOLUME_SNAPSHOT_CONTENT, VOLUME_GROUP_SNAPSHOT_CONTENT -> {
                byClass.move(key, classes(before), classes(after));
                byGroupContent.move(key, groupContents(before), groupContents(after));
                byHandle.move(key, handles(before), handles(after));
            }
            default -> {
                // has no references to snapshots
            }
        }
    }

    static String classKey(Kind kind, String name) {
        return kind.apiName() + "/" + name;
    }

    /** A snapshot, or a group of snapshots, at the backend of a driver. */
    record Stored(Kind kind, String driver, String handle) {
        static Stored by(ContentFacts content) {
            return new Stored(content.key().kind(), content.driver(), content.handle());
        }
    }

    private static Set<Stored> handles(@Nullable ApiObject object) {
        Set<Stored> handles = new LinkedHashSet<>();
        @Nullable ContentFacts content = object == null ? null : ContentFacts.ofAny(object);
        if (content != null && !content.handle().isEmpty()) {
            handles.add(Stored.by(content));
        }
        return handles;
    }

    static Set<ObjectKey> sources(@Nullable ApiObject object) {
        Set<ObjectKey> sources = new LinkedHashSet<>();
        if (object instanceof PersistentVolumeClaim claim) {
            @Nullable ObjectKey source = DataSource.sourceOf(claim);
            if (source != null) {
                sources.add(source);
            }
        }
        return sources;
    }

    static Set<ObjectKey> claims(@Nullable ApiObject object) {
        Set<ObjectKey> claims = new LinkedHashSet<>();
        if (object instanceof VolumeSnapshot snapshot
                && !snapshot.spec().claimName().isEmpty()) {
            claims.add(ObjectKey.claim(
                    snapshot.metadata().namespace(), snapshot.spec().claimName()));
        }
        return claims;
    }

    private static Set<String> namespace(@Nullable ApiObject object) {
        Set<String> namespaces = new LinkedHashSet<>();
        if (object != null) {
            namespaces.add(object.metadata().namespace());
        }
        return namespaces;
    }

    private static Set<String> namespaces(@Nullable ApiObject object) {
        Set<String> namespaces = new LinkedHashSet<>();
        if (object instanceof VolumeGroupSnapshot group && group.spec().selector() != null) {
            namespaces.add(group.metadata().namespace());
        }
        return namespaces;
    }

    private static Set<ObjectKey> contents(@Nullable ApiObject object) {
        Set<ObjectKey> contents = new LinkedHashSet<>();
        @Nullable SnapshotFacts facts = object == null ? null : SnapshotFacts.ofAny(object);
        if (facts != null) {
            contents.add(facts.contentKey());
        }
        return contents;
    }

    private static Set<String> groups(@Nullable ApiObject object) {
        Set<String> groups = new LinkedHashSet<>();
        if (object instanceof VolumeSnapshot snapshot) {
            @Nullable OwnerReference group = groupOf(snapshot);
            if (group != null) {
                groups.add(group.uid());
            }
        }
        return groups;
    }

    /** The group of the snapshot, null for none. */
    static @Nullable OwnerReference groupOf(VolumeSnapshot snapshot) {
        return snapshot.metadata().ownerReferences().stream()
                .filter(owner -> owner.kind().equals(Kind.VOLUME_GROUP_SNAPSHOT.apiName()))
                .findFirst()
                .orElse(null);
    }

    /** The UID of the object for which this one exists: a member's group, a content's snapshot. */
    static String madeFor(ApiObject object) {
        @Nullable ContentFacts content = ContentFacts.ofAny(object);
        if (content != null) {
            return content.wantedBy().uid();
        }
        @Nullable OwnerReference group = object instanceof VolumeSnapshot snapshot ? groupOf(snapshot) : null;
        return group == null ? "" : group.uid();
    }

    private static Set<String> groupContents(@Nullable ApiObject object) {
        Set<String> names = new LinkedHashSet<>();
        @Nullable ContentFacts facts = object == null ? null : ContentFacts.ofAny(object);
        if (facts != null && !facts.groupContent().isEmpty()) {
            names.add(facts.groupContent());
        }
        return names;
    }

    private static Set<String> classes(@Nullable ApiObject object) {
        Set<String> names = new LinkedHashSet<>();
        @Nullable SnapshotFacts snapshot = object == null ? null : SnapshotFacts.ofAny(object);
        @Nullable ContentFacts content = object == null ? null : ContentFacts.ofAny(object);
        if (snapshot != null) {
            names.add(classKey(
                    snapshot.words().type(), snapshot.className().isEmpty() ? NO_CLASS : snapshot.className()));
        } else if (content != null && !content.className().isEmpty()) {
            names.add(classKey(content.words().type(), content.className()));
        }
        return names;
    }
}
