package io.volume4j.core.control.move;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMove;
import java.util.List;
import java.util.Set;

/**
 * What must be known to decide about a move.
 *
 * @param claim that has the name now: the old one, the new one, or another user's
 * @param oldClaim whether the claim that the move began with is there; {@code ABSENT} is proof that its UID is gone
 * @param copy the claim that has the new volume while it is filled; {@code ABSENT} is proof that its UID is gone
 * @param source the volume that the claim has when the move begins
 * @param target the volume of {@code copy}, or that of which the move's status says that the claim is to get it
 * @param storageClass of the new volume
 * @param copyRefusal why the copy cannot be filled, {@code ""} if that is not known
 * @param clones whether the driver of both volumes is one and fills volumes from claims
 * @param users who uses the claim or its volume by the watches, by name
 * @param usersKnown whether all that may use it are known
 * @param unread what the store must still be asked for, because it was not asked or too long ago
 * @param seen who used it when the store was asked, as far as it was
 * @param seenUntil loop time until which {@code seen} is believed
 */
public record MoveView(
        VolumeMove move,
        Lookup<PersistentVolumeClaim> claim,
        Lookup<PersistentVolumeClaim> oldClaim,
        Lookup<PersistentVolumeClaim> copy,
        Lookup<PersistentVolume> source,
        Lookup<PersistentVolume> target,
        Lookup<StorageClass> storageClass,
        String copyRefusal,
        boolean clones,
        List<String> users,
        boolean usersKnown,
        Set<At> unread,
        List<String> seen,
        long seenUntil,
        LastEvents told) {
    VolumeMove.Status status() {
        return move.status();
    }

    String uid() {
        return move.metadata().uid();
    }

    /** Whether the store is to be asked who uses the claim: before its data is copied, counts as copied, or its old object goes. */
    boolean asksStore() {
        boolean intact = !move.metadata().deleting() || status().phase() == VolumeMove.Phase.SWITCHING;
        if (!intact || !oldClaim.found() || oldClaim.get().metadata().deleting() || !usersKnown || !users.isEmpty()) {
            return false;
        }
        return switch (status().phase()) {
            case COPYING -> MovedClaim.heldBy(oldClaim.get(), uid()) && (!copy.found() || target.found());
            case SWITCHING -> !copy.found();
            case NONE, MOVED, FAILED, UNKNOWN -> false;
        };
    }
}
