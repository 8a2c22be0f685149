package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import java.util.OptionalLong;

/**
 * What must be known to decide about a volume.
 *
 * @param claim the claim whose name and UID the volume's {@code claimRef} has. {@code ABSENT} is proof that this UID is
 *     gone, though another claim may have the name by now
 * @param claimConfirmed whether a claim that was found was read from the store itself at the revision that is looked at
 * @param claimNameReused whether another claim has the name by now, to which the pods that use it belong
 * @param attachedTo nodes that the volume is or may be attached to
 * @param sharedWith other volumes in the same storage, for which it is to be kept
 * @param usedBy pods that are not over and use a claim of the name in {@code claimRef}, by name
 * @param usersComplete whether all attachments, nodes, pods and volumes of the cluster are known
 * @param maker the plugin that made it, by its name of today, {@code ""} if it is not known to be made by one
 * @param migratedTo the driver that took over sources of its kind, {@code ""} for others
 * @param leftUntil loop time until which an intent is left to the later leader that it tells of, empty if it is not
 */
public record VolumeView(
        PersistentVolume volume,
        Lookup<PersistentVolumeClaim> claim,
        boolean claimConfirmed,
        boolean claimNameReused,
        List<String> attachedTo,
        List<String> sharedWith,
        List<String> usedBy,
        boolean usersComplete,
        ReclaimerInfo reclaimer,
        ReclaimMemory memory,
        String maker,
        String migratedTo,
        OptionalLong leftUntil,
        Self self,
        LastEvents told)
        implements BindingView {
    /** Whether the intent to delete its storage is stored, so that only a look at its users is missing. */
    public boolean awaitsLook() {
        return !memory.looked() && !memory.deleted() && intendsToDelete();
    }

    /** Whether the intent to delete its storage is stored, as one of this process in this term; no earlier look serves it. */
    public boolean intendsToDelete() {
        return ReclaimIntent.of(volume)
                .filter(intent -> intent.isOf(self))
                .filter(intent -> intent.action() == ReclaimIntent.Action.DELETE)
                .isPresent();
    }

    @Override
    public ObjectKey key() {
        return volume.key();
    }
}
