package io.volume4j.core.control.attach.plan;

import io.volume4j.core.control.attach.plan.PairView.Holder;
import java.util.List;

/**
 * An event about a volume and a node. The controller writes it once, until its cause ends or changes.
 *
 * @param reason of the event
 * @param message for pods of any namespace
 * @param holders the nodes that have the volume; a pod sees pod names of its own namespace only
 */
public record LastEvent(String reason, String message, List<Holder> holders) {
    public LastEvent {
        holders = List.copyOf(holders);
    }

    static LastEvent multiAttach(PairView view) {
        return new LastEvent(
                EventReason.FAILED_ATTACH_VOLUME,
                "Multi-Attach error for volume \"" + view.name() + "\": only one node may have it",
                view.holders());
    }

    static LastEvent full(String limit) {
        return new LastEvent(EventReason.FAILED_ATTACH_VOLUME, limit, List.of());
    }

    static LastEvent detachWaits(PairView view, DetachDecision verdict) {
        return new LastEvent(
                EventReason.DETACH_WAITS,
                "volume \"" + view.name() + "\" is not detached from node " + view.node() + ": " + verdict.why(),
                List.of());
    }

    /** The message for a pod. It names the pods that hold the volume only if they are in the same namespace. */
    public String forNamespace(String namespace) {
        if (holders.isEmpty()) {
            return message;
        }
        StringBuilder text = new StringBuilder(message);
        for (Holder holder : holders) {
            text.append("; node ").append(holder.node()).append(" has it or may have it");
            int others = 0;
            StringBuilder names = new StringBuilder();
            for (String pod : holder.pods()) {
                if (pod.startsWith(namespace + "/")) {
                    names.append(names.isEmpty() ? "" : ", ").append(pod.substring(namespace.length() + 1));
                } else {
                    others++;
                }
            }
            if (!names.isEmpty()) {
                text.append(" for pod(s) ").append(names);
            }
            if (others > 0) {
                text.append(names.isEmpty() ? " for " : " and ").append(others).append(" pod(s) of other namespaces");
            }
        }
        return text.toString();
    }
}
