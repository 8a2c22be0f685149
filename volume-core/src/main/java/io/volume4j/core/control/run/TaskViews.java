package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.capacity.CapacityBook;
import io.volume4j.core.control.capacity.CapacityView;
import io.volume4j.core.control.datasource.DataSource;
import io.volume4j.core.control.ephemeral.EphemeralPlanner;
import io.volume4j.core.control.ephemeral.OwnedClaimView;
import io.volume4j.core.control.ephemeral.PodClaims;
import io.volume4j.core.control.ephemeral.PodView;
import io.volume4j.core.control.expand.ExpandMemory;
import io.volume4j.core.control.expand.ExpandPlanner;
import io.volume4j.core.control.expand.ExpandView;
import io.volume4j.core.control.expand.ExpanderInfo;
import io.volume4j.core.control.expand.ModifyPlanner;
import io.volume4j.core.control.host.CacheCompleteness;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.Lookup;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.control.populate.Filling;
import io.volume4j.core.control.populate.PopulatePlanner;
import io.volume4j.core.control.populate.PopulateView;
import io.volume4j.core.control.populate.Prime;
import io.volume4j.core.control.protection.ProtectedView;
import io.volume4j.core.control.protection.ProtectionPlanner;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds what the planners of an agent's tasks need to know about an object. Loop thread only. */
final class TaskViews {
    private final Host host;
    private final ObjectCache cache;
    private final BindingState state;
    private final CacheCompleteness known;
    private final PluginDirectory plugins;
    private final Duty duty;
    private final CapacityBook capacities;
    private final SnapshotViews snapshots;
    private final Function<PersistentVolumeClaim, DataSource> sources;

    TaskViews(
            Host host,
            BindingState state,
            PluginDirectory plugins,
            Duty duty,
            CapacityBook capacities,
            SnapshotViews snapshots,
            Function<PersistentVolumeClaim, DataSource> sources) {
        this.host = host;
        this.cache = host.objects();
        this.state = state;
        this.known = host.known();
        this.plugins = plugins;
        this.duty = duty;
        this.capacities = capacities;
        this.snapshots = snapshots;
        this.sources = sources;
    }

    /**
     * The view for all planners.
     *
     * @param binding what the duty's own planner needs, null if it has nothing to do with the object
     */
    @Nullable
    TaskView of(ObjectKey key, @Nullable BindingView binding) {
        @Nullable ApiObject object = cache.get(key).orElse(null);
        @Nullable ExpandView expand = null;
        @Nullable PodView pod = null;
        @Nullable OwnedClaimView owned = null;
        if (object instanceof PersistentVolumeClaim claim) {
            expand = duty.has(Task.EXPANSION) ? expand(claim) : null;
            owned = duty.has(Task.POD_CLAIMS) ? owned(claim) : null;
        } else if (object instanceof Pod found) {
            pod = duty.has(Task.POD_CLAIMS) ? pod(found) : null;
        }
        @Nullable ProtectedView kept = object != null && duty.has(Task.PROTECTION) ? protection(object) : null;
        TaskView view = new TaskView(
                key,
                binding,
                expand,
                kept,
                pod,
                owned,
                duty.has(Task.CAPACITY) && key.kind() == Kind.CSI_STORAGE_CAPACITY ? capacity(key) : null,
                object == null || !duty.snapshots() ? null : snapshots.of(object),
                object instanceof PersistentVolumeClaim claim && duty.has(Task.POPULATION) ? populate(claim) : null);
        return view.empty() ? null : view;
    }

    private @Nullable ExpandView expand(PersistentVolumeClaim claim) {
        String uid = claim.metadata().uid();
        if (claim.spec().volumeName().isEmpty()) {
            // Somebody may have taken the name away from a claim that says that it is bound.
            return null;
        }
        if (claim.status().phase() != ClaimPhase.BOUND || !concernsExpansion(claim)) {
            state.expansion(uid, ExpandMemory.nothing());
            state.nodeTriesAgain(uid);
            if (claim.status().phase() != ClaimPhase.BOUND || !mayBeLeftOver(claim)) {
                return null;
            }
        }
        @Nullable
        PersistentVolume volume = cache.get(ObjectKey.volume(claim.spec().volumeName()), PersistentVolume.class)
                .filter(found -> belongs(found, claim))
                .orElse(null);
        if (volume == null) {
            return null;
        }
        ExpanderInfo expander = plugins.expander(volume);
        if (!duty.only().isEmpty() && !duty.only().equals(expander.plugin())) {
            return null;
        }
        long now = host.now();
        long epoch = host.lead().epoch();
        boolean refused = ResizeStatus.of(claim) == ResizeStatus.NODE_INFEASIBLE;
        if (!refused) {
            state.nodeTriesAgain(uid);
        }
        return new ExpandView(
                claim,
                volume,
                expander,
                ClaimClass.of(claim, cache)
                        .map(StorageClass::allowVolumeExpansion)
                        .orElse(true),
                host.uses().podsKeeping(claim.key(), pod -> !pod.terminated()),
                known.all(Kind.POD, claim.key()),
                attributes(claim.spec().volumeAttributesClassName(), claim.key()),
                attributes(ModifyPlanner.begunClass(claim), claim.key()),
                state.expansion(uid).of(epoch, volume.metadata().uid()),
                refused ? state.nodeRefusal(uid, now, requested(claim)) : null,
                leftUntil(ExpandPlanner.TOPIC, claim, ExpandPlanner.leaderOf(claim)),
                leftUntil(ModifyPlanner.TOPIC, claim, ModifyPlanner.leaderOf(claim)),
                now,
                epoch,
                host.told().about(claim.key(), ExpandPlanner.TOPIC),
                host.told().about(claim.key(), ModifyPlanner.TOPIC));
    }

    private static long requested(PersistentVolumeClaim claim) {
        @Nullable Quantity wants = claim.spec().request();
        return wants == null ? 0 : wants.bytes();
    }

    /** @param topic of the intent: leaders of several elections may each have one about the claim */
    private OptionalLong leftUntil(String topic, PersistentVolumeClaim claim, long epoch) {
        return host.lead().leftUntil(topic + " " + claim.metadata().uid(), epoch);
    }

    /** Whether anything is asked for or under way; most claims ask for nothing, and are not looked at further. */
    private static boolean concernsExpansion(PersistentVolumeClaim claim) {
        @Nullable Quantity has = claim.status().capacity();
        @Nullable Quantity wants = claim.spec().request();
        return ResizeStatus.of(claim) != ResizeStatus.NONE
                || (has != null && wants != null && wants.compareTo(has) > 0)
                || !ModifyPlanner.begunClass(claim).isEmpty()
                || !claim.spec()
                        .volumeAttributesClassName()
                        .equals(claim.status().currentVolumeAttributesClassName());
    }

    /** Whether the volume still says what the claim had before an expansion that is over. */
    private boolean mayBeLeftOver(PersistentVolumeClaim claim) {
        return cache.get(ObjectKey.volume(claim.spec().volumeName()), PersistentVolume.class)
                .filter(ExpandPlanner::leftOver)
                .isPresent();
    }

    /** Most claims are not filled from anything, or have been long ago. */
    private @Nullable PopulateView populate(PersistentVolumeClaim claim) {
        @Nullable TypedReference reference = duty.populators().source(claim).orElse(null);
        boolean begun = claim.metadata().finalizers().contains(Prime.FINALIZER);
        if (reference == null || (!begun && claim.status().phase() == ClaimPhase.BOUND)) {
            return null;
        }
        String uid = claim.metadata().uid();
        if (!begun) {
            // What was remembered of an earlier filling says nothing of the next one.
            state.filling(uid, Filling.nothing());
        }
        ObjectKey primeKey = Prime.key(duty.populators().namespace(), claim);
        Lookup<PersistentVolumeClaim> prime = known.lookup(
                cache.get(primeKey, PersistentVolumeClaim.class), Kind.PERSISTENT_VOLUME_CLAIM, claim.key());
        String volumeName = prime.found() && prime.get().status().phase() == ClaimPhase.BOUND
                ? prime.get().spec().volumeName()
                : "";
        Lookup<PersistentVolume> volume = volumeName.isEmpty()
                ? Lookup.unnamed()
                : known.lookup(
                        cache.get(ObjectKey.volume(volumeName), PersistentVolume.class)
                                .filter(found -> belongs(found, prime.get())),
                        Kind.PERSISTENT_VOLUME,
                        claim.key());
        boolean given = !claim.spec().volumeName().isEmpty()
                || state.reservations.naming(claim.key()).stream().anyMatch(found -> belongs(found, claim));
        long epoch = host.lead().epoch();
        return new PopulateView(
                claim,
                duty.populators().namespace(),
                sources.apply(claim),
                reference,
                claim.className().isEmpty()
                        ? Lookup.unnamed()
                        : known.lookup(ClaimClass.of(claim, cache), Kind.STORAGE_CLASS, claim.key()),
                prime,
                volume,
                given,
                state.filling(uid).of(epoch),
                leftUntil(PopulatePlanner.TOPIC, claim, Prime.leaderOf(claim)),
                host.now(),
                epoch,
                host.told().about(claim.key(), PopulatePlanner.TOPIC));
    }

    private CapacityView capacity(ObjectKey key) {
        @Nullable
        CsiStorageCapacity published = cache.get(key, CsiStorageCapacity.class).orElse(null);
        return new CapacityView(
                key,
                capacities.wanted(key),
                published,
                published != null && capacities.awaitsPlugin(published),
                capacities.ready()
                        && known.all(Kind.CSI_STORAGE_CAPACITY, key)
                        && known.all(Kind.CSI_NODE, key)
                        && known.all(Kind.STORAGE_CLASS, key)
                        && known.all(Kind.NODE, key),
                capacities.answer(key),
                host.now());
    }

    private @Nullable ProtectedView protection(ApiObject object) {
        ObjectKey key = object.key();
        return switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM ->
                looked(
                        object,
                        WellKnown.PVC_PROTECTION,
                        host.uses().podsKeeping(key, pod -> true),
                        known.all(Kind.POD, key),
                        At.PODS);
            case PERSISTENT_VOLUME ->
                protectedView(
                        object,
                        WellKnown.PV_PROTECTION,
                        object instanceof PersistentVolume volume
                                        && volume.status().phase() == VolumePhase.BOUND
                                ? List.of("the claim that it is bound to")
                                : List.of(),
                        true,
                        null,
                        null);
            case VOLUME_ATTRIBUTES_CLASS ->
                looked(
                        object,
                        ProtectionPlanner.ATTRIBUTES_CLASS,
                        state.indexes.byAttributesClass.naming(key.name()).stream()
                                .limit(5)
                                .map(ObjectKey::toString)
                                .toList(),
                        known.all(Kind.PERSISTENT_VOLUME, key) && known.all(Kind.PERSISTENT_VOLUME_CLAIM, key),
                        At.CLAIMS);
            default -> null;
        };
    }

    private ProtectedView looked(ApiObject object, String finalizer, List<String> usedBy, boolean known, At at) {
        String uid = object.metadata().uid();
        ProtectedView view = protectedView(
                object, finalizer, usedBy, known, at, host.liveReads().peek(at, uid));
        if (view.awaitsLook()) {
            host.liveReads().forget(at, uid);
            host.liveReads().ask(at, uid);
        } else if (!object.metadata().deleting() || !usedBy.isEmpty()) {
            host.liveReads().forget(at, uid);
        }
        return view;
    }

    private ProtectedView protectedView(
            ApiObject object,
            String finalizer,
            List<String> usedBy,
            boolean known,
            @Nullable At at,
            @Nullable Users seen) {
        return new ProtectedView(
                object,
                finalizer,
                usedBy,
                known,
                at,
                seen == null ? null : seen.of(object.key()),
                seen == null ? 0 : seen.ended(),
                host.now());
    }

    private @Nullable PodView pod(Pod pod) {
        if (!PodClaims.hasAny(pod)) {
            return null;
        }
        List<PodView.Item> items = new ArrayList<>();
        PodClaims.of(pod)
                .forEach(desired -> items.add(new PodView.Item(
                        desired,
                        known.lookup(
                                cache.get(desired.key(), PersistentVolumeClaim.class),
                                Kind.PERSISTENT_VOLUME_CLAIM,
                                pod.key()))));
        return new PodView(pod, items, host.told().about(pod.key(), EphemeralPlanner.TOPIC));
    }

    private @Nullable OwnedClaimView owned(PersistentVolumeClaim claim) {
        Optional<OwnerReference> owner = EphemeralPlanner.owningPod(claim);
        if (owner.isEmpty()) {
            return null;
        }
        String uid = owner.get().uid();
        Optional<Pod> pod = cache.get(
                        ObjectKey.pod(claim.metadata().namespace(), owner.get().name()), Pod.class)
                .filter(found -> found.metadata().uid().equals(uid));
        return new OwnedClaimView(
                claim,
                owner.get(),
                pod.isEmpty() && host.store().provenGone(uid)
                        ? Lookup.absent()
                        : known.lookup(pod, Kind.POD, claim.key()));
    }

    private Lookup<VolumeAttributesClass> attributes(String name, ObjectKey asking) {
        return name.isEmpty()
                ? Lookup.unnamed()
                : known.lookup(
                        cache.get(new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", name), VolumeAttributesClass.class),
                        Kind.VOLUME_ATTRIBUTES_CLASS,
                        asking);
    }

    private static boolean belongs(PersistentVolume volume, PersistentVolumeClaim claim) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null && reference.uid().equals(claim.metadata().uid());
    }
}
