package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.inmemory.plugin.BackingVolume;
import io.volume4j.inmemory.plugin.InMemoryPopulator;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The expected state of a calm world of claims. */
final class LifeExpectations {
    private final Simulation world;
    private final LifeRules rules;
    private final Supplier<List<Pod>> pods;
    private final Expectations mounts;
    private final boolean offline;

    /**
     * @param running whether containers of a pod run: such a pod keeps the volumes that it has
     * @param offline whether volumes can be expanded only offline
     */
    LifeExpectations(
            Simulation world, LifeRules rules, Supplier<List<Pod>> pods, Predicate<Pod> running, boolean offline) {
        this.world = world;
        this.offline = offline;
        this.rules = rules;
        this.pods = pods;
        mounts = new Expectations(
                world, () -> pods.get().stream().map(LifeExpectations::byClaims).toList(), running);
    }

    /** What is not as expected, one line each. */
    List<String> unmet() {
        List<String> problems = new ArrayList<>(mounts.unmetMounts());
        pods.get().stream()
                .filter(this::usesWhatGoes)
                .forEach(pod -> problems.removeIf(
                        problem -> problem.startsWith("pod " + pod.metadata().uid() + " ")));
        boolean lost = pods.get().stream().anyMatch(this::lostItsClaim);
        if (lost) {
            // Such a pod continues to run, and must keep its volumes.
            problems.removeIf(problem -> problem.startsWith("unwanted: "));
        }
        for (ApiObject object : world.cluster().snapshot().values()) {
            protection(object, problems);
            if (object instanceof PersistentVolumeClaim claim) {
                claim(claim, problems);
            } else if (object instanceof PersistentVolume volume) {
                volume(volume, problems);
            } else if (object instanceof VolumeSnapshot snapshot) {
                snapshot(snapshot, problems);
            } else if (object instanceof VolumeGroupSnapshot group) {
                group(group, problems);
            } else if (object instanceof VolumeSnapshotContent || object instanceof VolumeGroupSnapshotContent) {
                content(object, problems);
            } else if (object instanceof VolumeAttributesClass type) {
                boolean named = world.cluster().snapshot().values().stream()
                        .anyMatch(
                                other -> LifeRules.names(other, type.metadata().name()));
                if (type.metadata().deleting() && !named) {
                    problems.add(type.key() + " is still being deleted");
                }
            }
        }
        if (lost) {
            problems.removeIf(problem -> problem.endsWith(" and not deleted"));
        }
        for (Pod pod : pods.get()) {
            for (PodVolume volume : pod.spec().volumes()) {
                ObjectKey key = ObjectKey.claim(Given.NAMESPACE, VolumeUse.claimName(pod, volume));
                if (world.cluster().get(key).isEmpty() && !(volume.source() instanceof ClaimSource)) {
                    problems.add(key + " of pod " + pod.metadata().uid() + " is not there");
                }
            }
        }
        return problems;
    }

    private static void protection(ApiObject object, List<String> problems) {
        String finalizer = switch (object.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> WellKnown.PVC_PROTECTION;
            case PERSISTENT_VOLUME -> WellKnown.PV_PROTECTION;
            case VOLUME_ATTRIBUTES_CLASS -> LifeRules.ATTRIBUTES_FINALIZER;
            default -> "";
        };
        if (!finalizer.isEmpty()
                && !object.metadata().deleting()
                && !object.metadata().finalizers().contains(finalizer)) {
            problems.add(object.key() + " is not protected");
        }
    }

    private boolean lostItsClaim(Pod pod) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> world.cluster()
                        .get(ObjectKey.claim(Given.NAMESPACE, VolumeUse.claimName(pod, volume)))
                        .isEmpty());
    }

    /** Whether a claim or volume of the pod is being deleted; then the pod may lack it. */
    private boolean usesWhatGoes(Pod pod) {
        return pod.spec().volumes().stream()
                .flatMap(volume ->
                        world
                                .cluster()
                                .get(ObjectKey.claim(Given.NAMESPACE, VolumeUse.claimName(pod, volume)))
                                .stream())
                .map(PersistentVolumeClaim.class::cast)
                .anyMatch(claim -> claim.metadata().deleting()
                        || volumeOf(claim)
                                .filter(volume -> !volume.metadata().deleting())
                                .isEmpty());
    }

    private void claim(PersistentVolumeClaim claim, List<String> problems) {
        if (claim.metadata().namespace().equals(ControlProcess.FILLING)) {
            problems.add(claim.key() + " is still there");
            return;
        }
        boolean used = pods.get().stream().anyMatch(pod -> VolumeUse.keeps(pod, claim.key()));
        boolean kept = world.cluster().snapshot().values().stream()
                .anyMatch(object -> object instanceof Pod pod && VolumeUse.keeps(pod, claim.key()));
        if (claim.metadata().deleting()) {
            if (!kept && !LifeGroups.keeps(world, claim)) {
                problems.add(claim.key() + " is still being deleted");
            }
            return;
        }
        boolean ownerless = claim.metadata().ownerReferences().stream()
                .anyMatch(owner -> world.cluster().snapshot().values().stream()
                        .noneMatch(object -> object.metadata().uid().equals(owner.uid())));
        if (ownerless) {
            problems.add(claim.key() + " belongs to a pod that is gone");
        }
        if (claim.status().phase() == ClaimPhase.LOST) {
            return;
        }
        if (claim.status().phase() != ClaimPhase.BOUND) {
            String attributes = claim.spec().volumeAttributesClassName();
            boolean possible = fillable(claim)
                    && (attributes.isEmpty()
                            || world.cluster()
                                    .get(LifeGiven.attributesKey(attributes))
                                    .isPresent());
            if (possible && (!claim.className().equals("late") || used)) {
                problems.add(claim.key() + " is not bound");
            }
            return;
        }
        volumeOf(claim)
                .ifPresentOrElse(
                        volume -> bound(claim, volume, used, problems),
                        () -> problems.add(claim.key() + " is bound to a volume that is not there"));
    }

    /** Whether the source of the claim exists, is not being deleted, and is not larger now. */
    private boolean fillable(PersistentVolumeClaim claim) {
        TypedReference source = claim.spec().dataSource();
        Quantity wanted = claim.spec().request();
        if (source == null || wanted == null || source.kind().equals(InMemoryPopulator.KIND)) {
            return true;
        }
        ObjectKey key = source.apiGroup().isEmpty()
                ? ObjectKey.claim(Given.NAMESPACE, source.name())
                : LifeGiven.snapshotKey(source.name());
        @Nullable ApiObject found = world.cluster().get(key).orElse(null);
        if (found == null || found.metadata().deleting()) {
            return false;
        }
        @Nullable Quantity size = sizeOf(found);
        if (size != null && found instanceof PersistentVolumeClaim from) {
            size = volumeOf(from).map(volume -> volume.spec().capacity()).orElse(null);
        }
        return size != null && size.compareTo(wanted) <= 0;
    }

    /** The smallest size of a copy of the object; null if it cannot be copied now. */
    static @Nullable Quantity sizeOf(ApiObject source) {
        if (source instanceof VolumeSnapshot snapshot) {
            return snapshot.status().ready() ? snapshot.status().restoreSize() : null;
        }
        return source instanceof PersistentVolumeClaim claim && claim.status().phase() == ClaimPhase.BOUND
                ? claim.status().capacity()
                : null;
    }

    private void snapshot(VolumeSnapshot snapshot, List<String> problems) {
        boolean ofGroup = world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT).stream()
                .anyMatch(group -> snapshot.metadata().ownerReferences().stream()
                        .anyMatch(owner -> owner.uid().equals(group.metadata().uid())));
        if (snapshot.metadata().deleting() && !ofGroup) {
            problems.add(snapshot.key() + " is still being deleted");
        }
        if (snapshot.metadata().deleting() || snapshot.spec().claimName().isEmpty()) {
            return;
        }
        boolean possible = world.cluster()
                .get(ObjectKey.claim(Given.NAMESPACE, snapshot.spec().claimName()))
                .filter(claim -> !claim.metadata().deleting() && sizeOf(claim) != null)
                .isPresent();
        if (possible && !snapshot.status().ready() && !beyondCutting(snapshot)) {
            problems.add(snapshot.key() + " is not ready");
        }
    }

    private boolean beyondCutting(ApiObject snapshot) {
        return LifeGroups.beyondCutting(world, snapshot, rules::leftToPeople);
    }

    /** Whether the library tries something for ever, each time with a new intent, because only a person can end it. */
    boolean triesForEver() {
        return world.cluster().snapshot().values().stream()
                .anyMatch(object -> (object instanceof VolumeSnapshot || object instanceof VolumeGroupSnapshot)
                        && beyondCutting(object));
    }

    /** A content in deletion stays while its snapshot exists, or the group that it belongs to. */
    private void content(ApiObject content, List<String> problems) {
        boolean keptByGroup = content.metadata()
                        .annotations()
                        .containsKey("groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle")
                && !world.cluster().all(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT).isEmpty();
        ObjectReference owner = content instanceof VolumeSnapshotContent single
                ? single.spec().snapshotRef()
                : ((VolumeGroupSnapshotContent) content).spec().groupRef();
        Kind kind = content instanceof VolumeSnapshotContent ? Kind.VOLUME_SNAPSHOT : Kind.VOLUME_GROUP_SNAPSHOT;
        boolean kept = world.cluster().all(kind).stream()
                .anyMatch(snapshot -> snapshot.metadata().name().equals(owner.name()));
        if (content.metadata().deleting() && !kept && !keptByGroup) {
            problems.add(content.key() + " is still being deleted");
        }
    }

    private void group(VolumeGroupSnapshot group, List<String> problems) {
        if (group.metadata().deleting()) {
            problems.add(group.key() + " is still being deleted");
            return;
        }
        LabelSelector selector = group.spec().selector();
        List<PersistentVolumeClaim> chosen = selector == null ? List.of() : LifeGroups.chosen(world, selector);
        boolean possible = !chosen.isEmpty()
                && chosen.stream().allMatch(claim -> !claim.metadata().deleting() && sizeOf(claim) != null);
        if (possible && !group.status().ready() && !beyondCutting(group)) {
            problems.add(group.key() + " is not ready");
        }
        if (!group.status().ready()) {
            return;
        }
        List<VolumeSnapshot> members =
                LifeGroups.membersOf(world, group.metadata().uid());
        if (members.stream().anyMatch(member -> member.metadata().deleting())) {
            // The content stays with its group, and no controller acts on it any more.
            return;
        }
        world.cluster()
                .get(new ObjectKey(
                        Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, "", group.status().contentName()))
                .map(VolumeGroupSnapshotContent.class::cast)
                .ifPresentOrElse(
                        content -> world.storage()
                                .groupSnapshotMembers(content.handle())
                                .forEach((volume, handle) -> member(group, handle, members, problems)),
                        () -> problems.add(group.key() + " is ready, and its content is not there"));
    }

    /** Each member at the backend has one snapshot that is ready for restore. */
    private void member(VolumeGroupSnapshot group, String handle, List<VolumeSnapshot> members, List<String> problems) {
        List<VolumeSnapshot> of = members.stream()
                .filter(member -> handle.equals(handleOf(member)))
                .toList();
        if (of.size() != 1 || !of.get(0).status().ready()) {
            problems.add(group.key() + " has " + of.size() + " snapshots of member " + handle
                    + (of.isEmpty() ? "" : ", ready: " + of.get(0).status().ready()));
        }
    }

    private @Nullable String handleOf(VolumeSnapshot snapshot) {
        return Optional.of(snapshot.status().contentName())
                .filter(name -> !name.isEmpty())
                .flatMap(name -> world.cluster().get(new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", name)))
                .map(VolumeSnapshotContent.class::cast)
                .map(VolumeSnapshotContent::handle)
                .orElse(null);
    }

    private void bound(PersistentVolumeClaim claim, PersistentVolume volume, boolean used, List<String> problems) {
        if (volume.metadata().deleting()) {
            return;
        }
        Quantity wanted = claim.spec().request();
        Quantity has = claim.status().capacity();
        String state = claim.status().allocatedResourceStatuses().getOrDefault("storage", "");
        boolean others = (state.startsWith("Node") && (!used || offline)) || (used && refusedInUse(volume));
        if (wanted != null && has != null && wanted.compareTo(has) > 0 && !others) {
            problems.add(claim.key() + " asks for " + wanted + " and has " + has + " " + state);
        } else if (!state.isEmpty() && !others) {
            problems.add(claim.key() + " is still being expanded: " + state);
        }
        @Nullable BackingVolume storage = storage(volume);
        if (storage == null) {
            problems.add(claim.key() + " has no storage");
            return;
        }
        TypedReference source = claim.spec().dataSource();
        if (source != null
                && source.kind().equals(InMemoryPopulator.KIND)
                && !storage.parameters().containsKey(InMemoryPopulator.CONTENT)) {
            problems.add(claim.key() + " has a volume that is not filled");
        }
        Quantity size = volume.spec().capacity();
        if (size != null && storage.bytes() < size.bytes()) {
            problems.add(volume.key() + " says " + size + ", the backend has " + storage.bytes());
        }
        attributes(claim, volume, storage, problems);
    }

    /** Whether the backend refused the last expansion because the volume is in use. */
    private boolean refusedInUse(PersistentVolume volume) {
        String last = "";
        for (PluginCall call : world.storage().calls()) {
            if (call.name().equals("expand")
                    && call.volume().equals(volume.metadata().name())) {
                last = call.outcome();
            }
        }
        return last.equals("in_use");
    }

    private void attributes(
            PersistentVolumeClaim claim, PersistentVolume volume, BackingVolume storage, List<String> problems) {
        String wanted = claim.spec().volumeAttributesClassName();
        String current = claim.status().currentVolumeAttributesClassName();
        Optional<VolumeAttributesClass> type = world.cluster()
                .get(LifeGiven.attributesKey(wanted.isEmpty() ? "none" : wanted))
                .map(VolumeAttributesClass.class::cast);
        if (type.isPresent() && type.get().driverName().equals("mem")) {
            Map<String, String> asked = type.get().parameters();
            if (!current.equals(wanted)
                    || !LifeRules.modification(claim, "status").isEmpty()) {
                problems.add(claim.key() + " asks for class " + wanted + " and has \"" + current + "\" "
                        + LifeRules.modification(claim, "status"));
            } else if (!storage.parameters().entrySet().containsAll(asked.entrySet())) {
                problems.add(claim.key() + " has class " + wanted + ", its storage " + storage.parameters());
            }
        }
        if (!current.isEmpty() && !volume.spec().volumeAttributesClassName().equals(current)) {
            problems.add(claim.key() + " has class " + current + ", its volume "
                    + volume.spec().volumeAttributesClassName());
        }
    }

    private void volume(PersistentVolume volume, List<String> problems) {
        @Nullable ObjectReference owner = volume.spec().claimRef();
        String uid = owner == null ? "" : owner.uid();
        boolean owned = world.cluster().snapshot().values().stream()
                .anyMatch(object -> object instanceof PersistentVolumeClaim
                        && object.metadata().uid().equals(uid));
        if (!owned && volume.spec().reclaimPolicy() == ReclaimPolicy.DELETE && !inUse(volume)) {
            problems.add(volume.key() + " is " + volume.status().phase() + " and not deleted");
        }
        VolumePhase phase = volume.status().phase();
        if (!owned && owner != null && phase != VolumePhase.RELEASED && phase != VolumePhase.FAILED) {
            problems.add(volume.key() + " is " + phase + " and its claim is gone");
        }
        if (volume.metadata().deleting() && !owned && !inUse(volume)) {
            problems.add(volume.key() + " is still being deleted");
        }
    }

    private boolean inUse(PersistentVolume volume) {
        @Nullable BackingVolume storage = storage(volume);
        return storage != null && storage.held();
    }

    private @Nullable BackingVolume storage(PersistentVolume volume) {
        return volume.spec().source() instanceof CsiSource source
                ? world.storage().volume(source.volumeHandle()).orElse(null)
                : null;
    }

    private Optional<PersistentVolume> volumeOf(PersistentVolumeClaim claim) {
        String name = claim.spec().volumeName();
        return Optional.of(name)
                .filter(named -> !named.isEmpty())
                .flatMap(named -> world.cluster().get(ObjectKey.volume(named)))
                .map(PersistentVolume.class::cast);
    }

    /** The state of everything, without what differs between runs. */
    List<String> summary() {
        List<String> lines = new ArrayList<>(world.oracle().holdings());
        for (ApiObject object : world.cluster().snapshot().values()) {
            if (object instanceof PersistentVolumeClaim claim) {
                lines.add(claim.key() + " " + claim.status().phase() + " "
                        + claim.spec().volumeName() + " " + claim.status().capacity() + " "
                        + claim.status().allocatedResourceStatuses() + " "
                        + claim.status().currentVolumeAttributesClassName() + " "
                        + claim.metadata().finalizers());
            } else if (object instanceof PersistentVolume volume) {
                lines.add(volume.key() + " " + volume.status().phase() + " "
                        + volume.spec().capacity() + " " + volume.spec().volumeAttributesClassName() + " "
                        + volume.metadata().finalizers());
            } else if (object instanceof VolumeSnapshot snapshot) {
                lines.add(snapshot.key() + " " + snapshot.status().ready() + " "
                        + snapshot.metadata().finalizers());
            } else if (object instanceof VolumeGroupSnapshot group) {
                lines.add(group.key() + " " + group.status().ready() + " "
                        + group.metadata().finalizers());
            }
        }
        world.storage()
                .volumes()
                .forEach(volume -> lines.add(volume.handle() + " " + volume.bytes() + " " + volume.parameters()));
        lines.addAll(world.storage().snapshotHandles());
        lines.addAll(world.storage().groupSnapshotHandles());
        return lines;
    }

    /** What is left after everything is removed, except retained storage and storage whose record a user removed. */
    List<String> leftovers() {
        List<String> left = new ArrayList<>(world.oracle().holdings());
        for (ApiObject object : world.cluster().snapshot().values()) {
            switch (object.kind()) {
                case PERSISTENT_VOLUME,
                        PERSISTENT_VOLUME_CLAIM,
                        VOLUME_ATTACHMENT,
                        VOLUME_ATTRIBUTES_CLASS,
                        VOLUME_SNAPSHOT,
                        VOLUME_SNAPSHOT_CONTENT,
                        VOLUME_GROUP_SNAPSHOT,
                        VOLUME_GROUP_SNAPSHOT_CONTENT,
                        POD ->
                    left.add(object.key() + " is left" + object.metadata().finalizers());
                default -> {
                    // classes, nodes and their published data stay
                }
            }
        }
        world.storage().volumes().stream()
                .filter(volume -> !rules.leftToPeople(volume.handle()))
                .forEach(volume -> left.add("storage " + volume.handle() + " is left"));
        List<String> snapshots = new ArrayList<>(world.storage().snapshotHandles());
        snapshots.addAll(world.storage().groupSnapshotHandles());
        snapshots.stream()
                .filter(handle -> !rules.leftToPeople(handle))
                .forEach(handle -> left.add("snapshot " + handle + " is left"));
        return left;
    }

    /** The pod with the generated claims of its ephemeral volumes. */
    private static Pod byClaims(Pod pod) {
        List<PodVolume> volumes = pod.spec().volumes().stream()
                .map(volume -> new PodVolume(
                        VolumeUse.claimName(pod, volume), new ClaimSource(VolumeUse.claimName(pod, volume), false)))
                .toList();
        return new Pod(pod.metadata(), pod.spec().toBuilder().volumes(volumes).build(), pod.status(), pod.unmodeled());
    }
}
