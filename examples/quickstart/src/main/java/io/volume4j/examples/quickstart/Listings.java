package io.volume4j.examples.quickstart;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Event;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotClass;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Objects of one kind in the columns of {@code kubectl get}. */
final class Listings {
    private static final String UNSET = "<unset>";

    private Listings() {}

    /** A column: its heading, and the text of an object's cell. */
    private record Column(String heading, Function<ApiObject, String> text) {}

    /** A table of all objects, with headings; {@code ""} if there are no objects. */
    static String table(Kind kind, List<? extends ApiObject> objects, Instant now) {
        if (objects.isEmpty()) {
            return "";
        }
        List<Column> columns = columns(kind, now);
        Table table = new Table(columns.stream().map(Column::heading).toArray(String[]::new));
        for (ApiObject object : objects) {
            table.row(
                    columns.stream().map(column -> column.text().apply(object)).toArray(String[]::new));
        }
        return table.text();
    }

    private static List<Column> columns(Kind kind, Instant now) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("NAME", object -> object.metadata().name()));
        columns.addAll(
                switch (kind) {
                    case PERSISTENT_VOLUME -> ofVolumes();
                    case PERSISTENT_VOLUME_CLAIM -> ofClaims();
                    case POD -> ofPods();
                    case VOLUME_SNAPSHOT -> ofSnapshots();
                    case VOLUME_SNAPSHOT_CONTENT -> ofContents();
                    case VOLUME_SNAPSHOT_CLASS -> ofSnapshotClasses();
                    case STORAGE_CLASS -> ofStorageClasses();
                    case NODE -> ofNodes();
                    case EVENT -> ofEvents();
                    case VOLUME_MOVE -> ofMoves();
                    default -> List.<Column>of();
                });
        columns.add(new Column("AGE", object -> age(object.metadata().creationTimestamp(), now)));
        return columns;
    }

    private static <T extends ApiObject> Column column(String heading, Class<T> type, Function<T, String> text) {
        return new Column(heading, object -> text.apply(type.cast(object)));
    }

    private static List<Column> ofVolumes() {
        Class<PersistentVolume> type = PersistentVolume.class;
        return List.of(
                column("CAPACITY", type, volume -> text(volume.spec().capacity())),
                column("ACCESS MODES", type, volume -> modes(volume.spec().accessModes())),
                column(
                        "RECLAIM POLICY",
                        type,
                        volume -> volume.spec().reclaimPolicy().apiName()),
                column("STATUS", type, volume -> volume.status().phase().apiName()),
                column("CLAIM", type, volume -> named(volume.spec().claimRef())),
                column("STORAGECLASS", type, PersistentVolume::className),
                column(
                        "VOLUMEATTRIBUTESCLASS",
                        type,
                        volume -> orUnset(volume.spec().volumeAttributesClassName())),
                column("REASON", type, volume -> volume.status().reason()));
    }

    private static List<Column> ofClaims() {
        Class<PersistentVolumeClaim> type = PersistentVolumeClaim.class;
        return List.of(
                column("STATUS", type, Listings::phase),
                column("VOLUME", type, claim -> claim.spec().volumeName()),
                column("CAPACITY", type, claim -> text(claim.status().capacity())),
                column("ACCESS MODES", type, claim -> modes(claim.status().accessModes())),
                column("STORAGECLASS", type, PersistentVolumeClaim::className),
                column(
                        "VOLUMEATTRIBUTESCLASS",
                        type,
                        claim -> orUnset(claim.spec().volumeAttributesClassName())));
    }

    private static String phase(PersistentVolumeClaim claim) {
        return claim.metadata().deleting()
                ? "Terminating"
                : claim.status().phase().apiName();
    }

    private static List<Column> ofPods() {
        Class<Pod> type = Pod.class;
        return List.of(
                column("STATUS", type, pod -> pod.status().phase().apiName()),
                column("NODE", type, pod -> orElse(pod.spec().nodeName(), "<none>")),
                column(
                        "VOLUMES",
                        type,
                        pod -> pod.spec().volumes().stream()
                                .map(volume -> volume.name())
                                .collect(Collectors.joining(","))));
    }

    private static List<Column> ofSnapshots() {
        Class<VolumeSnapshot> type = VolumeSnapshot.class;
        return List.of(
                column(
                        "READYTOUSE",
                        type,
                        snapshot -> String.valueOf(snapshot.status().ready())),
                column("SOURCEPVC", type, snapshot -> snapshot.spec().claimName()),
                column(
                        "SOURCESNAPSHOTCONTENT",
                        type,
                        snapshot -> snapshot.spec().contentName()),
                column("RESTORESIZE", type, snapshot -> text(snapshot.status().restoreSize())),
                column("SNAPSHOTCLASS", type, snapshot -> snapshot.spec().className()),
                column("SNAPSHOTCONTENT", type, snapshot -> snapshot.status().contentName()));
    }

    private static List<Column> ofContents() {
        Class<VolumeSnapshotContent> type = VolumeSnapshotContent.class;
        return List.of(
                column(
                        "READYTOUSE",
                        type,
                        content -> String.valueOf(content.status().ready())),
                column(
                        "RESTORESIZE",
                        type,
                        content -> content.status().restoreBytes() == null
                                ? ""
                                : String.valueOf(content.status().restoreBytes())),
                column(
                        "DELETIONPOLICY",
                        type,
                        content -> content.spec().deletionPolicy().apiName()),
                column("DRIVER", type, content -> content.spec().driver()),
                column("VOLUMESNAPSHOTCLASS", type, content -> content.spec().className()),
                column(
                        "VOLUMESNAPSHOT",
                        type,
                        content -> content.spec().snapshotRef().name()));
    }

    private static List<Column> ofMoves() {
        Class<VolumeMove> type = VolumeMove.class;
        return List.of(
                column("PHASE", type, move -> move.status().phase().apiName()),
                column("CLAIM", type, move -> move.spec().claimName()),
                column("STORAGECLASS", type, move -> move.spec().storageClassName()),
                column("OLD VOLUME", type, move -> move.status().sourceVolume()),
                column("NEW VOLUME", type, move -> move.status().targetVolume()),
                column("MESSAGE", type, move -> move.status().message()));
    }

    private static List<Column> ofSnapshotClasses() {
        Class<VolumeSnapshotClass> type = VolumeSnapshotClass.class;
        return List.of(
                column("DRIVER", type, VolumeSnapshotClass::driver),
                column("DELETIONPOLICY", type, known -> known.deletionPolicy().apiName()));
    }

    private static List<Column> ofStorageClasses() {
        Class<StorageClass> type = StorageClass.class;
        return List.of(
                column("PROVISIONER", type, StorageClass::provisioner),
                column("RECLAIMPOLICY", type, known -> known.reclaimPolicy().apiName()),
                column(
                        "VOLUMEBINDINGMODE",
                        type,
                        known -> known.volumeBindingMode().apiName()),
                column("ALLOWVOLUMEEXPANSION", type, known -> String.valueOf(known.allowVolumeExpansion())));
    }

    private static List<Column> ofNodes() {
        return List.of(
                column("STATUS", Node.class, node -> node.status().ready() ? "Ready" : "NotReady"),
                column(
                        "ATTACHED",
                        Node.class,
                        node -> String.valueOf(node.status().volumesAttached().size())));
    }

    private static List<Column> ofEvents() {
        Class<Event> type = Event.class;
        return List.of(
                column("TYPE", type, Event::type),
                column("REASON", type, Event::reason),
                column(
                        "OBJECT",
                        type,
                        event -> event.regarding().kind() + "/"
                                + event.regarding().name()),
                column(
                        "COUNT",
                        type,
                        event -> event.series() == null
                                ? "1"
                                : String.valueOf(event.series().count())),
                column("MESSAGE", type, event -> event.note().replaceAll("\\s*\\R\\s*", "; ")));
    }

    private static String modes(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::shortName).collect(Collectors.joining(","));
    }

    private static String named(@Nullable ObjectReference reference) {
        return reference == null ? "" : reference.namespace() + "/" + reference.name();
    }

    private static String text(@Nullable Quantity quantity) {
        return quantity == null ? "" : quantity.toString();
    }

    private static String orUnset(String text) {
        return orElse(text, UNSET);
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    private static String age(@Nullable Instant created, Instant now) {
        if (created == null) {
            return "<unknown>";
        }
        Duration age = Duration.between(created, now);
        if (age.toMinutes() < 2) {
            return Math.max(0, age.toSeconds()) + "s";
        }
        return age.toHours() < 2 ? age.toMinutes() + "m" : age.toDays() < 2 ? age.toHours() + "h" : age.toDays() + "d";
    }
}
