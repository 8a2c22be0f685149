package io.volume4j.core.control.run;

import io.volume4j.core.control.datasource.DataSource;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.VolumePopulator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads what claims are filled from, by the grants and populators that the loop knows. Loop thread only. */
final class SourceRules {
    private final ObjectCache cache;
    private final boolean read;

    /**
     * @param read whether the cache keeps grants and populators
     */
    SourceRules(ObjectCache cache, boolean read) {
        this.cache = cache;
        this.read = read;
    }

    DataSource of(PersistentVolumeClaim claim) {
        boolean plain = claim.spec().dataSource() == null && claim.spec().dataSourceRef() == null;
        return plain ? DataSource.none() : DataSource.of(claim, rules());
    }

    /** Claims that wait for a volume that is filled from something: a grant or a populator that came may be theirs. */
    void visitWaiting(Consumer<ObjectKey> dirty) {
        for (ApiObject object : new ArrayList<>(cache.all(Kind.PERSISTENT_VOLUME_CLAIM))) {
            if (object instanceof PersistentVolumeClaim claim
                    && ObjectIndexes.unbound(claim)
                    && (claim.spec().dataSource() != null || claim.spec().dataSourceRef() != null)) {
                dirty.accept(claim.key());
            }
        }
    }

    private DataSource.Rules rules() {
        if (!read) {
            return new DataSource.Rules(false, false, List.of(), List.of());
        }
        return new DataSource.Rules(
                true,
                cache.complete(Kind.REFERENCE_GRANT) && cache.complete(Kind.VOLUME_POPULATOR),
                all(Kind.REFERENCE_GRANT, ReferenceGrant.class),
                all(Kind.VOLUME_POPULATOR, VolumePopulator.class));
    }

    private <T> List<T> all(Kind kind, Class<T> type) {
        return cache.all(kind).stream().filter(type::isInstance).map(type::cast).toList();
    }
}
