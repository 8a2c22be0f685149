package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.Annotation;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LiveReader;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last check before storage is deleted or emptied, with reads from the store itself. The cache may be behind, and may miss an
 * attachment, a changed policy or a new owner that forbids the call. On worker threads.
 */
final class LiveCheck {
    /**
     * The maximum age of a read, from its end: in a large cluster the read itself takes longer than this. After this time a call
     * reads again.
     */
    static final Duration FRESH = Duration.ofSeconds(5);

    private final LiveReader reader;
    private final Storage storage;

    private final Lock reading = new ReentrantLock();

    /** The last read by a call that had waited too long for its turn. Guarded by the lock. */
    private @Nullable Users late;

    LiveCheck(LiveReader reader, Storage storage) {
        this.reader = reader;
        this.storage = storage;
    }

    /** Reads which nodes have or use which volumes. */
    private Users users() {
        return reader.users(At.NODES);
    }

    /**
     * The same as {@link #mustBeFree(PersistentVolume, VolumeId)}, with a read that serves many volumes at once. A call that waited
     * too long for its turn uses a later read of another such call. It reads for itself only if there is none.
     *
     * @param read after the intent was stored, null if there was no read; used only while it is fresh
     * @param decided loop time at which the call was created, after the intent was stored; earlier reads do not count
     */
    void mustBeFree(PersistentVolume planned, @Nullable VolumeId id, @Nullable Users read, long decided) {
        mustBeAsPlanned(planned);
        Users users = read != null && fresh(read) ? read : readSince(decided);
        refuseIfUsed(users.of(planned.metadata().name(), id));
    }

    /** One call reads at a time, and calls that wait meanwhile go by what it read. */
    private Users readSince(long decided) {
        try {
            reading.lockInterruptibly();
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
            throw VolumeException.transientFailure("the read of attachments and nodes was cancelled before it began");
        }
        try {
            @Nullable Users found = late;
            if (found == null || found.begun() < decided || !fresh(found)) {
                found = users();
                late = found;
            }
            return found;
        } finally {
            reading.unlock();
        }
    }

    private boolean fresh(Users read) {
        return reader.now() - read.ended() <= FRESH.toNanos();
    }

    /**
     * Checks that the volume has not changed since the controller decided to reclaim it, and that no node has it.
     *
     * @param planned the volume with the intent, from which the call was planned
     * @param id the volume's ID in the reports of nodes, null if its plugin does not know it
     * @throws VolumeException in use, if it is or may be attached; transient, if it changed or the check failed
     */
    void mustBeFree(PersistentVolume planned, @Nullable VolumeId id) {
        mustBeAsPlanned(planned);
        mustBeUnattached(planned, id);
    }

    /** Checks that the volume is not attached and that no node reports it as in use. */
    void mustBeUnattached(PersistentVolume planned, @Nullable VolumeId id) {
        refuseIfUsed(users().of(planned.metadata().name(), id));
    }

    private static void refuseIfUsed(List<String> used) {
        if (!used.isEmpty()) {
            throw VolumeException.of(FailureKind.IN_USE, "the volume is still attached to " + String.join(", ", used));
        }
    }

    /**
     * Checks that the store does not have the volume's claim. If the store was restored from a backup, a deleted UID can exist
     * again, and its volume must stay.
     *
     * @param claimGone whether the controller reclaims because the claim is gone; otherwise the claim may exist, but must not refer
     *     to the volume
     * @throws VolumeException transient, if the claim exists or the check failed
     */
    void mustHaveNoClaim(PersistentVolume planned, boolean claimGone) {
        @Nullable ObjectReference reference = planned.spec().claimRef();
        if (reference == null || reference.name().isEmpty()) {
            return;
        }
        reader.read(ObjectKey.claim(reference.namespace(), reference.name()))
                .filter(PersistentVolumeClaim.class::isInstance)
                .map(PersistentVolumeClaim.class::cast)
                .filter(claim -> claim.metadata().uid().equals(reference.uid()))
                .filter(claim -> claimGone
                        || claim.spec().volumeName().equals(planned.metadata().name()))
                .ifPresent(claim -> {
                    throw reader.thereAgain(
                            "claim " + claim.key() + ", to which volume "
                                    + planned.metadata().name() + " belongs,",
                            claim);
                });
    }

    /** Checks that no pod uses the claim that had this volume. Pods of a newer claim with the same name do not count. */
    void mustBeUnused(PersistentVolume planned) {
        @Nullable ObjectReference reference = planned.spec().claimRef();
        if (reference == null || reference.name().isEmpty()) {
            return;
        }
        ObjectKey claim = ObjectKey.claim(reference.namespace(), reference.name());
        boolean reused = reader.read(claim)
                .filter(found -> !found.metadata().uid().equals(reference.uid()))
                .isPresent();
        if (!reused) {
            mustHaveNoPods(claim);
        }
    }

    void mustHaveNoPods(ObjectKey claim) {
        List<String> used = VolumeUse.pods(claim, reader.all(Kind.POD));
        if (!used.isEmpty()) {
            throw VolumeException.of(FailureKind.IN_USE, "the volume is still used by pod " + String.join(", ", used));
        }
    }

    /** Whether a volume of the cluster has that storage, according to the store itself. */
    boolean hasObject(VolumeSource source) {
        return reader.all(Kind.PERSISTENT_VOLUME).stream()
                .anyMatch(object -> object instanceof PersistentVolume volume && storage.names(volume, source));
    }

    private void mustBeAsPlanned(PersistentVolume planned) {
        boolean same = reader.read(planned.key())
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

    private static String intent(PersistentVolume volume) {
        return volume.metadata().annotation(Annotation.RECLAIM_INTENT);
    }
}
