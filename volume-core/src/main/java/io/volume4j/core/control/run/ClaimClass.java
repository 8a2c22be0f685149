package io.volume4j.core.control.run;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import java.util.Optional;

/** The storage class of a claim. Claims of no class are claims like others, and nothing has the empty name. */
final class ClaimClass {
    private ClaimClass() {}

    /** Empty if the claim names none, or none of the name is known. */
    static Optional<StorageClass> of(PersistentVolumeClaim claim, ObjectCache cache) {
        String name = claim.className();
        return name.isEmpty() ? Optional.empty() : cache.get(ObjectKey.storageClass(name), StorageClass.class);
    }
}
