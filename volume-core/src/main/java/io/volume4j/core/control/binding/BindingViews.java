package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.plan.Annotation;
import io.volume4j.core.control.binding.plan.BindingView;
import io.volume4j.core.control.binding.plan.ClaimView;
import io.volume4j.core.control.binding.plan.IntentCheck;
import io.volume4j.core.control.binding.plan.Match;
import io.volume4j.core.control.binding.plan.ProvisionView;
import io.volume4j.core.control.binding.plan.ProvisionerInfo;
import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.core.control.binding.plan.ReclaimIntent;
import io.volume4j.core.control.binding.plan.ReclaimerInfo;
import io.volume4j.core.control.binding.plan.VolumeView;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Builds the planners' view of one object. Loop thread only. */
final class BindingViews {
    private static final ProvisionerInfo NOT_ASKED = ProvisionerInfo.of(ProvisionerInfo.Role.NEVER, "");

    private final Host host;
    private final ObjectCache cache;
    private final BindingState state;
    private final CacheCompleteness known;
    private final PluginDirectory plugins;
    private final boolean matches;
    private final boolean attributesRead;

    /**
     * @param matches whether the controller matches claims with free volumes
     * @param attributesRead whether the cache has volume attributes classes
     */
    BindingViews(Host host, BindingState state, PluginDirectory plugins, boolean matches, boolean attributesRead) {
        this.host = host;
        this.cache = host.objects();
        this.state = state;
        this.known = host.known();
        this.plugins = plugins;
        this.matches = matches;
        this.attributesRead = attributesRead;
    }

    /** The view; null if there is no such object, another process leads, or too little is known for a decision. */
    @Nullable
    BindingView view(ObjectKey key) {
        @Nullable Self leading = host.lead().self().orElse(null);
        if (leading == null) {
            return null;
        }
        return switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM ->
                cache.get(key, PersistentVolumeClaim.class)
                        .map(claim -> claimView(claim, leading))
                        .orElse(null);
            case PERSISTENT_VOLUME ->
                cache.get(key, PersistentVolume.class)
                        .map(volume -> volumeView(volume, leading))
                        .orElse(null);
            default -> null;
        };
    }

    private ClaimView claimView(PersistentVolumeClaim claim, Self leading) {
        boolean unbound = ClaimFacts.unbound(claim);
        boolean complete = known.all(Kind.PERSISTENT_VOLUME, claim.key());
        Lookup<StorageClass> storageClass = unbound ? classOf(claim) : Lookup.unnamed();
        boolean delayed = storageClass.found()
                && storageClass.get().volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;
        String nodeName = delayed ? claim.metadata().annotation(WellKnown.SELECTED_NODE) : "";
        Lookup<Node> node = nodeName.isEmpty() ? Lookup.unnamed() : node(nodeName, claim.key());
        boolean waitsForConsumer = delayed && nodeName.isEmpty();
        boolean making = claim.metadata().annotations().containsKey(Annotation.PROVISIONING_INTENT);
        ProvisionView provisioning = ProvisionView.of(
                claim,
                storageClass,
                storageClass.found() ? plugins.provisioner(storageClass.get()) : NOT_ASKED,
                node,
                state.intents,
                intent -> plugins.provisions(intent.plugin(), intent.classThen()),
                intent -> new IntentCheck.Copied(
                        classOf(claim), attributes(intent.attributes().className(), claim.key())),
                unbound || making ? volume(ProvisioningIntent.volumeNameFor(claim), claim.key()) : Lookup.unnamed(),
                state.provisioning(claim.metadata().uid()),
                host.sources().of(claim),
                unbound ? attributes(claim.spec().volumeAttributesClassName(), claim.key()) : Lookup.unnamed(),
                leading);
        @Nullable ProvisioningIntent open = provisioning.intent();
        if (open != null) {
            provisioning = provisioning.leftUntil(
                    host.lead().leftUntil(claim.metadata().uid(), "", open.epoch()));
        }
        if (provisioning.nameTaken()) {
            state.waitForName(ProvisioningIntent.volumeNameFor(claim), claim.key());
        }
        Match match = Match.none();
        boolean known =
                complete && storageClass.state() != Lookup.State.UNKNOWN && node.state() != Lookup.State.UNKNOWN;
        if (matches && unbound && known && !claim.metadata().deleting()) {
            match = match(claim, place(nodeName, node), waitsForConsumer || provisioning.doubt());
        } else {
            state.stopWaiting(claim.key());
        }
        return new ClaimView(
                claim,
                known,
                claim.spec().volumeName().isEmpty()
                        ? Lookup.unnamed()
                        : volume(claim.spec().volumeName(), claim.key()),
                match,
                waitsForConsumer,
                claim.classUnset() ? state.defaultClass() : "",
                waitsForConsumer ? unscheduledPods(claim) : List.of(),
                provisioning,
                host.told().about(claim.key(), ""));
    }

    private Match match(PersistentVolumeClaim claim, ClaimNeeds.@Nullable Place node, boolean reservedOnly) {
        Optional<PersistentVolume> promised = state.promisedTo(claim.key());
        if (promised.isPresent()) {
            return Match.of(promised.get());
        }
        ClaimNeeds needs = ClaimNeeds.of(claim, node);
        Match match = state.matcher.match(claim, needs, reservedOnly);
        if (match.equals(Match.none()) && !reservedOnly) {
            state.waitForVolume(needs);
        } else if (match.equals(Match.none())) {
            state.stopWaiting(claim.key());
        }
        return match;
    }

    private VolumeView volumeView(PersistentVolume volume, Self leading) {
        ObjectKey key = volume.key();
        @Nullable ObjectReference reference = volume.spec().claimRef();
        Lookup<PersistentVolumeClaim> claim = Lookup.unnamed();
        boolean confirmed = false;
        boolean reused = false;
        List<String> users = List.of();
        boolean usersComplete = true;
        List<String> attached = List.of();
        List<String> sharing = List.of();
        ReclaimerInfo reclaimer = plugins.reclaimer(volume);
        if (reference != null && !reference.uid().isEmpty() && !reference.name().isEmpty()) {
            ObjectKey claimKey = ObjectKey.claim(reference.namespace(), reference.name());
            Optional<PersistentVolumeClaim> named = cache.get(claimKey, PersistentVolumeClaim.class);
            boolean same = named.isPresent() && named.get().metadata().uid().equals(reference.uid());
            claim = same ? Lookup.found(named.get()) : gone(reference.uid(), key);
            confirmed = same && host.store().confirmed(named.get());
            reused = named.isPresent() && !same;
            if (!same
                    || !named.get().spec().volumeName().equals(volume.metadata().name())) {
                boolean podsKnown = known.all(Kind.POD, key);
                boolean nodesKnown = known.all(Kind.NODE, key);
                boolean volumesKnown = known.all(Kind.PERSISTENT_VOLUME, key);
                usersComplete = known.all(Kind.VOLUME_ATTACHMENT, key) && podsKnown && nodesKnown && volumesKnown;
                sharing = sharing(volume);
                users = activePods(claimKey);
                attached = attachedTo(volume, reclaimer.plugin());
            }
        }
        VolumeView view = new VolumeView(
                volume,
                claim,
                confirmed,
                reused,
                attached,
                sharing,
                users,
                usersComplete,
                reclaimer,
                state.reclaim(volume.metadata().uid()),
                plugins.maker(volume),
                plugins.migratedTo(volume),
                leftUntil(volume),
                leading,
                host.told().about(key, ""));
        if (view.awaitsLook()) {
            host.liveReads().ask(At.NODES, volume.metadata().uid(), state::looked);
        } else if (!view.intendsToDelete()) {
            state.forgetLook(volume.metadata().uid());
        }
        return view;
    }

    private OptionalLong leftUntil(PersistentVolume volume) {
        Optional<ReclaimIntent> open = ReclaimIntent.of(volume);
        return open.isEmpty()
                ? OptionalLong.empty()
                : host.lead().leftUntil(volume.metadata().uid(), "", open.get().epoch());
    }

    private Lookup<StorageClass> classOf(PersistentVolumeClaim claim) {
        return claim.className().isEmpty()
                ? Lookup.unnamed()
                : known.lookup(
                        ClaimFacts.classOf(claim, cache).map(host.plugins().migration()::toCsiIfPossible),
                        Kind.STORAGE_CLASS,
                        claim.key());
    }

    private Lookup<VolumeAttributesClass> attributes(String name, ObjectKey asking) {
        if (name.isEmpty() || !attributesRead) {
            return Lookup.unnamed();
        }
        return known.lookup(
                cache.get(new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", name), VolumeAttributesClass.class),
                Kind.VOLUME_ATTRIBUTES_CLASS,
                asking);
    }

    private Lookup<Node> node(String name, ObjectKey asking) {
        return known.lookup(cache.get(ObjectKey.node(name), Node.class), Kind.NODE, asking);
    }

    private Lookup<PersistentVolume> volume(String name, ObjectKey asking) {
        Optional<PersistentVolume> found = cache.get(ObjectKey.volume(name), PersistentVolume.class);
        return found.isEmpty() && host.store().provenAbsent(ObjectKey.volume(name))
                ? Lookup.absent()
                : known.lookup(found, Kind.PERSISTENT_VOLUME, asking);
    }

    private Lookup<PersistentVolumeClaim> gone(String uid, ObjectKey asking) {
        return host.store().provenGone(uid)
                ? Lookup.absent()
                : known.lookup(Optional.empty(), Kind.PERSISTENT_VOLUME_CLAIM, asking);
    }

    /** An unknown node has no labels, so it has access only to volumes without a topology. */
    private static ClaimNeeds.@Nullable Place place(String nodeName, Lookup<Node> node) {
        if (nodeName.isEmpty()) {
            return null;
        }
        return new ClaimNeeds.Place(
                nodeName, node.found() ? node.get().metadata().labels() : Map.of(), node.found());
    }

    private List<String> unscheduledPods(PersistentVolumeClaim claim) {
        return host.uses().podsOfClaim(claim.key()).stream()
                .flatMap(pod -> cache.get(pod, Pod.class).stream())
                .filter(pod -> pod.spec().nodeName().isEmpty() && !pod.terminated())
                .map(BindingViews::name)
                .sorted()
                .toList();
    }

    private List<String> activePods(ObjectKey claim) {
        return host.uses().podsOfClaim(claim).stream()
                .flatMap(pod -> cache.get(pod, Pod.class).stream())
                .filter(pod -> !pod.terminated())
                .map(BindingViews::name)
                .sorted()
                .toList();
    }

    /** If nodes report the volume, it also waits for the next report. */
    private List<String> attachedTo(PersistentVolume volume, String plugin) {
        Set<String> nodes = new TreeSet<>();
        state.indexes.attachmentsByVolume.naming(volume.metadata().name()).stream()
                .flatMap(attachment -> cache.get(attachment, VolumeAttachment.class).stream())
                .forEach(attachment -> nodes.add(attachment.spec().nodeName()));
        host.plugins().volumeId(volume, plugin).map(VolumeId::toString).ifPresent(id -> {
            Set<ObjectKey> reporting = state.indexes.nodesByVolume.naming(id);
            reporting.forEach(node -> nodes.add(node.name()));
            if (!reporting.isEmpty()) {
                state.waitForReports(id, volume.key());
            }
        });
        return new ArrayList<>(nodes);
    }

    /** Other volumes that need the storage of this one. */
    private List<String> sharing(PersistentVolume volume) {
        List<String> names = new ArrayList<>();
        for (String storage : state.storage.keys(volume)) {
            state.indexes.volumesByStorage.naming(storage).stream()
                    .filter(other -> !other.equals(volume.key()))
                    .flatMap(other -> cache.get(other, PersistentVolume.class).stream())
                    .filter(other -> state.storage.keeps(other, volume))
                    .map(other -> other.metadata().name())
                    .forEach(names::add);
        }
        return names;
    }

    private static String name(ApiObject object) {
        return object.metadata().namespace() + "/" + object.metadata().name();
    }
}
