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
 * With which SELinux contexts pods mount claims, so that a question about one pod looks at one other pod for each context, and not at
 * each pod of a claim that thousands share. Loop thread only.
 */
final class ClaimContexts {
    private static final Comparator<Context> ORDER =
            Comparator.comparing(Context::label).thenComparing(Context::recursive);

    private final Map<ObjectKey, TreeMap<Context, TreeSet<String>>> podsByClaim = new HashMap<>();
    private final Map<ObjectKey, Map<ObjectKey, Context>> contextsByPod = new HashMap<>();

    /**
     * The pod mounts these claims so now, and no others.
     *
     * @return the claims that have a context more or less than before
     */
    Set<ObjectKey> move(ObjectKey pod, Map<ObjectKey, Context> now) {
        @Nullable
        Map<ObjectKey, Context> before =
                now.isEmpty() ? contextsByPod.remove(pod) : contextsByPod.put(pod, Map.copyOf(now));
        Map<ObjectKey, Context> was = before == null ? Map.of() : before;
        Set<ObjectKey> changed = new HashSet<>();
        was.forEach((claim, context) -> {
            if (!context.equals(now.get(claim)) && removed(claim, context, pod.name())) {
                changed.add(claim);
            }
        });
        now.forEach((claim, context) -> {
            if (!context.equals(was.get(claim)) && added(claim, context, pod.name())) {
                changed.add(claim);
            }
        });
        return changed;
    }

    private boolean added(ObjectKey claim, Context context, String pod) {
        TreeSet<String> pods = podsByClaim
                .computeIfAbsent(claim, key -> new TreeMap<>(ORDER))
                .computeIfAbsent(context, key -> new TreeSet<>());
        pods.add(pod);
        return pods.size() == 1;
    }

    private boolean removed(ObjectKey claim, Context context, String pod) {
        Map<Context, TreeSet<String>> contexts = Objects.requireNonNull(podsByClaim.get(claim), "contexts of a claim");
        TreeSet<String> pods = Objects.requireNonNull(contexts.get(context), "pods of a context");
        pods.remove(pod);
        if (!pods.isEmpty()) {
            return false;
        }
        contexts.remove(context);
        if (contexts.isEmpty()) {
            podsByClaim.remove(claim);
        }
        return true;
    }

    /** How the pod mounts its claims. */
    Map<ObjectKey, Context> of(ObjectKey pod) {
        return contextsByPod.getOrDefault(pod, Map.of());
    }

    /** For each other context of the claim its first pod by name. */
    List<Other> others(ObjectKey claim, Context context) {
        List<Other> others = new ArrayList<>();
        podsByClaim.getOrDefault(claim, new TreeMap<>(ORDER)).forEach((other, pods) -> {
            if (!other.equals(context)) {
                others.add(new Other(pods.first(), other));
            }
        });
        return others;
    }

    /** All pods that mount claims. */
    List<ObjectKey> pods() {
        return List.copyOf(contextsByPod.keySet());
    }
}
