package io.volume4j.core.control.protection;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanningFeature;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Protects claims, volumes and volume attributes classes in use from removal. Loop thread only. */
public final class ProtectionFeature implements PlanningFeature<ProtectedView> {
    private static final int USERS_NAMED = 5;

    private final Host host;

    public ProtectionFeature(Host host) {
        this.host = host;
    }

    @Override
    public Set<Kind> watches() {
        return Set.of(Kind.VOLUME_ATTRIBUTES_CLASS);
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.VOLUME_ATTRIBUTES_CLASS);
    }

    @Override
    public void changed(ObjectChange change) {
        switch (change.key().kind()) {
            case PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM -> markClasses(change);
            case POD -> host.visits().markIfThere(VolumeUse.claimsOf(change));
            default -> {
                // does not use protected objects
            }
        }
    }

    /** A class without references may be released. */
    private void markClasses(ObjectChange change) {
        Set<String> gone = new LinkedHashSet<>(VolumeUse.attributesClassesOf(change.before()));
        gone.removeAll(VolumeUse.attributesClassesOf(change.after()));
        gone.forEach(name -> host.visits().markIfThere(new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", name)));
    }

    @Override
    public @Nullable ProtectedView view(ObjectKey key) {
        return host.objects().get(key).map(this::of).orElse(null);
    }

    private @Nullable ProtectedView of(ApiObject object) {
        ObjectKey key = object.key();
        return switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM ->
                looked(
                        object,
                        WellKnown.PVC_PROTECTION,
                        host.uses().podsKeeping(key, pod -> true),
                        host.known().all(Kind.POD, key),
                        At.PODS);
            case PERSISTENT_VOLUME ->
                new ProtectedView(
                        object, WellKnown.PV_PROTECTION, usersOfVolume(object), true, null, null, 0, host.now());
            case VOLUME_ATTRIBUTES_CLASS ->
                looked(
                        object,
                        ProtectionPlanner.ATTRIBUTES_CLASS,
                        host.uses().namingAttributesClass(key.name()).stream()
                                .limit(USERS_NAMED)
                                .map(ObjectKey::toString)
                                .toList(),
                        host.known().all(Kind.PERSISTENT_VOLUME, key)
                                && host.known().all(Kind.PERSISTENT_VOLUME_CLAIM, key),
                        At.CLAIMS);
            default -> null;
        };
    }

    private static List<String> usersOfVolume(ApiObject object) {
        return object instanceof PersistentVolume volume && volume.status().phase() == VolumePhase.BOUND
                ? List.of("the claim that it is bound to")
                : List.of();
    }

    private ProtectedView looked(ApiObject object, String finalizer, List<String> usedBy, boolean known, At at) {
        String uid = object.metadata().uid();
        @Nullable Users seen = host.liveReads().peek(at, uid);
        ProtectedView view = new ProtectedView(
                object,
                finalizer,
                usedBy,
                known,
                at,
                seen == null ? null : seen.of(object.key()),
                seen == null ? 0 : seen.ended(),
                host.now());
        if (view.awaitsLook()) {
            host.liveReads().forget(at, uid);
            host.liveReads().ask(at, uid);
        } else if (!object.metadata().deleting() || !usedBy.isEmpty()) {
            host.liveReads().forget(at, uid);
        }
        return view;
    }

    @Override
    public Planner<ProtectedView, ClusterStep> planner() {
        return ProtectionPlanner::plan;
    }
}
