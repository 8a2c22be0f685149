package io.volume4j.core.control.host.facts;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Indexes of references between objects that several features need. Every change of the cache updates them, so no
 * lookup scans the cache. Loop thread only.
 */
public final class ObjectUses {
    private final ObjectCache cache;
    private final ReferenceIndex<String, ObjectKey> claimsByVolume = new ReferenceIndex<>();
    private final ReferenceIndex<ObjectKey, ObjectKey> podsByClaim = new ReferenceIndex<>();

    /** Claims and volumes by their volume attributes classes. */
    private final ReferenceIndex<String, ObjectKey> byAttributesClass = new ReferenceIndex<>();

    private final VolumesByClaim volumesByClaim = new VolumesByClaim();

    public ObjectUses(ObjectCache cache) {
        this.cache = cache;
    }

    public void changed(ObjectChange change) {
        switch (change.key().kind()) {
            case PERSISTENT_VOLUME_CLAIM -> {
                claimsByVolume.move(change.key(), volumeOf(change.before()), volumeOf(change.after()));
                attributesClasses(change);
            }
            case PERSISTENT_VOLUME -> {
                volumesByClaim.changed((PersistentVolume) change.before(), (PersistentVolume) change.after());
                attributesClasses(change);
            }
            case POD ->
                podsByClaim.move(change.key(), VolumeUse.claimsOf(change.before()), VolumeUse.claimsOf(change.after()));
            default -> {
                // no index for other kinds
            }
        }
    }

    private void attributesClasses(ObjectChange change) {
        byAttributesClass.move(
                change.key(),
                VolumeUse.attributesClassesOf(change.before()),
                VolumeUse.attributesClassesOf(change.after()));
    }

    /** Claims and volumes that refer to the volume attributes class. */
    public Collection<ObjectKey> namingAttributesClass(String name) {
        return byAttributesClass.naming(name);
    }

    /** The volumes that refer to claims. */
    public VolumesByClaim volumesByClaim() {
        return volumesByClaim;
    }

    /** Claims that refer to the volume. */
    public Collection<ObjectKey> claimsOfVolume(String name) {
        return claimsByVolume.naming(name);
    }

    /** Pods that refer to the claim. */
    public Collection<ObjectKey> podsOfClaim(ObjectKey claim) {
        return podsByClaim.naming(claim);
    }

    /** Pods that keep the claim and match the predicate, sorted by name. */
    public List<String> podsKeeping(ObjectKey claim, Predicate<Pod> such) {
        return podsByClaim.naming(claim).stream()
                .flatMap(pod -> cache.get(pod, Pod.class).stream())
                .filter(pod -> VolumeUse.keeps(pod, claim) && such.test(pod))
                .map(pod -> pod.key().toString())
                .sorted()
                .toList();
    }

    private static Set<String> volumeOf(@Nullable ApiObject object) {
        return object instanceof PersistentVolumeClaim claim
                        && !claim.spec().volumeName().isEmpty()
                ? Set.of(claim.spec().volumeName())
                : Set.of();
    }
}
