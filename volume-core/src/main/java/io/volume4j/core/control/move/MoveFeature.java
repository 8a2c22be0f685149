package io.volume4j.core.control.move;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanningFeature;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.facts.ReferenceIndex;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Moves the data of claims to volumes of other classes. Loop thread only. */
public final class MoveFeature implements PlanningFeature<MoveView> {
    /** How long results of reads about users are valid, from the end of the read. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** Between a provisioner's failure at a node and the next attempt there. External provisioners may have no backoff for this. */
    private static final Duration NODE_PAUSE = Duration.ofSeconds(30);

    private static final Set<At> UNCOPIED = Collections.unmodifiableSet(EnumSet.of(At.PODS, At.NODES));

    /** During the copy, a node may have the old volume without a use by a pod. */
    private static final Set<At> COPYING = Collections.unmodifiableSet(EnumSet.of(At.PODS));

    private final Host host;

    /** Moves by the claims, volumes and classes that they depend on. */
    private final ReferenceIndex<ObjectKey, ObjectKey> movesOf = new ReferenceIndex<>();

    /** By the UID of the move: since when its copy has no node. */
    private final Map<String, Long> nodeless = new HashMap<>();

    public MoveFeature(Host host) {
        this.host = host;
    }

    @Override
    public Set<Kind> watches() {
        return Set.of(Kind.VOLUME_MOVE);
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.VOLUME_MOVE);
    }

    @Override
    public void changed(ObjectChange change) {
        switch (change.key().kind()) {
            case VOLUME_MOVE -> {
                movesOf.move(change.key(), concernedBy(change.before()), concernedBy(change.after()));
                @Nullable ApiObject before = change.before();
                if (before != null && change.after() == null) {
                    forgetLooks(before.metadata().uid());
                    nodeless.remove(before.metadata().uid());
                }
            }
            case PERSISTENT_VOLUME_CLAIM, PERSISTENT_VOLUME, STORAGE_CLASS ->
                host.visits().mark(movesOf.naming(change.key()));
            case POD ->
                VolumeUse.claimsOf(change).forEach(claim -> host.visits().mark(movesOf.naming(claim)));
            default -> {
                // affects no move
            }
        }
    }

    private static Set<ObjectKey> concernedBy(@Nullable ApiObject object) {
        if (!(object instanceof VolumeMove move)) {
            return Set.of();
        }
        Set<ObjectKey> keys = new LinkedHashSet<>();
        keys.add(MovePlanner.claimKey(move));
        keys.add(MovedClaim.copyKey(move));
        keys.add(ObjectKey.storageClass(move.spec().storageClassName()));
        for (String volume : List.of(move.status().sourceVolume(), move.status().targetVolume())) {
            if (!volume.isEmpty()) {
                keys.add(ObjectKey.volume(volume));
            }
        }
        return keys;
    }

    @Override
    public @Nullable MoveView view(ObjectKey key) {
        return host.objects().get(key, VolumeMove.class).map(this::of).orElse(null);
    }

    private MoveView of(VolumeMove move) {
        VolumeMove.Status status = move.status();
        Lookup<PersistentVolumeClaim> claim = claim(MovePlanner.claimKey(move), move);
        Lookup<PersistentVolumeClaim> old = ofUid(claim, status.claimUid());
        Lookup<PersistentVolumeClaim> copy = claim(MovedClaim.copyKey(move), move);
        if (!status.copyUid().isEmpty()) {
            copy = ofUid(copy, status.copyUid());
        } else if (copy.state() == Lookup.State.MISSING && host.store().provenAbsent(MovedClaim.copyKey(move))) {
            copy = Lookup.absent();
        }
        Lookup<PersistentVolume> source = volume(
                status.sourceVolume().isEmpty() && claim.found()
                        ? claim.get().spec().volumeName()
                        : status.sourceVolume(),
                move);
        Lookup<PersistentVolume> target = volume(
                status.targetVolume().isEmpty() && copy.found()
                        ? copy.get().spec().volumeName()
                        : status.targetVolume(),
                move);
        Lookup<StorageClass> storageClass = host.known()
                .lookup(
                        host.objects().get(ObjectKey.storageClass(move.spec().storageClassName()), StorageClass.class),
                        Kind.STORAGE_CLASS,
                        move.key());
        boolean copying = copy.found() || status.phase() == VolumeMove.Phase.SWITCHING;
        Set<At> needed = copying ? COPYING : UNCOPIED;
        MoveView view = new MoveView(
                move,
                claim,
                old,
                copy,
                source,
                target,
                storageClass,
                node(move),
                nodePause(move, copy),
                copy.found() ? host.sources().of(copy.get()).refusal() : "",
                clones(source, storageClass),
                old.found() ? podsOf(old.get()) : List.of(),
                host.known().all(Kind.POD, move.key()),
                unread(move, needed),
                seen(move, needed, source),
                seenUntil(move, needed),
                host.told().about(move.key(), MovePlanner.TOPIC));
        if (view.asksStore()) {
            view.unread().forEach(at -> {
                host.liveReads().forget(at, view.uid());
                host.liveReads().ask(at, view.uid());
            });
        } else {
            forgetLooks(view.uid());
        }
        return view;
    }

    private Lookup<PersistentVolumeClaim> claim(ObjectKey key, VolumeMove move) {
        return host.known()
                .lookup(host.objects().get(key, PersistentVolumeClaim.class), Kind.PERSISTENT_VOLUME_CLAIM, move.key());
    }

    /** The knowledge about exactly the claim with that UID, even if another claim has its name. */
    private Lookup<PersistentVolumeClaim> ofUid(Lookup<PersistentVolumeClaim> byName, String uid) {
        if (uid.isEmpty()) {
            return Lookup.unnamed();
        }
        if (byName.found() && byName.get().metadata().uid().equals(uid)) {
            return byName;
        }
        if (host.store().provenGone(uid)) {
            return Lookup.absent();
        }
        return byName.state() == Lookup.State.UNKNOWN ? byName : Lookup.missing();
    }

    private Lookup<PersistentVolume> volume(String name, VolumeMove move) {
        if (name.isEmpty()) {
            return Lookup.unnamed();
        }
        Optional<PersistentVolume> found = host.objects().get(ObjectKey.volume(name), PersistentVolume.class);
        return found.isEmpty() && host.store().provenAbsent(ObjectKey.volume(name))
                ? Lookup.absent()
                : host.known().lookup(found, Kind.PERSISTENT_VOLUME, move.key());
    }

    private Lookup<Node> node(VolumeMove move) {
        String name = move.spec().nodeName();
        return name.isEmpty()
                ? Lookup.unnamed()
                : host.known().lookup(host.objects().get(ObjectKey.node(name), Node.class), Kind.NODE, move.key());
    }

    private OptionalLong nodePause(VolumeMove move, Lookup<PersistentVolumeClaim> copy) {
        if (!copy.found() || !MovedClaim.lacksNode(copy.get(), move)) {
            nodeless.remove(move.metadata().uid());
            return OptionalLong.empty();
        }
        long end = nodeless.computeIfAbsent(move.metadata().uid(), since -> host.now()) + NODE_PAUSE.toNanos();
        return host.now() >= end ? OptionalLong.empty() : OptionalLong.of(end);
    }

    private boolean clones(Lookup<PersistentVolume> source, Lookup<StorageClass> storageClass) {
        if (!source.found() || !storageClass.found()) {
            return false;
        }
        String provisioner =
                host.plugins().migration().current(storageClass.get().provisioner());
        return host.plugins()
                .handlingId(source.get())
                .flatMap(id -> host.plugins().byName(id.plugin()))
                .filter(plugin -> plugin.name().equals(provisioner))
                .filter(plugin -> plugin.fillsFromContent() || plugin.fillsFromDataSource())
                .isPresent();
    }

    /** From the watches. When no pod is left, the nodes' use is read from the store. */
    private List<String> podsOf(PersistentVolumeClaim claim) {
        return host.uses().podsKeeping(claim.key(), pod -> true);
    }

    private Set<At> unread(VolumeMove move, Set<At> needed) {
        Set<At> unread = EnumSet.noneOf(At.class);
        for (At at : needed) {
            if (fresh(at, move) == null) {
                unread.add(at);
            }
        }
        return unread;
    }

    private @Nullable Users fresh(At at, VolumeMove move) {
        @Nullable Users users = host.liveReads().peek(at, move.metadata().uid());
        return users == null || host.now() - users.ended() >= FRESH.toNanos() ? null : users;
    }

    private List<String> seen(VolumeMove move, Set<At> needed, Lookup<PersistentVolume> source) {
        Set<String> seen = new TreeSet<>();
        @Nullable Users pods = fresh(At.PODS, move);
        if (pods != null) {
            seen.addAll(pods.of(MovePlanner.claimKey(move)));
        }
        @Nullable Users nodes = needed.contains(At.NODES) ? fresh(At.NODES, move) : null;
        if (nodes != null && source.found()) {
            @Nullable VolumeId id = host.plugins().handlingId(source.get()).orElse(null);
            nodes.of(source.get().metadata().name(), id).forEach(node -> seen.add("node " + node));
        }
        return new ArrayList<>(seen);
    }

    private long seenUntil(VolumeMove move, Set<At> needed) {
        long ended = host.now();
        for (At at : needed) {
            @Nullable Users users = fresh(at, move);
            ended = users == null ? ended : Math.min(ended, users.ended());
        }
        return ended + FRESH.toNanos();
    }

    private void forgetLooks(String uid) {
        host.liveReads().forget(At.PODS, uid);
        host.liveReads().forget(At.NODES, uid);
    }

    @Override
    public Planner<MoveView, ClusterStep> planner() {
        return MovePlanner::plan;
    }
}
