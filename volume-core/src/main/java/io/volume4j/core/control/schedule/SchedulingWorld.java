package io.volume4j.core.control.schedule;

import io.volume4j.core.codec.PlacesText;
import io.volume4j.core.control.binding.match.Affinity;
import io.volume4j.core.control.binding.match.AvailableVolumes;
import io.volume4j.core.control.binding.plan.Reservations;
import io.volume4j.core.control.binding.plan.SchedulerWrites;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.control.host.facts.VolumesByClaim;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.plugin.Places;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the cluster for scheduling, and the ledger of promises. A change costs only as much as the objects that depend on
 * it, and no query needs a scan. Not thread-safe.
 */
public final class SchedulingWorld {
    /** The kinds that it uses. It ignores others. */
    public static final Set<Kind> KINDS = Set.of(
            Kind.POD,
            Kind.NODE,
            Kind.PERSISTENT_VOLUME,
            Kind.PERSISTENT_VOLUME_CLAIM,
            Kind.STORAGE_CLASS,
            Kind.VOLUME_ATTACHMENT,
            Kind.CSI_DRIVER,
            Kind.CSI_NODE,
            Kind.CSI_STORAGE_CAPACITY);

    /** Kinds that determine where volumes from snapshots are possible. A cluster need not have them. */
    public static final Set<Kind> SNAPSHOTS = Set.of(Kind.VOLUME_SNAPSHOT, Kind.VOLUME_SNAPSHOT_CONTENT);

    private final LongSupplier nanoClock;
    private final Map<ObjectKey, ApiObject> objects = new HashMap<>();
    private final KeysByName claimsByVolume = new KeysByName();
    private final KeysByName unboundByClass = new KeysByName();
    private final NodeTable nodes = new NodeTable();
    private final CsiMigration migration;
    private final VolumeKeys keys;
    private final Accessibility accessibility;
    private final DriversOnNodes registered = new DriversOnNodes(nodes);
    private final AttachUse attached = new AttachUse();
    private final CountedAttachments attachments;
    private final Disks disks = new Disks();
    private final CapacityIndex capacity = new CapacityIndex(nodes);
    private final TopologyIndex places = new TopologyIndex(nodes);
    private final AvailableVolumes available = new AvailableVolumes();
    private final VolumesByClaim volumesByClaim = new VolumesByClaim();
    private final Reservations reservations = new Reservations(volumesByClaim);
    private final Ledger ledger = new Ledger(capacity);
    private final PoolPromises promises;
    private final Placements placements = new Placements(nodes, attached, disks, this::volumesOf);

    /**
     * An empty world.
     *
     * @param nanoClock measures how late a driver is with publishing its capacity: monotonic, in nanoseconds
     * @param migration translates in-tree sources and classes to CSI drivers
     */
    public SchedulingWorld(LongSupplier nanoClock, CsiMigration migration) {
        this.nanoClock = nanoClock;
        this.migration = migration;
        this.keys = new VolumeKeys(migration);
        this.accessibility = new Accessibility(nodes, migration);
        this.attachments = new CountedAttachments(nodes, attached, keys, this::volume);
        this.promises =
                new PoolPromises(nodes, capacity, ledger, nanoClock, key -> find(key, PersistentVolumeClaim.class));
    }

    // Changes.

    /** The last known state of the object. */
    public Optional<ApiObject> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    /** Adds the object, or replaces its earlier state. */
    public void put(ApiObject object) {
        if (!KINDS.contains(object.kind()) && !SNAPSHOTS.contains(object.kind())) {
            return;
        }
        ApiObject after =
                object instanceof StorageClass storageClass ? migration.toCsiIfPossible(storageClass) : object;
        @Nullable ApiObject before = objects.get(after.key());
        if (before != null && !before.metadata().uid().equals(after.metadata().uid())) {
            remove(before.key());
            before = null;
        }
        objects.put(after.key(), after);
        changed(after.key(), before, after);
    }

    /** Removes the object, if it is known. */
    public void remove(ObjectKey key) {
        @Nullable ApiObject before = objects.remove(key);
        if (before != null) {
            changed(key, before, null);
        }
    }

    private void changed(ObjectKey key, @Nullable ApiObject before, @Nullable ApiObject after) {
        switch (key.kind()) {
            case NODE -> nodeChanged(key.name(), as(Node.class, after));
            case CSI_NODE -> {
                accessibility.changed(key.name(), as(CsiNode.class, after));
                registered.changed(key.name(), as(CsiNode.class, after));
                limitsChanged(key.name());
            }
            case POD -> podChanged(as(Pod.class, before), as(Pod.class, after));
            case PERSISTENT_VOLUME ->
                volumeChanged(as(PersistentVolume.class, before), as(PersistentVolume.class, after));
            case PERSISTENT_VOLUME_CLAIM ->
                claimChanged(as(PersistentVolumeClaim.class, before), as(PersistentVolumeClaim.class, after));
            case STORAGE_CLASS -> unboundByClass.of(key.name()).forEach(this::claimLooksDifferent);
            case VOLUME_ATTACHMENT ->
                attachments.changed(key, as(VolumeAttachment.class, before), as(VolumeAttachment.class, after));
            case CSI_STORAGE_CAPACITY -> {
                @Nullable CsiStorageCapacity was = as(CsiStorageCapacity.class, before);
                @Nullable CsiStorageCapacity is = as(CsiStorageCapacity.class, after);
                if (is != null) {
                    capacity.put(was, is);
                    ledger.published(key);
                    promises.poolsChanged();
                } else if (was != null) {
                    capacity.remove(was);
                }
            }
            default -> {
                // read by name when necessary
            }
        }
    }

    private void nodeChanged(String name, @Nullable Node after) {
        if (after == null) {
            nodes.remove(name);
        } else {
            nodes.put(name, after.metadata().labels());
            limitsChanged(name);
            promises.poolsChanged();
        }
    }

    private void limitsChanged(String name) {
        int number = nodes.number(name);
        if (number >= 0 && nodes.present().get(number)) {
            attached.limits(number, limitsOf(name));
        }
    }

    private Map<String, Integer> limitsOf(String name) {
        return AttachLimits.of(
                find(ObjectKey.node(name), Node.class), find(new ObjectKey(Kind.CSI_NODE, "", name), CsiNode.class));
    }

    private void podChanged(@Nullable Pod before, @Nullable Pod after) {
        if (after == null) {
            if (before != null) {
                endHold(before.metadata().uid());
                placements.remove(before.metadata().uid());
            }
            return;
        }
        String uid = after.metadata().uid();
        if (!after.spec().nodeName().isEmpty() || after.terminated()) {
            endHold(uid);
        }
        place(after);
    }

    private void place(Pod pod) {
        String uid = pod.metadata().uid();
        List<ObjectKey> claims = claimsOf(pod);
        List<AttachUse.Volume> inline = keys.ofInline(pod);
        List<Disks.Use> uses = Disks.of(pod);
        if (pod.terminated() || (claims.isEmpty() && inline.isEmpty() && uses.isEmpty())) {
            placements.remove(uid);
            return;
        }
        String promised = ledger.hold(uid).map(Ledger.Hold::node).orElse("");
        String node = pod.spec().nodeName().isEmpty() ? promised : pod.spec().nodeName();
        placements.put(new Placements.Placed(uid, node, claims, inline, uses));
    }

    static List<ObjectKey> claimsOf(Pod pod) {
        Set<ObjectKey> claims = new LinkedHashSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            String name = VolumeUse.claimName(pod, volume);
            if (!name.isEmpty()) {
                claims.add(ObjectKey.claim(pod.metadata().namespace(), name));
            }
        }
        return new ArrayList<>(claims);
    }

    private void volumeChanged(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        volumesByClaim.changed(before, after);
        String name = after != null
                ? after.metadata().name()
                : before == null ? "" : before.metadata().name();
        refreshAvailability(name);
        boolean sameSource = before != null
                && after != null
                && before.spec().source().equals(after.spec().source());
        if (!sameSource) {
            claimsByVolume.of(name).forEach(placements::claimChanged);
            attachments.volumeChanged(name);
        }
    }

    private void refreshAvailability(String name) {
        @Nullable Affinity was = available.affinityOf(name);
        if (was != null) {
            places.remove(was);
        }
        Optional<PersistentVolume> after = find(ObjectKey.volume(name), PersistentVolume.class)
                .filter(volume ->
                        AvailableVolumes.available(volume) && !ledger.promised(name) && !boundByItsClaim(name));
        after.ifPresentOrElse(available::put, () -> available.remove(name));
        @Nullable Affinity is = available.affinityOf(name);
        if (is != null) {
            places.add(is);
        }
    }

    /** Events of claims and volumes arrive separately: a volume may look available after its claim is known to be bound to it. */
    private boolean boundByItsClaim(String name) {
        return claimsByVolume.of(name).stream()
                .flatMap(key -> find(key, PersistentVolumeClaim.class).stream())
                .anyMatch(claim -> boundVolumeOf(claim).equals(name));
    }

    private void claimChanged(@Nullable PersistentVolumeClaim before, @Nullable PersistentVolumeClaim after) {
        claimsByVolume.move(before, volumeOf(before), after, volumeOf(after));
        String was = boundVolumeOf(before);
        String is = boundVolumeOf(after);
        if (!was.equals(is)) {
            Stream.of(was, is).filter(name -> !name.isEmpty()).forEach(this::refreshAvailability);
        }
        unboundByClass.move(before, unboundClassOf(before), after, unboundClassOf(after));
        if (after == null) {
            if (before != null) {
                promises.claimGone(before.key());
                ledger.giveBack(before.metadata().uid());
                placements.claimChanged(before.key());
            }
            return;
        }
        claimLooksDifferent(after.key());
    }

    private void claimLooksDifferent(ObjectKey key) {
        placements.claimChanged(key);
        find(key, PersistentVolumeClaim.class).ifPresent(promises::claimChanged);
    }

    // The ledger.

    Ledger ledger() {
        return ledger;
    }

    /** Stores the decisions for a pod and its node. */
    void hold(Pod pod, String node, List<Decision> decisions) {
        Ledger.Hold hold = new Ledger.Hold(pod.metadata().uid(), pod.key(), node, decisions);
        ledger.add(hold);
        afterLedger(hold);
        place(pod);
    }

    /** Releases the promises of a pod, if it has any. */
    public void unhold(String podUid, ObjectKey pod) {
        endHold(podUid);
        Optional<Pod> known =
                find(pod, Pod.class).filter(each -> each.metadata().uid().equals(podUid));
        known.ifPresentOrElse(this::place, () -> placements.remove(podUid));
    }

    private void endHold(String podUid) {
        ledger.end(podUid).ifPresent(this::afterLedger);
    }

    private void afterLedger(Ledger.Hold hold) {
        for (Decision decision : hold.decisions()) {
            if (decision.volume() != null) {
                refreshAvailability(decision.volume());
            }
            placements.claimChanged(decision.claim());
        }
    }

    /** Releases bytes that drivers must have counted by now. */
    void age() {
        ledger.age(nanoClock.getAsLong());
    }

    // Queries.

    NodeTable nodes() {
        return nodes;
    }

    AttachUse attached() {
        return attached;
    }

    CapacityIndex capacity() {
        return capacity;
    }

    TopologyIndex places() {
        return places;
    }

    VolumeKeys keys() {
        return keys;
    }

    /** Translates in-tree sources and classes to CSI drivers. */
    CsiMigration migration() {
        return migration;
    }

    Accessibility accessibility() {
        return accessibility;
    }

    DriversOnNodes registered() {
        return registered;
    }

    AvailableVolumes available() {
        return available;
    }

    Reservations reservations() {
        return reservations;
    }

    Placements placements() {
        return placements;
    }

    Optional<PersistentVolume> volume(String name) {
        return find(ObjectKey.volume(name), PersistentVolume.class);
    }

    Optional<StorageClass> storageClass(String name) {
        return name.isEmpty() ? Optional.empty() : find(ObjectKey.storageClass(name), StorageClass.class);
    }

    /**
     * The places from which the claim's volume is accessible, because of its source snapshot; everywhere if they are not known. The
     * provisioner checks again when it makes the volume.
     */
    Places placesOfSource(PersistentVolumeClaim claim) {
        @Nullable ObjectKey source = DataSource.sourceOf(claim);
        try {
            return source == null
                    ? Places.everywhere()
                    : find(source, VolumeSnapshot.class)
                            .map(snapshot -> new ObjectKey(
                                    Kind.VOLUME_SNAPSHOT_CONTENT,
                                    "",
                                    snapshot.status().contentName()))
                            .flatMap(key -> find(key, VolumeSnapshotContent.class))
                            .map(PlacesText::of)
                            .orElse(Places.everywhere());
        } catch (IllegalArgumentException unreadable) {
            return Places.everywhere();
        }
    }

    /** Whether the driver wants the scheduler to use published capacity. */
    boolean tracksCapacity(String driver) {
        return settings(driver).storageCapacity();
    }

    /** Whether pods with volumes of the driver may run only on nodes where it is registered. */
    boolean keepsToItsNodes(String driver) {
        return settings(driver).preventPodSchedulingIfMissing();
    }

    private CsiDriver.Spec settings(String driver) {
        return find(CsiDriver.key(driver), CsiDriver.class).map(CsiDriver::spec).orElse(CsiDriver.Spec.defaults());
    }

    /** Whether claims of the class wait until their first pod has a node. */
    static boolean waits(StorageClass storageClass) {
        return storageClass.volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;
    }

    static long bytes(PersistentVolumeClaim claim) {
        @Nullable Quantity request = claim.spec().request();
        return request == null ? 0 : request.bytes();
    }

    <T extends ApiObject> Optional<T> find(ObjectKey key, Class<T> type) {
        @Nullable ApiObject object = objects.get(key);
        return type.isInstance(object) ? Optional.of(type.cast(object)) : Optional.empty();
    }

    /** The volumes that the node of a pod with these claims must attach. */
    List<AttachUse.Volume> volumesOf(Collection<ObjectKey> claims) {
        Set<AttachUse.Volume> volumes = new LinkedHashSet<>();
        for (ObjectKey key : claims) {
            find(key, PersistentVolumeClaim.class).flatMap(this::volumeOfClaim).ifPresent(volumes::add);
        }
        return new ArrayList<>(volumes);
    }

    private Optional<AttachUse.Volume> volumeOfClaim(PersistentVolumeClaim claim) {
        @Nullable
        String promised =
                ledger.decision(claim.metadata().uid()).map(Decision::volume).orElse(null);
        String name = claim.spec().volumeName().isEmpty() && promised != null
                ? promised
                : claim.spec().volumeName();
        return name.isEmpty()
                ? storageClass(claim.className()).map(storageClass -> keys.of(claim, storageClass))
                : volume(name).flatMap(keys::of);
    }

    private static String volumeOf(@Nullable PersistentVolumeClaim claim) {
        return claim == null ? "" : claim.spec().volumeName();
    }

    /** A lost claim has no right to a new volume with the old name. */
    private static String boundVolumeOf(@Nullable PersistentVolumeClaim claim) {
        return claim != null && SchedulerWrites.bound(claim) && claim.status().phase() != ClaimPhase.LOST
                ? claim.spec().volumeName()
                : "";
    }

    private static String unboundClassOf(@Nullable PersistentVolumeClaim claim) {
        return claim == null || !claim.spec().volumeName().isEmpty() ? "" : claim.className();
    }

    private static <T> @Nullable T as(Class<T> type, @Nullable ApiObject object) {
        return type.isInstance(object) ? type.cast(object) : null;
    }
}
