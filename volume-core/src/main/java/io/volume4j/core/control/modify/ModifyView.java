package io.volume4j.core.control.modify;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.util.OptionalLong;

/**
 * What must be known to change the attributes of the volume of a claim that is bound to it, both ways.
 *
 * @param plugin that handles the volume here, {@code ""} if none does
 * @param modifies whether that plugin changes the attributes of volumes
 * @param wantedClass the volume attributes class that the claim asks for
 * @param begunClass the one that was begun with, by the claim's status
 * @param leftUntil loop time until which a change is left to the later leader that began it, empty if it is not
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
