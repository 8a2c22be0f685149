package io.volume4j.core.control.modify;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.util.OptionalLong;

/**
 * The facts for changing the attributes of the volume of a claim that is bound to it, in both directions.
 *
 * @param plugin of this process that handles the volume, {@code ""} for none
 * @param modifies whether that plugin changes the attributes of volumes
 * @param wantedClass the volume attributes class that the claim requests
 * @param begunClass the class of the change that has begun, from the claim's status
 * @param leftUntil loop time until which a later leader may continue its change, empty if this process need not wait
 * @param now loop time
 * @param epoch of the leader that decides
 */
public record ModifyView(
        PersistentVolumeClaim claim,
        PersistentVolume volume,
        String plugin,
        boolean modifies,
        Lookup<VolumeAttributesClass> wantedClass,
        Lookup<VolumeAttributesClass> begunClass,
        ModifyMemory memory,
        OptionalLong leftUntil,
        long now,
        long epoch,
        LastEvents told) {}
