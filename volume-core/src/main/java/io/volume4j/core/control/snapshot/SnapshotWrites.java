package io.volume4j.core.control.snapshot;

import io.volume4j.core.codec.PlacesText;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.SnapshotError;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes to snapshots, their contents and source claims. Each is empty if it would change nothing. */
final class SnapshotWrites {
    private static final String READY = "readyToUse";
    private static final String ERROR = "error";
    private static final String CREATED = "creationTime";
    private static final String SIZE = "restoreSize";

    private SnapshotWrites() {}

    static ObjectWrite finalizers(ApiObject object, List<String> wanted) {
        return ObjectWrite.of(object, List.of(FieldChange.set(wanted, "metadata", "finalizers")));
    }

    static Optional<ObjectWrite> withFinalizer(ApiObject object, String finalizer) {
        if (object.metadata().finalizers().contains(finalizer)) {
            return Optional.empty();
        }
        List<String> more = new ArrayList<>(object.metadata().finalizers());
        more.add(finalizer);
        return Optional.of(finalizers(object, more));
    }

    static Optional<ObjectWrite> withoutFinalizers(ApiObject object, List<String> gone) {
        List<String> left = new ArrayList<>(object.metadata().finalizers());
        return left.removeAll(gone) ? Optional.of(finalizers(object, left)) : Optional.empty();
    }

    // Contents.

    /** Writes the durable intent, with the secret's name for the later deletion. */
    static ObjectWrite intend(ContentFacts content, SnapshotIntent intent) {
        List<FieldChange> changes = new ArrayList<>();
        changes.add(annotation(SnapshotIntent.ANNOTATION, intent.text()));
        if (content.handle().isEmpty()) {
            changes.add(annotation(content.words().beingCreated(), "yes"));
        }
        SnapshotSecrets.kept(intent.parameters()).forEach((name, value) -> changes.add(annotation(name, value)));
        return ObjectWrite.of(content.object(), changes);
    }

    /** Ends the creation. */
    static Optional<ObjectWrite> closed(ContentFacts content, boolean keepIntent) {
        List<FieldChange> changes = new ArrayList<>();
        if (content.annotated(content.words().beingCreated())) {
            changes.add(FieldChange.remove(
                    "metadata", "annotations", content.words().beingCreated()));
        }
        if (!keepIntent && content.annotated(SnapshotIntent.ANNOTATION)) {
            changes.add(FieldChange.remove("metadata", "annotations", SnapshotIntent.ANNOTATION));
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.of(content.object(), changes));
    }

    static ObjectWrite beingDeleted(ContentFacts content) {
        return ObjectWrite.of(
                content.object(), List.of(annotation(content.words().beingDeleted(), "yes")));
    }

    /** Reserves an existing content for exactly the snapshot with that UID. */
    static ObjectWrite bind(ContentFacts content, SnapshotFacts snapshot) {
        List<FieldChange> changes = new ArrayList<>();
        String reference = content.words().reference();
        changes.add(FieldChange.set(snapshot.uid(), "spec", reference, "uid"));
        if (content.className().isEmpty() && !snapshot.className().isEmpty()) {
            changes.add(FieldChange.set(
                    snapshot.className(), "spec", content.words().className()));
        }
        return ObjectWrite.of(content.object(), changes);
    }

    /** Writes the backend's answer. */
    static Optional<ObjectWrite> seen(ContentFacts content, SnapshotResult result) {
        List<FieldChange> changes = new ArrayList<>();
        if (content.object() instanceof VolumeSnapshotContent single) {
            VolumeSnapshotContent.Status status = single.status();
            set(changes, status.snapshotHandle(), result.handle(), "snapshotHandle");
            @Nullable Long cut = nanos(result.cutAt());
            if (cut != null) {
                set(changes, status.creationNanos(), cut, CREATED);
            }
            if (result.bytes() > 0) {
                set(changes, status.restoreBytes(), result.bytes(), SIZE);
            }
            set(changes, status.ready() ? Boolean.TRUE : null, result.ready() ? Boolean.TRUE : null, READY);
            ofGroup(content, status).ifPresent(changes::add);
        } else if (content.object() instanceof VolumeGroupSnapshotContent group) {
            VolumeGroupSnapshotContent.Status status = group.status();
            set(changes, status.groupHandle(), result.handle(), "volumeGroupSnapshotHandle");
            if (!result.cutAt().equals(Instant.EPOCH)) {
                set(changes, time(status.creationTime()), time(result.cutAt()), CREATED);
            }
            set(changes, status.ready() ? Boolean.TRUE : null, result.ready() ? Boolean.TRUE : null, READY);
            List<VolumeGroupSnapshotContent.Member> members =
                    group.tellsPairsOnly() ? pairs(members(result)) : members(result);
            if (!members.equals(status.members())) {
                changes.add(FieldChange.set(
                        members.stream().map(SnapshotWrites::member).toList(),
                        "status",
                        group.tellsPairsOnly() ? "volumeSnapshotHandlePairList" : "volumeSnapshotInfoList"));
            }
        }
        if (content.error() != null) {
            changes.add(FieldChange.remove("status", ERROR));
        }
        return status(content.object(), changes);
    }

    /** Writes the places from which new volumes are accessible. This precedes the status "ready". */
    static Optional<ObjectWrite> places(ContentFacts content, SnapshotResult result) {
        String wanted = result.places().isEverywhere() ? "" : PlacesText.write(result.places());
        String known = content.object().metadata().annotation(PlacesText.ANNOTATION);
        if (content.words() != SnapshotWords.SINGLE || known.equals(wanted)) {
            return Optional.empty();
        }
        return Optional.of(ObjectWrite.of(
                content.object(),
                List.of(
                        wanted.isEmpty()
                                ? FieldChange.remove("metadata", "annotations", PlacesText.ANNOTATION)
                                : annotation(PlacesText.ANNOTATION, wanted))));
    }

    /** If the plugin cannot check the snapshot, the controller assumes that it exists. */
    static Optional<ObjectWrite> believed(ContentFacts content) {
        List<FieldChange> changes = new ArrayList<>();
        String field = content.words() == SnapshotWords.SINGLE ? "snapshotHandle" : "volumeGroupSnapshotHandle";
        changes.add(FieldChange.set(content.handle(), "status", field));
        changes.add(FieldChange.set(true, "status", READY));
        if (content.object() instanceof VolumeSnapshotContent single) {
            ofGroup(content, single.status()).ifPresent(changes::add);
        }
        return status(content.object(), changes);
    }

    /** Kubernetes' sidecars delete a snapshot alone if the status does not name its group. */
    private static Optional<FieldChange> ofGroup(ContentFacts content, VolumeSnapshotContent.Status status) {
        String group = content.groupHandle();
        return group.isEmpty() || !status.groupHandle().isEmpty()
                ? Optional.empty()
                : Optional.of(FieldChange.set(group, "status", "volumeGroupSnapshotHandle"));
    }

    /** Removes the handle of a deleted snapshot from the status, so that no reader assumes that it exists. */
    static Optional<ObjectWrite> emptied(ContentFacts content) {
        String field = content.words() == SnapshotWords.SINGLE ? "snapshotHandle" : "volumeGroupSnapshotHandle";
        boolean tells = content.object() instanceof VolumeSnapshotContent single
                ? !single.status().snapshotHandle().isEmpty()
                : content.object() instanceof VolumeGroupSnapshotContent group
                        && !group.status().groupHandle().isEmpty();
        return tells
                ? status(
                        content.object(),
                        List.of(FieldChange.remove("status", field), FieldChange.remove("status", READY)))
                : Optional.empty();
    }

    // Snapshots.

    static Optional<ObjectWrite> bound(SnapshotFacts snapshot, ContentFacts content) {
        List<FieldChange> changes = new ArrayList<>();
        if (!snapshot.boundContent().equals(content.key().name())) {
            changes.add(FieldChange.set(
                    content.key().name(), "status", snapshot.words().boundTo()));
        }
        if (snapshot.object() instanceof VolumeSnapshot single
                && content.object() instanceof VolumeSnapshotContent from) {
            mirror(single.status(), from.status(), changes);
            if (snapshot.member() && single.status().groupName().isEmpty()) {
                changes.add(FieldChange.set(snapshot.groupName(), "status", "volumeGroupSnapshotName"));
            }
        } else if (snapshot.object() instanceof VolumeGroupSnapshot group
                && content.object() instanceof VolumeGroupSnapshotContent from) {
            set(changes, time(group.status().creationTime()), time(from.status().creationTime()), CREATED);
        }
        set(changes, snapshot.ready() ? Boolean.TRUE : null, content.ready() ? Boolean.TRUE : null, READY);
        @Nullable SnapshotError error = content.error();
        if (error == null && snapshot.error() != null) {
            changes.add(FieldChange.remove("status", ERROR));
        } else if (error != null && !error.equals(snapshot.error())) {
            changes.add(FieldChange.set(tree(error), "status", ERROR));
        }
        return status(snapshot.object(), changes);
    }

    private static void mirror(
            VolumeSnapshot.Status status, VolumeSnapshotContent.Status from, List<FieldChange> changes) {
        @Nullable Long nanos = from.creationNanos();
        if (nanos != null) {
            set(changes, time(status.creationTime()), time(Instant.EPOCH.plusNanos(nanos)), CREATED);
        }
        @Nullable Long bytes = from.restoreBytes();
        if (bytes != null) {
            @Nullable Quantity size = status.restoreSize();
            Quantity wanted = Quantity.ofBytes(bytes);
            if (size == null || size.compareTo(wanted) != 0) {
                changes.add(FieldChange.set(wanted.toString(), "status", SIZE));
            }
        }
    }

    /** Writes the last error, again only if the text changes. */
    static Optional<ObjectWrite> error(ApiObject object, @Nullable SnapshotError known, String why, Instant now) {
        return status(object, errors(known, why, now));
    }

    /** Writes the error of a snapshot that has no content to be used. Backup programs believe "ready", so that is taken back. */
    static Optional<ObjectWrite> unusable(SnapshotFacts snapshot, String why, Instant now) {
        List<FieldChange> changes = errors(snapshot.error(), why, now);
        if (snapshot.ready()) {
            changes.add(FieldChange.set(false, "status", READY));
        }
        return status(snapshot.object(), changes);
    }

    private static List<FieldChange> errors(@Nullable SnapshotError known, String why, Instant now) {
        List<FieldChange> changes = new ArrayList<>(2);
        if (known == null || !known.message().equals(why)) {
            changes.add(FieldChange.set(
                    tree(new SnapshotError(now.truncatedTo(ChronoUnit.SECONDS).toString(), why)), "status", ERROR));
        }
        return changes;
    }

    private static Map<String, Object> tree(SnapshotError error) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("time", error.time());
        tree.put("message", error.message());
        return tree;
    }

    static List<VolumeGroupSnapshotContent.Member> members(SnapshotResult result) {
        return result.members().stream()
                .map(member -> new VolumeGroupSnapshotContent.Member(
                        member.volume(),
                        member.handle(),
                        nanos(member.cutAt()),
                        member.bytes() > 0 ? member.bytes() : null,
                        member.ready()))
                .toList();
    }

    private static List<VolumeGroupSnapshotContent.Member> pairs(List<VolumeGroupSnapshotContent.Member> members) {
        return members.stream()
                .map(member -> new VolumeGroupSnapshotContent.Member(
                        member.volumeHandle(), member.snapshotHandle(), null, null, false))
                .toList();
    }

    private static Map<String, Object> member(VolumeGroupSnapshotContent.Member member) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("volumeHandle", member.volumeHandle());
        tree.put("snapshotHandle", member.snapshotHandle());
        @Nullable Long nanos = member.creationNanos();
        if (nanos != null) {
            tree.put(CREATED, nanos);
        }
        @Nullable Long bytes = member.restoreBytes();
        if (bytes != null) {
            tree.put(SIZE, bytes);
        }
        if (member.ready()) {
            tree.put(READY, true);
        }
        return tree;
    }

    private static FieldChange annotation(String name, String value) {
        return FieldChange.set(value, "metadata", "annotations", name);
    }

    private static void set(List<FieldChange> changes, @Nullable Object has, @Nullable Object wanted, String field) {
        if (!Objects.equals(has, wanted)) {
            changes.add(new FieldChange(List.of("status", field), wanted));
        }
    }

    /** Null if the backend did not report the time, or if it does not fit into the number. */
    private static @Nullable Long nanos(Instant time) {
        boolean sayable = Math.abs(time.getEpochSecond()) < Long.MAX_VALUE / 1_000_000_000L;
        return time.equals(Instant.EPOCH) || !sayable ? null : time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    /** To the second, the precision of objects. */
    private static @Nullable String time(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Optional<ObjectWrite> status(ApiObject object, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.ofStatus(object, changes));
    }
}
