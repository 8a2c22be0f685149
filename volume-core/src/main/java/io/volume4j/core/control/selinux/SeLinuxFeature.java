package io.volume4j.core.control.selinux;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.PlanningFeature;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.control.selinux.SeLinuxView.Context;
import io.volume4j.core.control.selinux.SeLinuxView.Other;
import io.volume4j.core.control.selinux.SeLinuxView.Use;
import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.selinux.SeLinuxLabel;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports pods that mount a volume with different SELinux contexts. Loop thread only. */
public final class SeLinuxFeature implements PlanningFeature<SeLinuxView> {
    private final Host host;
    private final DriverObjects drivers;
    private final VolumeContexts contexts = new VolumeContexts();

    public SeLinuxFeature(Host host) {
        this.host = host;
        this.drivers = new DriverObjects(host.objects());
    }

    @Override
    public Set<Kind> watches() {
        return Set.of(Kind.CSI_DRIVER);
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.POD);
    }

    @Override
    public void changed(ObjectChange change) {
        @Nullable ApiObject after = change.after();
        switch (change.key().kind()) {
            case POD ->
                contexts.move(change.key(), after instanceof Pod pod ? contextsOf(pod) : Map.of())
                        .forEach(this::mark);
            case PERSISTENT_VOLUME_CLAIM -> {
                if (!volumeOf(change.before()).equals(volumeOf(after))) {
                    mark(SharedVolume.of(change.key()));
                }
            }
            case PERSISTENT_VOLUME -> {
                if (change.before() == null && after instanceof PersistentVolume volume) {
                    @Nullable ObjectReference claim = volume.spec().claimRef();
                    if (claim != null) {
                        mark(SharedVolume.of(ObjectKey.claim(claim.namespace(), claim.name())));
                    }
                }
            }
            case CSI_DRIVER -> host.visits().markIfThere(contexts.pods());
            default -> {
                // has no effect on contexts
            }
        }
    }

    private static String volumeOf(@Nullable ApiObject claim) {
        return claim instanceof PersistentVolumeClaim known ? known.spec().volumeName() : "";
    }

    private void mark(SharedVolume volume) {
        host.visits().markIfThere(contexts.podsOf(volume));
    }

    /** The contexts with which the pod mounts its volumes. If it mounts one under two names, the first counts. */
    private Map<SharedVolume, Context> contextsOf(Pod pod) {
        Map<SharedVolume, Context> found = new LinkedHashMap<>();
        if (!pod.terminated()) {
            for (PodVolume volume : pod.spec().volumes()) {
                if (SeLinuxLabel.mounted(pod, volume.name())) {
                    shared(pod, volume)
                            .ifPresent(known -> found.putIfAbsent(
                                    known,
                                    new Context(SeLinuxLabel.of(pod, volume.name()), SeLinuxLabel.recursive(pod))));
                }
            }
        }
        return found;
    }

    private Optional<SharedVolume> shared(Pod pod, PodVolume volume) {
        String claim = VolumeUse.claimName(pod, volume);
        if (!claim.isEmpty()) {
            return Optional.of(SharedVolume.of(ObjectKey.claim(pod.metadata().namespace(), claim)));
        }
        try {
            VolumeSpec spec =
                    host.plugins().migration().spec(volume, pod.metadata().namespace());
            // An inline volume of a driver belongs to its pod alone.
            return spec.source() instanceof CsiSource || spec.source() instanceof ClaimSource
                    ? Optional.empty()
                    : host.plugins()
                            .handling(spec)
                            .filter(plugin -> plugin.shared(spec) && plugin.mountsWithSeLinuxLabel(spec))
                            .map(plugin -> SharedVolume.described(plugin.name(), plugin.volumeName(spec)));
        } catch (VolumeException notThatWay) {
            // the node reports the problem
            return Optional.empty();
        }
    }

    @Override
    public @Nullable SeLinuxView view(ObjectKey key) {
        Map<SharedVolume, Context> own = contexts.of(key);
        List<Use> uses = new ArrayList<>();
        own.forEach((volume, context) -> {
            List<Other> others = contexts.others(volume, context);
            ObjectKey claim = volume.claim();
            if (!others.isEmpty() && (claim == null || takesLabel(claim))) {
                uses.add(new Use(volume, context, others));
            }
        });
        return uses.isEmpty()
                ? null
                : host.objects()
                        .get(key, Pod.class)
                        .map(pod -> new SeLinuxView(pod, uses, host.told().about(key, SeLinuxPlanner.TOPIC)))
                        .orElse(null);
    }

    /** Whether the claim's volume is mounted with a context; false while the volume is not known. */
    private boolean takesLabel(ObjectKey claim) {
        return host.objects()
                .get(claim, PersistentVolumeClaim.class)
                .map(known -> known.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .flatMap(name -> host.objects().get(ObjectKey.volume(name), PersistentVolume.class))
                .filter(this::takesLabel)
                .isPresent();
    }

    private boolean takesLabel(PersistentVolume volume) {
        VolumeSpec spec = host.plugins().migration().specIfPossible(volume, false);
        if (spec.volumeMode() == VolumeMode.BLOCK) {
            return false;
        }
        @Nullable VolumePlugin plugin = host.plugins().handling(spec).orElse(null);
        VolumeSpec described = drivers.describe(spec, plugin).spec();
        CsiDriver.@Nullable Spec driver = described.driver();
        return (driver != null && driver.seLinuxMount())
                || (plugin != null && plugin.mountsWithSeLinuxLabel(described));
    }

    @Override
    public Planner<SeLinuxView, ClusterStep> planner() {
        return SeLinuxPlanner::plan;
    }
}
