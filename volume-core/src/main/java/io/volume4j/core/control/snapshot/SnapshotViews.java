package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the views of the snapshot planners. Loop thread only. */
final class SnapshotViews {
    private final Host host;
    private final ObjectCache cache;
    private final CacheCompleteness known;
    private final SnapshotState state;
    private final SourceViews sources;
    private final PluginAccess plugins;
    private final SnapshotSettings settings;

    SnapshotViews(Host host, SnapshotState state, SourceViews sources, SnapshotSettings settings) {
        this.host = host;
        this.cache = host.objects();
        this.known = host.known();
        this.state = state;
        this.sources = sources;
        this.plugins = host.plugins();
        this.settings = settings;
    }

    /** Null if this process has nothing to decide about the object. */
    @Nullable
    SubjectView of(ApiObject object) {
        @Nullable Self leading = host.lead().self().orElse(null);
        if (leading == null) {
            return null;
        }
        return switch (object.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> object instanceof PersistentVolumeClaim claim ? sources.of(claim) : null;
            case VOLUME_SNAPSHOT, VOLUME_SNAPSHOT_CONTENT -> settings.snapshots() ? ofSnapshots(object, leading) : null;
            case VOLUME_GROUP_SNAPSHOT, VOLUME_GROUP_SNAPSHOT_CONTENT ->
                settings.groups() ? ofSnapshots(object, leading) : null;
            default -> null;
        };
    }

    private @Nullable SubjectView ofSnapshots(ApiObject object, Self leading) {
        @Nullable SnapshotFacts snapshot = SnapshotFacts.ofAny(object);
        if (snapshot != null) {
            return snapshot(snapshot);
        }
        @Nullable ContentFacts content = ContentFacts.ofAny(object);
        return content == null ? null : content(content, leading);
    }

    // Snapshots.

    private SnapshotView snapshot(SnapshotFacts snapshot) {
        ObjectKey key = snapshot.key();
        Lookup<ContentFacts> content = content(snapshot.contentKey(), key);
        List<SnapshotView.Source> wanted =
                snapshot.dynamic() && snapshot.boundContent().isEmpty() ? sourcesOf(snapshot) : List.of();
        String driver = wanted.isEmpty() ? "" : wanted.get(0).driver();
        Collection<ApiObject> classes = cache.all(snapshot.words().type());
        List<ClassFacts> defaults = snapshot.className().isEmpty() ? ClassFacts.defaults(classes, driver) : List.of();
        List<ApiObject> members = members(snapshot);
        return new SnapshotView(
                snapshot,
                content,
                type(snapshot, defaults),
                defaults.size(),
                wanted,
                known.all(Kind.PERSISTENT_VOLUME_CLAIM, key) && known.all(Kind.PERSISTENT_VOLUME, key),
                restoring(snapshot, members),
                known.all(Kind.PERSISTENT_VOLUME_CLAIM, key) && membersKnown(snapshot),
                group(snapshot),
                missingMembers(snapshot, content),
                members,
                host.loop().now(),
                host.told().about(key, SnapshotPlanner.TOPIC));
    }

    private Lookup<ClassFacts> type(SnapshotFacts snapshot, List<ClassFacts> defaults) {
        Kind kind = snapshot.words().type();
        if (!known.all(kind, snapshot.key())) {
            return Lookup.unknown();
        }
        if (snapshot.className().isEmpty()) {
            return defaults.size() == 1 ? Lookup.found(defaults.get(0)) : Lookup.unnamed();
        }
        return type(kind, snapshot.className(), snapshot.key());
    }

    private Lookup<ClassFacts> type(Kind kind, String name, ObjectKey asking) {
        return name.isEmpty()
                ? Lookup.unnamed()
                : known.lookup(cache.get(new ObjectKey(kind, "", name)).map(ClassFacts::ofAny), kind, asking);
    }

    private List<SnapshotView.Source> sourcesOf(SnapshotFacts snapshot) {
        List<SnapshotView.Source> found = new ArrayList<>();
        if (snapshot.object() instanceof VolumeSnapshot single) {
            found.add(source(
                    ObjectKey.claim(single.metadata().namespace(), single.spec().claimName()), snapshot.key()));
        } else if (snapshot.object() instanceof VolumeGroupSnapshot group) {
            state.indexes.claimsByNamespace.naming(group.metadata().namespace()).stream()
                    .filter(claim -> cache.get(claim, PersistentVolumeClaim.class)
                            .filter(one -> SourceViews.chooses(group, one))
                            .isPresent())
                    .sorted()
                    .forEach(claim -> found.add(source(claim, snapshot.key())));
        }
        return found;
    }

    private SnapshotView.Source source(ObjectKey key, ObjectKey asking) {
        Lookup<PersistentVolumeClaim> claim =
                known.lookup(cache.get(key, PersistentVolumeClaim.class), Kind.PERSISTENT_VOLUME_CLAIM, asking);
        Lookup<PersistentVolume> volume = Lookup.unnamed();
        String driver = "";
        String handle = "";
        if (claim.found()
                && claim.get().status().phase() == ClaimPhase.BOUND
                && !claim.get().spec().volumeName().isEmpty()) {
            volume = known.lookup(
                    cache.get(ObjectKey.volume(claim.get().spec().volumeName()), PersistentVolume.class)
                            .filter(found -> ClaimFacts.has(claim.get(), found)),
                    Kind.PERSISTENT_VOLUME,
                    asking);
            if (volume.found()
                    && plugins.migration().specIfPossible(volume.get(), false).source() instanceof CsiSource csi) {
                driver = csi.driver();
                handle = csi.volumeHandle();
            }
        }
        return new SnapshotView.Source(key, claim, volume, driver, handle);
    }

    private List<String> restoring(SnapshotFacts snapshot, List<ApiObject> members) {
        List<String> names = new ArrayList<>(sources.restoredFrom(snapshot.object()));
        members.forEach(member -> names.addAll(sources.restoredFrom(member)));
        return names;
    }

    // Groups.

    private List<ApiObject> members(SnapshotFacts snapshot) {
        return snapshot.words() == SnapshotWords.SINGLE
                ? List.of()
                : state.indexes.byGroup.naming(snapshot.uid()).stream()
                        .sorted()
                        .flatMap(member -> cache.get(member).stream())
                        .toList();
    }

    /** If some members of a group are not known, claims may be created from them, and they must be deleted before the group. */
    private boolean membersKnown(SnapshotFacts snapshot) {
        return snapshot.words() == SnapshotWords.SINGLE || known.all(Kind.VOLUME_SNAPSHOT, snapshot.key());
    }

    private List<SnapshotView.Member> missingMembers(SnapshotFacts snapshot, Lookup<ContentFacts> content) {
        if (!(snapshot.object() instanceof VolumeGroupSnapshot group)
                || !content.found()
                || !(content.get().object() instanceof VolumeGroupSnapshotContent from)
                || !content.get().belongsTo(snapshot)
                || !from.status().ready()
                || !known.all(Kind.VOLUME_SNAPSHOT, snapshot.key())
                || !known.all(Kind.VOLUME_SNAPSHOT_CONTENT, snapshot.key())
                || !known.all(Kind.PERSISTENT_VOLUME, snapshot.key())) {
            return List.of();
        }
        boolean whole = from.status().members().stream()
                .allMatch(member ->
                        cache.get(GroupMembers.contentKey(group, member)).isPresent());
        Map<String, VolumeMode> modes = whole ? Map.of() : modes(from);
        return from.status().members().stream()
                .map(member -> member(group, from, member, modes.get(member.volumeHandle())))
                .toList();
    }

    /**
     * The modes of the members' volumes by their handles. The field of a content cannot be set later, and without it a user could
     * have a filesystem read as a raw device, or a raw device mounted.
     */
    private Map<String, VolumeMode> modes(VolumeGroupSnapshotContent from) {
        Map<String, VolumeMode> modes = new HashMap<>();
        Set<String> handles = new HashSet<>();
        from.status().members().forEach(member -> handles.add(member.volumeHandle()));
        for (ApiObject object : cache.all(Kind.PERSISTENT_VOLUME)) {
            if (object instanceof PersistentVolume volume
                    && plugins.migration().specIfPossible(volume, false).source() instanceof CsiSource csi
                    && csi.driver().equals(from.spec().driver())
                    && handles.contains(csi.volumeHandle())) {
                modes.put(csi.volumeHandle(), volume.spec().volumeMode());
            }
        }
        return modes;
    }

    /** Another controller that creates the same objects may have died between a content and its status. */
    private SnapshotView.Member member(
            VolumeGroupSnapshot group,
            VolumeGroupSnapshotContent from,
            VolumeGroupSnapshotContent.Member member,
            @Nullable VolumeMode mode) {
        List<ApiObject> missing = new ArrayList<>(2);
        Optional<ObjectWrite> unsaid = Optional.empty();
        for (ApiObject object : GroupMembers.of(group, from, member, mode)) {
            @Nullable ApiObject there = cache.get(object.key()).orElse(null);
            if (there == null) {
                missing.add(object);
            } else if (there instanceof VolumeSnapshotContent content
                    && content.handle().isEmpty()
                    && !content.metadata().deleting()) {
                unsaid = SnapshotWrites.seen(ContentFacts.of(content), GroupMembers.result(member));
            }
        }
        return new SnapshotView.Member(missing, unsaid);
    }

    /** Only members with the group's finalizer belong to it. Other objects with a group as owner belong to their creator. */
    private SnapshotView.Group group(SnapshotFacts snapshot) {
        if (!(snapshot.object() instanceof VolumeSnapshot single)
                || !single.metadata().finalizers().contains(WellKnown.SNAPSHOT_GROUP_PROTECTION)) {
            return SnapshotView.Group.none(snapshot.key());
        }
        @Nullable OwnerReference owner = SnapshotIndexes.groupOf(single);
        if (owner == null) {
            return SnapshotView.Group.none(snapshot.key());
        }
        ObjectKey key =
                new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, single.metadata().namespace(), owner.name());
        if (!settings.groups()) {
            String why = "the snapshot is part of group snapshot " + OneLine.name(owner.name())
                    + ", and this process does not handle groups";
            return new SnapshotView.Group(key, owner.uid(), Lookup.State.UNKNOWN, why);
        }
        Lookup<ApiObject> group = group(key, owner.uid(), snapshot.key());
        String keeps = "";
        if (group.state() == Lookup.State.UNKNOWN) {
            keeps = "the group snapshots of the cluster are not known completely";
        } else if (group.found() && !group.get().metadata().deleting()) {
            keeps = "the snapshot is part of group snapshot " + OneLine.name(owner.name())
                    + ": delete the group, which deletes its snapshots";
        }
        return new SnapshotView.Group(key, owner.uid(), group.state(), keeps);
    }

    private Lookup<ApiObject> group(ObjectKey key, String uid, ObjectKey asking) {
        Optional<ApiObject> found =
                cache.get(key).filter(object -> object.metadata().uid().equals(uid));
        return found.isEmpty() && host.store().provenGone(uid)
                ? Lookup.absent()
                : known.lookup(found, key.kind(), asking);
    }

    // Contents.

    private ContentView content(ContentFacts content, Self leading) {
        ObjectKey key = content.key();
        String text = content.object().metadata().annotation(SnapshotIntent.ANNOTATION);
        @Nullable SnapshotIntent intent = null;
        String error = "";
        if (!text.isEmpty()) {
            try {
                intent = SnapshotIntent.read(text);
            } catch (IllegalArgumentException unreadable) {
                error = String.valueOf(unreadable.getMessage());
            }
        }
        Optional<VolumePlugin> plugin =
                settings.only().isEmpty() || settings.only().equals(content.driver())
                        ? plugins.byName(content.driver())
                        : Optional.empty();
        boolean single = content.words() == SnapshotWords.SINGLE;
        Lookup<ContentFacts> other = content.deleting() ? other(content) : Lookup.unnamed();
        return new ContentView(
                content,
                snapshotOf(content),
                type(content.words().type(), content.className(), key),
                plugin.filter(found -> single
                                ? found.snapshotter().isPresent()
                                : found.groupSnapshotter().isPresent())
                        .isPresent(),
                !single
                        || plugin.flatMap(VolumePlugin::snapshotter)
                                .map(Snapshotter::tellsProgress)
                                .orElse(true),
                groupContent(content),
                other,
                other.found() && host.store().confirmed(other.get().object()),
                settings.metadata() ? content.metadata() : Map.of(),
                intent,
                error,
                state.memory(content.uid()),
                intent == null ? OptionalLong.empty() : host.lead().leftUntil(content.uid(), "", intent.epoch()),
                leading,
                host.now(),
                host.loop().now(),
                host.told().about(key, SnapshotPlanner.TOPIC));
    }

    private Lookup<SnapshotFacts> snapshotOf(ContentFacts content) {
        ObjectReference wanted = content.wantedBy();
        if (wanted.uid().isEmpty()) {
            return Lookup.unnamed();
        }
        Kind kind = content.words().snapshot();
        Optional<SnapshotFacts> found = cache.get(new ObjectKey(kind, wanted.namespace(), wanted.name()))
                .filter(object -> object.metadata().uid().equals(wanted.uid()))
                .map(SnapshotFacts::ofAny);
        return found.isEmpty() && host.store().provenGone(wanted.uid())
                ? Lookup.absent()
                : known.lookup(found, kind, content.key());
    }

    /**
     * Users may make a second content for a snapshot, for example to use it in another namespace. It counts until it is deleted and no
     * VolumeSnapshot uses it any more.
     */
    private Lookup<ContentFacts> other(ContentFacts content) {
        Optional<ContentFacts> other = state.indexes.byHandle.naming(SnapshotIndexes.Stored.by(content)).stream()
                .filter(key -> !key.equals(content.key()))
                .sorted()
                .flatMap(key -> cache.get(key).map(ContentFacts::ofAny).stream())
                .filter(found -> !found.deleting() || serves(found))
                .findFirst();
        if (other.isPresent()) {
            return Lookup.found(other.get());
        }
        return known.all(content.key().kind(), content.key()) ? Lookup.unnamed() : Lookup.unknown();
    }

    /** Whether a snapshot may keep the content, as {@link ContentEnd} decides for it. */
    private boolean serves(ContentFacts content) {
        return !content.wantedBy().uid().isEmpty()
                && !content.annotated(content.words().beingDeleted())
                && snapshotOf(content).state() != Lookup.State.ABSENT;
    }

    private Lookup<ContentFacts> groupContent(ContentFacts content) {
        if (content.groupContent().isEmpty()) {
            return Lookup.unnamed();
        }
        return settings.groups()
                ? content(new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, "", content.groupContent()), content.key())
                : Lookup.unknown();
    }

    private Lookup<ContentFacts> content(ObjectKey key, ObjectKey asking) {
        Optional<ContentFacts> found = cache.get(key).map(ContentFacts::ofAny);
        return found.isEmpty() && host.store().provenAbsent(key)
                ? Lookup.absent()
                : known.lookup(found, key.kind(), asking);
    }
}
