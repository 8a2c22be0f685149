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
 * What must be known to have the volume of a claim filled.
 *
 * @param namespace where claims are made for the filling
 * @param source what the claim is filled from, and whether it may be
 * @param reference names that object, its namespace given
 * @param storageClass of the claim
 * @param prime the claim that has the volume meanwhile
 * @param volume that the prime claim is bound to, both ways
 * @param given whether a volume is reserved for the claim or bound to it
 * @param leftUntil loop time until which the filling is left to the later leader that it tells of, empty if it is not
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
