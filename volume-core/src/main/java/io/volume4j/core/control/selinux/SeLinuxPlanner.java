package io.volume4j.core.control.selinux;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.selinux.SeLinuxView.Context;
import io.volume4j.core.control.selinux.SeLinuxView.Other;
import io.volume4j.core.control.selinux.SeLinuxView.Use;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports to a pod the first pod that mounts one of its volumes with another SELinux context. Each of the two pods gets an event.
 * The reasons are those of Kubernetes' SELinux warning controller (KEP-1710). As in Kubernetes the events are no warnings, because
 * pods on different nodes do not conflict. The context is the one with which volume4j's nodes mount.
 */
public final class SeLinuxPlanner {
    public static final String TOPIC = "selinux";
    public static final String LABEL = "SELinuxLabelConflict";
    public static final String POLICY = "SELinuxChangePolicyConflict";

    private SeLinuxPlanner() {}

    static Plan<ClusterStep> plan(SeLinuxView view) {
        PlanBuilder plan = new PlanBuilder(view.pod().key(), view.told(), TOPIC);
        List<Event> events = events(view);
        return events.isEmpty() ? plan.plan() : plan.tell(events).plan();
    }

    /** One event for each volume that the pod mounts with another context than another pod. */
    static List<Event> events(SeLinuxView view) {
        List<Event> events = new ArrayList<>();
        for (Use use : view.uses()) {
            use.others().stream()
                    .filter(other ->
                            !other.context().label().equals(use.context().label()))
                    .findFirst()
                    .ifPresent(other -> events.add(event(view, use, other)));
        }
        return events;
    }

    private static Event event(SeLinuxView view, Use use, Other other) {
        boolean policies = use.context().recursive() != other.context().recursive();
        return PlanBuilder.event(
                Event.Type.NORMAL,
                view.pod(),
                policies ? POLICY : LABEL,
                use.volume().text() + ": " + name(other.pod(), view.pod()) + " mounts it "
                        + text(other.context()) + ", and this pod " + text(use.context())
                        + ". If both come to one node, one of them waits until the other one has ended. Give both the same"
                        + " seLinuxOptions, or both seLinuxChangePolicy: Recursive");
    }

    /** Users of a pod's namespace read its events. They may not have permission to know pods of other namespaces. */
    private static String name(ObjectKey other, Pod pod) {
        return other.namespace().equals(pod.metadata().namespace())
                ? "pod " + other.name()
                : "a pod of another namespace";
    }

    private static String text(Context context) {
        if (context.recursive()) {
            return "with seLinuxChangePolicy: Recursive";
        }
        return context.label().isEmpty() ? "without an SELinux context" : "with the SELinux context " + context.label();
    }
}
