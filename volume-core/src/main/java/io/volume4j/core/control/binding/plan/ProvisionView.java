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
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The facts for provisioning a volume for a claim.
 *
 * @param selectedNode the node in the claim's annotation
 * @param intent the open intent, null for none
 * @param intentError why the annotation is not readable as an intent, {@code ""} if it is or there is none
 * @param check whether the cluster's objects confirm the intent
 * @param here whether this process acts on the intent; otherwise an external provisioner does
 * @param existing the volume with the name that the claim's volume would get
 * @param source the data source of the volume
 * @param attributes the volume attributes class of the claim; unnamed also if the cache does not have such classes
 * @param leftUntil loop time until which a later leader may act on its intent, empty if this process need not wait
 */
public record ProvisionView(
        PersistentVolumeClaim claim,
        Lookup<StorageClass> storageClass,
        ProvisionerInfo provisioner,
        Lookup<Node> selectedNode,
        @Nullable ProvisioningIntent intent,
        String intentError,
        IntentCheck check,
        boolean here,
        Lookup<PersistentVolume> existing,
        ProvisioningMemory memory,
        DataSource source,
        Lookup<VolumeAttributesClass> attributes,
        OptionalLong leftUntil,
        Self self) {

    /**
     * Reads the claim's intent from its annotation.
     *
     * @param intents reads intents, and keeps open ones
     * @param serves whether this process acts on such an intent
     * @param copied finds the classes that the intent copied
     */
    public static ProvisionView of(
            PersistentVolumeClaim claim,
            Lookup<StorageClass> storageClass,
            ProvisionerInfo provisioner,
            Lookup<Node> selectedNode,
            Intents intents,
            Predicate<ProvisioningIntent> serves,
            Function<ProvisioningIntent, IntentCheck.Copied> copied,
            Lookup<PersistentVolume> existing,
            ProvisioningMemory memory,
            DataSource source,
            Lookup<VolumeAttributesClass> attributes,
            Self self) {
        @Nullable ProvisioningIntent intent = null;
        String error = "";
        try {
            intent = intents.of(claim);
        } catch (IllegalArgumentException unreadable) {
            error = String.valueOf(unreadable.getMessage());
        }
        boolean here = intent == null || serves.test(intent);
        IntentCheck check = intent == null || memory.hasCalled(intent)
                ? IntentCheck.agrees()
                : IntentCheck.of(intent, claim, copied.apply(intent), source);
        return new ProvisionView(
                claim,
                storageClass,
                provisioner,
                selectedNode,
                intent,
                error,
                check,
                here,
                existing,
                memory,
                source,
                attributes,
                OptionalLong.empty(),
                self);
    }

    /** A copy that leaves the intent to a later leader until this time. */
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
                        check,
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
     * Whether storage may exist that only the intent refers to. Always true for an intent that another process holds or that is not
     * readable.
     */
    public boolean doubt() {
        return !intentError.isEmpty() || (intent != null && (!intent.isOf(self) || memory.doubt(intent)));
    }

    /** Whether another claim's volume has the name of this claim's new volume. */
    public boolean nameTaken() {
        return existing.found() && !saved();
    }

    /** Whether the object of the claim's new volume is stored. */
    boolean saved() {
        return existing.found() && ClaimReference.isBoundTo(existing.get(), claim);
    }
}
