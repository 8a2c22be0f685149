package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.Annotation;
import io.volume4j.core.control.binding.BindingStep.Look.At;
import io.volume4j.core.control.binding.VolumeUse;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last look before storage is destroyed or emptied, at the store itself: a watch may be behind, and what it has not shown
 * yet may be the attachment, the changed policy or the new owner that forbids it. On worker threads.
 */
final class LiveCheck {
    /** After this long what was read says too little about now, and a call reads for itself. */
    static final Duration FRESH = Duration.ofSeconds(5);

    private final ClusterSource source;
    private final LongSupplier ticker;
    private final Consumer<ApiObject> news;

    /** What a call read last that had waited too long for its turn. */
    private volatile @Nullable Users late;

    /**
     * @param ticker loop time, readable from any thread
     * @param news takes an object that the store has although it was known to be gone; called on the worker
     */
    LiveCheck(ClusterSource source, LongSupplier ticker, Consumer<ApiObject> news) {
        this.source = source;
        this.ticker = ticker;
        this.news = news;
    }

    /** Reads which nodes have which volumes. */
    Users users() {
        return users(At.NODES);
    }

    /** Reads who uses what. */
    Users users(At at) {
        long begun = ticker.getAsLong();
        List<ApiObject> objects = new ArrayList<>();
        for (Kind kind : switch (at) {
            case NODES -> List.of(Kind.VOLUME_ATTACHMENT, Kind.NODE);
            case PODS -> List.of(Kind.POD);
            case CLAIMS -> List.of(Kind.PERSISTENT_VOLUME_CLAIM, Kind.PERSISTENT_VOLUME);
        }) {
            objects.addAll(all(kind));
        }
        return new Users(begun, ticker.getAsLong(), objects);
    }

    /**
     * The same as {@link #mustBeFree(PersistentVolume, VolumeId)} by what was read for many volumes at once. A call that waited too
     * long for its turn goes by what another such call has read since, and reads for itself only where none has.
     *
     * @param read after the intent was stored, null if nothing was; used only while it is fresh
     * @param decided loop time at which the call was made, after the intent was stored; nothing that was read before counts
     */
    void mustBeFree(PersistentVolume planned, @Nullable VolumeId id, @Nullable Users read, long decided) {
        mustBeAsPlanned(planned);
        @Nullable Users users = read != null && fresh(read) ? read : readSince(decided);
        if (users == null) {
            users = users();
            late = users;
        }
        refuseIfUsed(users.of(planned.metadata().name(), id));
    }

    private @Nullable Users readSince(long decided) {
        @Nullable Users found = late;
        return found != null && found.begun() >= decided && fresh(found) ? found : null;
    }

    private boolean fresh(Users read) {
        return ticker.getAsLong() - read.begun() <= FRESH.toNanos();
    }

    /**
     * Makes sure that the volume is as it was when its reclaiming was decided, and attached nowhere.
     *
     * @param planned the volume with the intent, from which the call was planned
     * @param id the volume as nodes call it, null if its plugin cannot say
     * @throws VolumeException in use, if it is or may be attached; transient, if it changed or that cannot be found out
     */
    void mustBeFree(PersistentVolume planned, @Nullable VolumeId id) {
        mustBeAsPlanned(planned);
        mustBeUnattached(planned, id);
    }

    /** Makes sure that the volume is attached nowhere and that no node reports it as in use. */
    void mustBeUnattached(PersistentVolume planned, @Nullable VolumeId id) {
        refuseIfUsed(users().of(planned.metadata().name(), id));
    }

    private static void refuseIfUsed(List<String> used) {
        if (!used.isEmpty()) {
            throw VolumeException.of(FailureKind.IN_USE, "the volume is still attached to " + String.join(", ", used));
        }
    }

    /**
     * Makes sure that the store does not have the volume's claim. A UID that was seen deleted is there again after the store was
     * restored from a backup, and what belongs to it must stay.
     *
     * @param claimGone whether reclaiming was decided because the claim is gone; otherwise the claim may be there, but must not
     *     name the volume
     * @throws VolumeException transient, if the claim is there or that cannot be found out
     */
    void mustHaveNoClaim(PersistentVolume planned, boolean claimGone) {
        @Nullable ObjectReference reference = planned.spec().claimRef();
        if (reference == null || reference.name().isEmpty()) {
            return;
        }
        read(ObjectKey.claim(reference.namespace(), reference.name()))
                .filter(PersistentVolumeClaim.class::isInstance)
                .map(PersistentVolumeClaim.class::cast)
                .filter(claim -> claim.metadata().uid().equals(reference.uid()))
                .filter(claim -> claimGone
                        || claim.spec().volumeName().equals(planned.metadata().name()))
                .ifPresent(claim -> {
                    news.accept(claim);
                    throw thereAgain("claim " + claim.key() + ", to which volume "
                            + planned.metadata().name() + " belongs,");
                });
    }

    /**
     * Makes sure that the content of a snapshot is there and being deleted.
     *
     * @throws VolumeException transient, if it is not or that cannot be found out
     */
    void mustBeDeleting(ObjectKey content, String uid) {
        Optional<ApiObject> live =
                read(content).filter(found -> found.metadata().uid().equals(uid));
        if (live.isEmpty()) {
            throw VolumeException.transientFailure(content + " is not there any more; it is looked at again");
        }
        if (!live.get().metadata().deleting()) {
            news.accept(live.get());
            throw thereAgain(content + ", which was being deleted,");
        }
    }

    private static VolumeException thereAgain(String what) {
        return VolumeException.transientFailure(
                        what
                                + " is there again under its UID, as after a restore of the cluster's store; nothing is destroyed")
                .withAdvice("if the store was restored from a backup, restart all controllers and node agents");
    }

    /** Makes sure that no pod uses the claim whose volume this was; pods of a newer claim of the same name do not count. */
    void mustBeUnused(PersistentVolume planned) {
        @Nullable ObjectReference reference = planned.spec().claimRef();
        if (reference == null || reference.name().isEmpty()) {
            return;
        }
        ObjectKey claim = ObjectKey.claim(reference.namespace(), reference.name());
        boolean reused = read(claim)
                .filter(found -> !found.metadata().uid().equals(reference.uid()))
                .isPresent();
        if (!reused) {
            mustHaveNoPods(claim);
        }
    }

    void mustHaveNoPods(ObjectKey claim) {
        List<String> used = VolumeUse.pods(claim, all(Kind.POD));
        if (!used.isEmpty()) {
            throw VolumeException.of(FailureKind.IN_USE, "the volume is still used by pod " + String.join(", ", used));
        }
    }

    /** Whether a volume of the cluster lies in that storage, by what the store says now. */
    boolean hasObject(VolumeSource storage) {
        return all(Kind.PERSISTENT_VOLUME).stream()
                .anyMatch(object -> object instanceof PersistentVolume volume && Storage.names(volume, storage));
    }

    private void mustBeAsPlanned(PersistentVolume planned) {
        boolean same = read(planned.key())
                .filter(PersistentVolume.class::isInstance)
                .map(PersistentVolume.class::cast)
                .filter(live -> live.metadata().uid().equals(planned.metadata().uid())
                        && live.spec().equals(planned.spec())
                        && intent(live).equals(intent(planned)))
                .isPresent();
        if (!same) {
            throw VolumeException.transientFailure(
                    "volume " + planned.metadata().name()
                            + " is not what it was when its reclaiming was decided; it is looked at again");
        }
    }

    private List<ApiObject> all(Kind kind) {
        try {
            return source.list(kind, Selection.all()).objects();
        } catch (ClusterException failure) {
            throw ClusterCalls.classified("list " + kind.apiName() + " objects", failure);
        }
    }

    private Optional<ApiObject> read(ObjectKey key) {
        try {
            return source.readLive(key);
        } catch (ClusterException failure) {
            throw ClusterCalls.classified("read " + key, failure);
        }
    }

    private static String intent(PersistentVolume volume) {
        return volume.metadata().annotation(Annotation.RECLAIM_INTENT);
    }
}
