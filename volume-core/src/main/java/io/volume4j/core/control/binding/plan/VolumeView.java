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
 * The facts for the decision about a volume.
 *
 * @param claim the claim with the name and UID in the volume's {@code claimRef}. {@code ABSENT} proves that this UID is gone,
 *     although another claim may have the name now
 * @param claimConfirmed whether the store itself has confirmed the claim at the current revision
 * @param claimNameReused whether another claim has the name now, so that the pods with this claim name use that claim
 * @param attachedTo nodes to which the volume is or may be attached
 * @param sharedWith other volumes that need the same storage
 * @param usedBy pods that have not ended and use a claim with the name in {@code claimRef}, by name
 * @param usersComplete whether all attachments, nodes, pods and volumes of the cluster are known
 * @param maker the plugin that made it, by its current name; {@code ""} if no plugin is known to have made it
 * @param migratedTo the driver that took over sources of its kind, {@code ""} for others
 * @param leftUntil loop time until which a later leader may act on its intent, empty if this process need not wait
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
    /** Whether the intent to delete its storage is stored, and only the read of its users is missing. */
    public boolean awaitsLook() {
        return !memory.looked() && !memory.deleted() && intendsToDelete();
    }

    /** Whether this process stored the intent to delete its storage in this term. Earlier reads are not valid for it. */
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
