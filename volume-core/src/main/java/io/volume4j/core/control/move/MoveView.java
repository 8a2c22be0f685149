package io.volume4j.core.control.move;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMove;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The facts for the decision about a move.
 *
 * @param claim the claim that has the name now: the old one, the new one, or another user's
 * @param oldClaim the claim with which the move began; {@code ABSENT} proves that its UID is gone
 * @param copy the claim that has the new volume while it is filled; {@code ABSENT} proves that its UID is gone, or that none has
 *     its name if its UID is not known yet
 * @param source the volume of the claim when the move begins
 * @param target the volume of {@code copy}, or the claim's new volume in the move's status
 * @param storageClass of the new volume
 * @param node the node that the user names for the new volume
 * @param nodePause loop time before which the copy does not get its node again, if it lost it
 * @param copyRefusal why the copy cannot be filled, {@code ""} if no reason is known
 * @param clones whether both volumes have the same driver and it fills volumes from claims
 * @param users the users of the claim or its volume according to the watches, by name
 * @param usersKnown whether all possible users are known
 * @param unread the reads of the store that are missing or too old
 * @param seen the users according to the reads so far
 * @param seenUntil loop time until which {@code seen} is valid
 */
public record MoveView(
        VolumeMove move,
        Lookup<PersistentVolumeClaim> claim,
        Lookup<PersistentVolumeClaim> oldClaim,
        Lookup<PersistentVolumeClaim> copy,
        Lookup<PersistentVolume> source,
        Lookup<PersistentVolume> target,
        Lookup<StorageClass> storageClass,
        Lookup<Node> node,
        OptionalLong nodePause,
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

    /**
     * Whether the controller must read the users from the store: before it copies, before the copy is complete, and before it
     * removes the old claim.
     */
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
