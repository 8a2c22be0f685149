package io.volume4j.core.control.unused;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanningFeature;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports for each claim whether pods use it. Loop thread only. */
public final class UnusedFeature implements PlanningFeature<UnusedView> {
    private final Host host;

    public UnusedFeature(Host host) {
        this.host = host;
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public void changed(ObjectChange change) {
        if (change.key().kind() == Kind.POD) {
            host.visits().markIfThere(VolumeUse.claimsOf(change));
        }
    }

    /** No report for a claim that is being deleted: its protection has its own rule. */
    @Override
    public @Nullable UnusedView view(ObjectKey key) {
        return host.objects()
                .get(key, PersistentVolumeClaim.class)
                .filter(claim -> !claim.metadata().deleting())
                .map(this::of)
                .orElse(null);
    }

    private UnusedView of(PersistentVolumeClaim claim) {
        boolean used = used(claim.key());
        return new UnusedView(claim, used, used || host.known().all(Kind.POD, claim.key()));
    }

    private boolean used(ObjectKey claim) {
        return host.uses().podsOfClaim(claim).stream()
                .flatMap(pod -> host.objects().get(pod, Pod.class).stream())
                .anyMatch(pod -> !pod.terminated());
    }

    @Override
    public Planner<UnusedView, ClusterStep> planner() {
        return UnusedPlanner::plan;
    }
}
