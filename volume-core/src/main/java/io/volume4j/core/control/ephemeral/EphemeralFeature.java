package io.volume4j.core.control.ephemeral;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanningFeature;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.facts.ReferenceIndex;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates the claims of pods, and removes claims whose pods are gone. Loop thread only. */
public final class EphemeralFeature implements PlanningFeature<EphemeralView> {
    private final Host host;

    /** Claims by the UID of their owner pod. */
    private final ReferenceIndex<String, ObjectKey> claimsByOwner = new ReferenceIndex<>();

    private final TemplateClaims templates = new TemplateClaims();

    public EphemeralFeature(Host host) {
        this.host = host;
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.PERSISTENT_VOLUME_CLAIM, Kind.POD);
    }

    @Override
    public void changed(ObjectChange change) {
        @Nullable ApiObject before = change.before();
        @Nullable ApiObject after = change.after();
        if (change.key().kind() == Kind.PERSISTENT_VOLUME_CLAIM) {
            claimsByOwner.move(change.key(), ownerOf(before), ownerOf(after));
            if (after == null && before instanceof PersistentVolumeClaim gone) {
                EphemeralPlanner.owningPod(gone).ifPresent(pod -> host.store().forgetGone(pod.uid()));
            }
            if (before == null || after == null) {
                host.visits().mark(host.uses().podsOfClaim(change.key()));
            }
        } else if (before instanceof Pod gone && after == null) {
            templates.forget(gone.metadata().uid());
            host.visits().markIfThere(claimsByOwner.naming(gone.metadata().uid()));
        }
    }

    private static Set<String> ownerOf(@Nullable ApiObject object) {
        return object instanceof PersistentVolumeClaim claim
                ? EphemeralPlanner.owningPod(claim)
                        .map(owner -> Set.of(owner.uid()))
                        .orElse(Set.of())
                : Set.of();
    }

    @Override
    public @Nullable EphemeralView view(ObjectKey key) {
        @Nullable ApiObject object = host.objects().get(key).orElse(null);
        if (object instanceof Pod pod) {
            return of(pod);
        }
        return object instanceof PersistentVolumeClaim claim ? of(claim) : null;
    }

    private @Nullable EphemeralView of(Pod pod) {
        if (!PodClaims.hasAny(pod)) {
            return null;
        }
        List<DesiredClaim> claims = new ArrayList<>(PodClaims.ofVolumes(pod));
        claims.addAll(templates.of(pod));
        List<PodView.Item> items = new ArrayList<>();
        claims.forEach(desired -> items.add(new PodView.Item(
                desired,
                host.known()
                        .lookup(
                                host.objects().get(desired.key(), PersistentVolumeClaim.class),
                                Kind.PERSISTENT_VOLUME_CLAIM,
                                pod.key()))));
        return new PodView(pod, items, host.told().about(pod.key(), EphemeralPlanner.TOPIC));
    }

    private @Nullable EphemeralView of(PersistentVolumeClaim claim) {
        @Nullable OwnerReference owner = EphemeralPlanner.owningPod(claim).orElse(null);
        if (owner == null) {
            return null;
        }
        Optional<Pod> pod = host.objects()
                .get(ObjectKey.pod(claim.metadata().namespace(), owner.name()), Pod.class)
                .filter(found -> found.metadata().uid().equals(owner.uid()));
        return new OwnedClaimView(
                claim,
                owner,
                pod.isEmpty() && host.store().provenGone(owner.uid())
                        ? Lookup.absent()
                        : host.known().lookup(pod, Kind.POD, claim.key()));
    }

    @Override
    public Planner<EphemeralView, ClusterStep> planner() {
        return EphemeralPlanner::plan;
    }
}
