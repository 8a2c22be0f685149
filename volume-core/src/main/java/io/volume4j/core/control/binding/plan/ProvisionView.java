package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to decide about making a volume for a claim.
 *
 * @param selectedNode the node that the claim's annotation names
 * @param intent the open intent, null for none
 * @param intentError why the annotation cannot be read as an intent, {@code ""} if it can or there is none
 * @param here whether this process is the one that acts on the intent; otherwise a provisioner outside does
 * @param existing the volume of the name that the claim's volume would get
 * @param source what the volume is filled from
 * @param attributes the volume attributes class that the claim names; unnamed also where such classes are not read
 * @param leftUntil loop time until which the intent is left to the later leader that it tells of, empty if it is not
 */
public record ProvisionView(
        PersistentVolumeClaim claim,
        Lookup<StorageClass> storageClass,
        ProvisionerInfo provisioner,
        Lookup<Node> selectedNode,
        @Nullable ProvisioningIntent intent,
        String intentError,
        boolean here,
        Lookup<PersistentVolume> existing,
        ProvisioningMemory memory,
        DataSource source,
        Lookup<VolumeAttributesClass> attributes,
        OptionalLong leftUntil,
        Self self) {

    /**
     * Reads the claim's intent out of its annotation.
     *
     * @param intents reads intents, and remembers those that are open
     * @param serves whether this process is the one that acts on such an intent
     */
    public static ProvisionView of(
            PersistentVolumeClaim claim,
            Lookup<StorageClass> storageClass,
            ProvisionerInfo provisioner,
            Lookup<Node> selectedNode,
            Intents intents,
            Predicate<ProvisioningIntent> serves,
            Lookup<PersistentVolume> existing,
            ProvisioningMemory memory,
            DataSource source,
            Lookup<VolumeAttributesClass> attributes,
            Self self) {
        String text = claim.metadata().annotation(Annotation.PROVISIONING_INTENT);
        @Nullable ProvisioningIntent intent = null;
        String error = "";
        if (!text.isEmpty()) {
            try {
                intent = intents.read(claim.metadata().uid(), text);
            } catch (IllegalArgumentException unreadable) {
                error = String.valueOf(unreadable.getMessage());
            }
        }
        boolean here = intent == null || serves.test(intent);
        return new ProvisionView(
                claim,
                storageClass,
                provisioner,
                selectedNode,
                intent,
                error,
                here,
                existing,
                memory,
                source,
                attributes,
                OptionalLong.empty(),
                self);
    }

    /** The same, with an intent that is left to a later leader until then. */
    public ProvisionView leftUntil(OptionalLong until) {
        return until.isEmpty()
                ? this
                : new ProvisionView(
                        claim,
                        storageClass,
                        provisioner,
                        selectedNode,
                        intent,
                        intentError,
                        here,
                        existing,
                        memory,
                        source,
                        attributes,
                        until,
                        self);
    }

    /** Whether an intent is open, readable or not. */
    boolean open() {
        return intent != null || !intentError.isEmpty();
    }

    /**
     * Whether storage may exist that only the intent tells of. Of an intent that another process holds, or that cannot be
     * read, nothing else can be said.
     */
    public boolean doubt() {
        return !intentError.isEmpty() || (intent != null && (!intent.isOf(self) || memory.doubt(intent)));
    }

    /** Whether the volume that has the name of the claim's own is another's. */
    public boolean nameTaken() {
        return existing.found() && !saved();
    }

    /** Whether the object of the claim's own volume is stored. */
    boolean saved() {
        return existing.found() && ClaimReference.isBoundTo(existing.get(), claim);
    }
}
