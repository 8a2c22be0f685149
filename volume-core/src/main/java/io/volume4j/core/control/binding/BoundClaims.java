package io.volume4j.core.control.binding;

import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectWaiters;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The volumes of bound claims, for callers that wait until a claim is bound. Loop thread only, except {@link #await}. */
final class BoundClaims {
    private final ObjectCache cache;
    private final ObjectWaiters<PersistentVolume> waiters;

    BoundClaims(Host host) {
        this.cache = host.objects();
        this.waiters = host.waiters(this::boundVolume);
    }

    CompletableFuture<PersistentVolume> await(ObjectKey claim) {
        return waiters.await(claim);
    }

    void changed(ObjectChange change) {
        if (change.key().kind() == Kind.PERSISTENT_VOLUME_CLAIM) {
            waiters.check(change.key());
        } else if (change.after() instanceof PersistentVolume volume && !waiters.isEmpty()) {
            @Nullable ObjectReference claim = volume.spec().claimRef();
            if (claim != null && !claim.name().isEmpty()) {
                waiters.check(ObjectKey.claim(claim.namespace(), claim.name()));
            }
        }
    }

    void close() {
        waiters.close();
    }

    private Optional<PersistentVolume> boundVolume(ObjectKey key) {
        return cache.get(key, PersistentVolumeClaim.class)
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .flatMap(claim -> ClaimFacts.volumeOf(claim, cache));
    }
}
