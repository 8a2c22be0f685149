package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.Annotation;
import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies changes of objects to {@link BindingState} and visits the claims and volumes that depend on them. */
final class BindingEvents {
    private final Host host;
    private final ObjectCache cache;
    private final BindingState state;
    private final Consumer<ObjectKey> dirty;
    private final BiConsumer<PersistentVolumeClaim, PersistentVolume> stored;
    private final Consumer<Abandoned> abandoned;

    /** @param stored called when the object of a volume appears that a call of this process made */
    BindingEvents(
            Host host,
            BindingState state,
            BiConsumer<PersistentVolumeClaim, PersistentVolume> stored,
            Consumer<Abandoned> abandoned) {
        this.host = host;
        this.cache = host.objects();
        this.state = state;
        this.dirty = host.visits()::mark;
        this.stored = stored;
        this.abandoned = abandoned;
    }

    void changed(ObjectChange change) {
        @Nullable ApiObject before = change.before();
        @Nullable ApiObject after = change.after();
        state.indexes.changed(before, after, change.key());
        otherFeaturesObject(change.key());
        switch (change.key().kind()) {
            case PERSISTENT_VOLUME ->
                volumeChanged(change.key(), as(PersistentVolume.class, before), as(PersistentVolume.class, after));
            case PERSISTENT_VOLUME_CLAIM ->
                claimChanged(
                        change.key(), as(PersistentVolumeClaim.class, before), as(PersistentVolumeClaim.class, after));
            case STORAGE_CLASS -> classChanged(change.key());
            case NODE -> nodeChanged(change.key(), as(Node.class, before), as(Node.class, after));
            case POD -> podChanged(before, after);
            case VOLUME_ATTACHMENT -> attachmentChanged(before, after);
            default -> {
                // has no effect on claims or volumes
            }
        }
    }

    /** Visits what depends on kinds that the cache reads only if the controller has more features. */
    private void otherFeaturesObject(ObjectKey key) {
        switch (key.kind()) {
            case VOLUME_ATTRIBUTES_CLASS ->
                host.visits().markIfThere(host.uses().namingAttributesClass(key.name()));
            case REFERENCE_GRANT -> host.visits().mark(host.sources().waitingFor(key.namespace()));
            case VOLUME_POPULATOR -> host.visits().mark(host.sources().waiting());
            default -> {
                // other kinds are always read
            }
        }
    }

    void complete(Kind kind) {
        if (kind == Kind.REFERENCE_GRANT || kind == Kind.VOLUME_POPULATOR) {
            host.visits().mark(host.sources().waiting());
        }
    }

    private void volumeChanged(ObjectKey key, @Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        state.refreshAvailability(key.name());
        @Nullable ObjectReference was = before == null ? null : before.spec().claimRef();
        @Nullable ObjectReference is = after == null ? null : after.spec().claimRef();
        if (was != null && (is == null || !is.uid().equals(was.uid()))) {
            host.store().forgetGone(was.uid());
            if (before != null) {
                String uid = before.metadata().uid();
                state.reclaim(uid, state.reclaim(uid).ofAnotherOwner());
            }
        }
        if (after == null) {
            if (before != null) {
                state.forgetVolume(key, before.metadata().uid());
            }
        } else {
            if (before == null && is != null) {
                tellIfMadeHere(is, after);
            }
            if (phaseBecame(before, after, VolumePhase.BOUND) || phaseBecame(before, after, VolumePhase.AVAILABLE)) {
                host.told().over(key);
            }
            dirty.accept(key);
        }
        state.takeAwaitingName(key.name()).ifPresent(this::visit);
        visitSharing(key, before);
        visitClaim(was);
        if (is != null && !is.equals(was)) {
            visitClaim(is);
        }
        new ArrayList<>(host.uses().claimsOfVolume(key.name())).forEach(dirty);
    }

    private void tellIfMadeHere(ObjectReference reference, PersistentVolume volume) {
        boolean made = state.provisioning(reference.uid()).made() != null;
        if (made && !reference.name().isEmpty()) {
            cache.get(ObjectKey.claim(reference.namespace(), reference.name()), PersistentVolumeClaim.class)
                    .filter(claim -> ProvisioningIntent.volumeNameFor(claim)
                            .equals(volume.metadata().name()))
                    .ifPresent(claim -> stored.accept(claim, volume));
        }
    }

    private void claimChanged(
            ObjectKey key, @Nullable PersistentVolumeClaim before, @Nullable PersistentVolumeClaim after) {
        if (after == null) {
            if (before != null) {
                abandonedBy(before);
                state.forgetClaim(key, before.metadata().uid());
            }
        } else {
            if (before != null && !intent(before).equals(intent(after))) {
                // After another process may have made a call, results of this process's calls are no longer valid.
                String uid = after.metadata().uid();
                state.provisioning(uid, state.provisioning(uid).closed());
                state.intents.forget(uid);
            }
            if (after.status().phase() == ClaimPhase.BOUND
                    && (before == null || before.status().phase() != ClaimPhase.BOUND)) {
                host.told().over(key);
                state.stopWaiting(key);
            }
            dirty.accept(key);
        }
        String was = before == null ? "" : before.spec().volumeName();
        String is = after == null ? "" : after.spec().volumeName();
        visitVolume(was);
        if (!is.equals(was)) {
            visitVolume(is);
        }
        for (PersistentVolume volume : state.volumesByClaim.naming(key)) {
            String name = volume.metadata().name();
            if (!name.equals(was) && !name.equals(is)) {
                visitVolume(name);
            }
        }
    }

    /** Visits volumes whose storage possibly was kept for this volume. */
    private void visitSharing(ObjectKey key, @Nullable PersistentVolume before) {
        for (String storage : state.storage.keys(before)) {
            for (ObjectKey other : new ArrayList<>(state.indexes.volumesByStorage.naming(storage))) {
                if (!other.equals(key)) {
                    dirty.accept(other);
                }
            }
        }
    }

    private void visitVolume(String name) {
        if (!name.isEmpty()) {
            visit(ObjectKey.volume(name));
        }
    }

    /**
     * A claim with an open intent stays until a user removes its finalizer. Its last state from the store is then the only record
     * of the storage that a plugin was making.
     */
    private void abandonedBy(PersistentVolumeClaim claim) {
        ProvisioningIntent.openAndDoubtful(
                        claim,
                        state.provisioning(claim.metadata().uid()),
                        ClaimFacts.classOf(claim, cache).map(host.plugins().migration()::toCsiIfPossible))
                .filter(intent ->
                        cache.get(ObjectKey.volume(intent.volumeName())).isEmpty())
                .ifPresent(intent -> abandoned.accept(new Abandoned(
                        claim,
                        intent,
                        state.provisioning(claim.metadata().uid()).made())));
    }

    private void classChanged(ObjectKey key) {
        List<ObjectKey> concerned = new ArrayList<>(state.indexes.unboundByClass.naming(key.name()));
        String defaultClass = DefaultClass.among(cache.all(Kind.STORAGE_CLASS));
        if (!defaultClass.equals(state.defaultClass())) {
            state.defaultClass(defaultClass);
            concerned.addAll(state.indexes.unboundByClass.naming(ObjectIndexes.NO_CLASS_SAID));
        }
        concerned.forEach(dirty);
    }

    private void nodeChanged(ObjectKey key, @Nullable Node before, @Nullable Node after) {
        boolean labels = before == null
                || after == null
                || !before.metadata().labels().equals(after.metadata().labels());
        if (labels) {
            new ArrayList<>(state.indexes.unboundByNode.naming(key.name())).forEach(dirty);
        }
        if (before != null) {
            Set<String> gone = VolumeUse.reported(before);
            if (after != null) {
                gone.removeAll(VolumeUse.reported(after));
            }
            gone.forEach(id -> state.takeAwaitingReports(id).forEach(this::visit));
        }
    }

    /** Events of unbound claims depend on their pods. Released volumes wait for the end of their pods. */
    private void podChanged(@Nullable ApiObject before, @Nullable ApiObject after) {
        Set<ObjectKey> claims = new LinkedHashSet<>(VolumeUse.claimsOf(before));
        claims.addAll(VolumeUse.claimsOf(after));
        for (ObjectKey claim : claims) {
            cache.get(claim, PersistentVolumeClaim.class)
                    .filter(ClaimFacts::unbound)
                    .ifPresent(unbound -> dirty.accept(claim));
            for (PersistentVolume volume : state.volumesByClaim.naming(claim)) {
                if (volume.status().phase() != VolumePhase.BOUND) {
                    dirty.accept(volume.key());
                }
            }
        }
    }

    private void attachmentChanged(@Nullable ApiObject before, @Nullable ApiObject after) {
        visitAttached(before);
        visitAttached(after);
    }

    private void visitAttached(@Nullable ApiObject object) {
        if (object instanceof VolumeAttachment attachment
                && !attachment.spec().persistentVolumeName().isEmpty()) {
            visit(ObjectKey.volume(attachment.spec().persistentVolumeName()));
        }
    }

    private void visitClaim(@Nullable ObjectReference reference) {
        if (reference != null && !reference.name().isEmpty()) {
            visit(ObjectKey.claim(reference.namespace(), reference.name()));
        }
    }

    private void visit(ObjectKey key) {
        if (cache.get(key).isPresent()) {
            dirty.accept(key);
        }
    }

    private static boolean phaseBecame(@Nullable PersistentVolume before, PersistentVolume after, VolumePhase phase) {
        return after.status().phase() == phase
                && (before == null || before.status().phase() != phase);
    }

    private static String intent(PersistentVolumeClaim claim) {
        return claim.metadata().annotation(Annotation.PROVISIONING_INTENT);
    }

    private static <T extends ApiObject> @Nullable T as(Class<T> type, @Nullable ApiObject object) {
        return type.isInstance(object) ? type.cast(object) : null;
    }
}
