package io.volume4j.core.control.selinux;

import io.volume4j.core.control.selinux.SeLinuxView.Context;
import io.volume4j.core.control.selinux.SeLinuxView.Other;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The SELinux contexts with which pods mount volumes. A query for one pod checks one other pod for each context, and not all of the
 * possibly thousands of pods that share a volume. Loop thread only.
 */
final class VolumeContexts {
    private static final Comparator<Context> ORDER =
            Comparator.comparing(Context::label).thenComparing(Context::recursive);

    private static final Comparator<ObjectKey> PODS =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    private final Map<SharedVolume, TreeMap<Context, TreeSet<ObjectKey>>> podsByVolume = new HashMap<>();
    private final Map<ObjectKey, Map<SharedVolume, Context>> contextsByPod = new HashMap<>();

    /**
     * Replaces the volumes and contexts of the pod.
     *
     * @return the volumes whose set of contexts changed
     */
    Set<SharedVolume> move(ObjectKey pod, Map<SharedVolume, Context> now) {
        @Nullable
        Map<SharedVolume, Context> before =
                now.isEmpty() ? contextsByPod.remove(pod) : contextsByPod.put(pod, Map.copyOf(now));
        Map<SharedVolume, Context> was = before == null ? Map.of() : before;
        Set<SharedVolume> changed = new HashSet<>();
        was.forEach((volume, context) -> {
            if (!context.equals(now.get(volume)) && removed(volume, context, pod)) {
                changed.add(volume);
            }
        });
        now.forEach((volume, context) -> {
            if (!context.equals(was.get(volume)) && added(volume, context, pod)) {
                changed.add(volume);
            }
        });
        return changed;
    }

    private boolean added(SharedVolume volume, Context context, ObjectKey pod) {
        TreeSet<ObjectKey> pods = podsByVolume
                .computeIfAbsent(volume, key -> new TreeMap<>(ORDER))
                .computeIfAbsent(context, key -> new TreeSet<>(PODS));
        pods.add(pod);
        return pods.size() == 1;
    }

    private boolean removed(SharedVolume volume, Context context, ObjectKey pod) {
        Map<Context, TreeSet<ObjectKey>> contexts =
                Objects.requireNonNull(podsByVolume.get(volume), "contexts of a volume");
        TreeSet<ObjectKey> pods = Objects.requireNonNull(contexts.get(context), "pods of a context");
        pods.remove(pod);
        if (!pods.isEmpty()) {
            return false;
        }
        contexts.remove(context);
        if (contexts.isEmpty()) {
            podsByVolume.remove(volume);
        }
        return true;
    }

    /** The pod's volumes with their contexts. */
    Map<SharedVolume, Context> of(ObjectKey pod) {
        return contextsByPod.getOrDefault(pod, Map.of());
    }

    /** For each other context of the volume its first pod by namespace and name. */
    List<Other> others(SharedVolume volume, Context context) {
        List<Other> others = new ArrayList<>();
        podsByVolume.getOrDefault(volume, new TreeMap<>(ORDER)).forEach((other, pods) -> {
            if (!other.equals(context)) {
                others.add(new Other(pods.first(), other));
            }
        });
        return others;
    }

    /** The pods that mount the volume. */
    List<ObjectKey> podsOf(SharedVolume volume) {
        List<ObjectKey> all = new ArrayList<>();
        podsByVolume.getOrDefault(volume, new TreeMap<>(ORDER)).values().forEach(all::addAll);
        return all;
    }

    /** All pods with volumes that other pods may mount too. */
    List<ObjectKey> pods() {
        return List.copyOf(contextsByPod.keySet());
    }
}
