package io.volume4j.core.control.populate;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import java.util.OptionalLong;

/**
 * The facts for filling the volume of a claim.
 *
 * @param namespace the namespace for prime claims
 * @param source the data source of the claim, and whether the claim may use it
 * @param reference to that object, with its namespace
 * @param storageClass of the claim
 * @param prime the prime claim, which has the volume meanwhile
 * @param volume the volume that the prime claim is bound to, in both directions
 * @param given whether a volume is reserved for the claim or bound to it
 * @param leftUntil loop time until which a later leader may continue its filling, empty if this process need not wait
 * @param now loop time
 * @param epoch of the leader that decides
 */
public record PopulateView(
        PersistentVolumeClaim claim,
        String namespace,
        DataSource source,
        TypedReference reference,
        Lookup<StorageClass> storageClass,
        Lookup<PersistentVolumeClaim> prime,
        Lookup<PersistentVolume> volume,
        boolean given,
        Filling memory,
        OptionalLong leftUntil,
        long now,
        long epoch,
        LastEvents told) {}
