package io.volume4j.core.node;

import static io.volume4j.core.node.MountState.MOUNTED;
import static io.volume4j.core.node.MountState.NOT_MOUNTED;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Wait;
import io.volume4j.core.node.NodeStep.Kind;
import io.volume4j.core.node.VolumeView.Expansion;
import io.volume4j.core.node.VolumeView.PodUse;
import io.volume4j.core.node.VolumeView.Wish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The whole policy of the node, for one volume at a time:
 *
 * <ol>
 * <li>The node first unmounts what no pod wants and no container can still use. So a volume leaves its old pod before
 * a new pod gets it.
 * <li>For a pod that wants a volume, the node attaches it, mounts its device, and then mounts it for the pod.
 * <li>If the control plane has expanded a volume, the node expands it too: before the first pod gets it, or while
 * pods use it.
 * <li>When no pod wants or has a volume, the node unmounts its device, then detaches it, then forgets it.
 * <li>If something is unknown, the node changes nothing.
 * <li>A node that fences itself tears down all volumes that the control plane attached to it, whatever pods want, and
 * sets up no such volume.
 * </ol>
 */
public final class NodePlanner implements Planner<VolumeView, NodeStep> {
    private static final String NOT_ATTACHED =
            "for the control plane to attach the volume; if no controller runs, start an AttachDetachController, or give this"
                    + " node's manager attachMode(SELF)";

    private static final String MODE_NOT_STORED =
            "until the node's object says that the node attaches its volumes itself: the object still asks the control plane to";

    @Override
    public Plan<NodeStep> plan(VolumeView view) {
        List<NodeStep> steps = new ArrayList<>(1);
        List<Wait> waits = new ArrayList<>();
        if (view.grant() == VolumeView.Grant.FENCED && view.attachable()) {
            giveUp(view, steps, waits);
            return new Plan<>(steps, waits);
        }
        unmountWhatIsUndesired(view, steps, waits);
        boolean desired = any(view, pod -> pod.wish() == Wish.DESIRED);
        if (desired) {
            setUp(view, steps, waits);
        } else if (!any(view, pod -> pod.mount() != NOT_MOUNTED || pod.wish() != Wish.UNDESIRED)) {
            takeDown(view, steps, waits);
        }
        return new Plan<>(steps, waits);
    }

    private static void unmountWhatIsUndesired(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        for (PodUse pod : view.pods()) {
            if (pod.wish() == Wish.UNKNOWN) {
                waits.add(Wait.on("pod or claim", "not changed for pod " + pod.pod() + ": " + pod.doubt()));
            } else if (pod.wish() == Wish.UNDESIRED && pod.mount() != NOT_MOUNTED) {
                if (pod.mayStillUse()) {
                    waits.add(Wait.on(
                            "pod runtime", "mounted until the containers of pod " + pod.pod() + " have stopped"));
                } else {
                    steps.add(podStep(Kind.UNMOUNT, view, pod));
                }
            }
        }
    }

    /** The attachment stays: only the control plane ends it, and the node says that it uses the volume until then. */
    private static void giveUp(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        for (PodUse pod : view.pods()) {
            if (pod.mount() == NOT_MOUNTED) {
                continue;
            }
            if (pod.mayStillUse()) {
                waits.add(Wait.on(
                        "pod runtime",
                        "the node fences itself: mounted until the containers of pod " + pod.pod() + " have stopped"));
            } else {
                steps.add(podStep(Kind.UNMOUNT, view, pod));
            }
        }
        if (!mounted(view) && view.device() != NOT_MOUNTED) {
            steps.add(volumeStep(Kind.UNMOUNT_DEVICE, view));
        }
        if (steps.isEmpty() && waits.isEmpty()) {
            waits.add(Wait.on("start", "the node fenced itself; it sets volumes up again after it is started anew"));
        }
    }

    private static void setUp(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        List<PodUse> todo = new ArrayList<>(view.pods().size());
        for (PodUse pod : view.pods()) {
            if (pod.wish() != Wish.DESIRED || (pod.mount() == MOUNTED && !pod.remount() && !pod.parts())) {
                continue;
            }
            if (pod.doubt().isEmpty()) {
                todo.add(pod);
            } else {
                waits.add(Wait.on("unmount", "pod " + pod.pod() + " waits: " + pod.doubt()));
            }
        }
        if (todo.isEmpty() && waitsInVain(view)) {
            steps.add(volumeStep(Kind.UNMOUNT_DEVICE, view));
            return;
        }
        if (view.onePodOnly()) {
            todo = onlyTheOneWhoseTurnItIs(view, todo, waits);
        }
        if (view.grant() == VolumeView.Grant.ENDED) {
            clearAway(view, steps, waits);
            return;
        }
        if (view.labelled()) {
            todo = onlyThoseWithTheLabel(view, todo, steps, waits);
        }
        boolean growsFirst = expand(view, steps, waits);
        if (todo.isEmpty()) {
            return;
        }
        if (view.attachable() && view.attach() != AttachState.ATTACHED) {
            attach(view, steps, waits);
        } else if (view.deviceMountable() && view.device() != MOUNTED) {
            steps.add(volumeStep(Kind.MOUNT_DEVICE, view));
        } else if (!growsFirst) {
            for (PodUse pod : todo) {
                steps.add(podStep(next(pod), view, pod));
            }
        }
    }

    /**
     * Where nothing is to be done for the pods that want the volume: whether its device is mounted, or may be, in a way in which
     * none of them can have it. None has it then, so that each waits.
     */
    private static boolean waitsInVain(VolumeView view) {
        return view.device() != NOT_MOUNTED && !mounted(view);
    }

    /** What a pod's volume needs next where the volume itself is set up. */
    private static Kind next(PodUse pod) {
        return switch (pod.mount()) {
            case NOT_MOUNTED, UNCERTAIN -> Kind.MOUNT;
            case FS_GROUP_PENDING -> Kind.APPLY_FS_GROUP;
            case IDS_PENDING -> Kind.MAP_IDS;
            case SUBPATHS_PENDING -> Kind.BIND_SUBPATHS;
            case MOUNTED -> pod.remount() ? Kind.REMOUNT : Kind.BIND_SUBPATHS;
        };
    }

    private static void attach(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        VolumeView.@Nullable Grant grant = view.grant();
        if (grant == null) {
            steps.add(volumeStep(Kind.ATTACH, view));
        } else if (grant == VolumeView.Grant.GIVEN) {
            steps.add(volumeStep(Kind.CONFIRM_ATTACHED, view));
        } else if (grant == VolumeView.Grant.MODE_NOT_STORED) {
            waits.add(Wait.on("node annotations", MODE_NOT_STORED));
        } else if (grant == VolumeView.Grant.NOT_REPORTED_IN_USE) {
            waits.add(Wait.on("node status", "until the node's status says that the volume is in use"));
        } else {
            waits.add(Wait.on("node status", NOT_ATTACHED));
        }
    }

    /** What was mounted under an attachment that has ended goes before anything is set up under another. */
    private static void clearAway(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        if (mounted(view)) {
            waits.add(
                    Wait.on(
                            "unmount",
                            "the control plane ended its attachment to this node; it is set up anew when no pod has it mounted"));
        } else if (view.device() != NOT_MOUNTED) {
            steps.add(volumeStep(Kind.UNMOUNT_DEVICE, view));
        } else {
            steps.add(volumeStep(Kind.FORGET, view));
        }
    }

    /** A holder keeps it; otherwise the pods get it in the order of their UIDs, which is the same for all volumes. */
    private static List<PodUse> onlyTheOneWhoseTurnItIs(VolumeView view, List<PodUse> todo, List<Wait> waits) {
        if (todo.isEmpty()) {
            return todo;
        }
        PodUse next = view.pods().stream()
                .filter(pod -> pod.mount() != NOT_MOUNTED)
                .findFirst()
                .or(() -> todo.stream().min(Comparator.comparing(PodUse::podUid)))
                .orElseThrow();
        List<PodUse> allowed = new ArrayList<>();
        for (PodUse pod : todo) {
            // A pod that has had it beside others is given nothing by a remount.
            if (pod.podUid().equals(next.podUid()) || pod.mount() == MOUNTED) {
                allowed.add(pod);
            } else {
                waits.add(Wait.on(
                        "unmount",
                        "pod " + pod.pod() + " waits: only one pod may use it, and " + next.pod() + " does"));
            }
        }
        return allowed;
    }

    /**
     * A volume has one SELinux context at a time. Pods with another one wait until no pod has the volume mounted. Then the
     * node mounts its device anew.
     */
    private static List<PodUse> onlyThoseWithTheLabel(
            VolumeView view, List<PodUse> todo, List<NodeStep> steps, List<Wait> waits) {
        boolean held = view.device() != NOT_MOUNTED || mounted(view);
        String label = held && view.label() != null
                ? view.label()
                : todo.stream()
                        .min(Comparator.comparing(PodUse::podUid))
                        .map(PodUse::label)
                        .orElse("");
        List<PodUse> allowed = new ArrayList<>();
        for (PodUse pod : todo) {
            if (pod.label().equals(label)) {
                allowed.add(pod);
            } else {
                waits.add(Wait.on(
                        "unmount",
                        "pod " + pod.pod() + " waits: its SELinux context " + shown(pod.label())
                                + " differs from that with which the volume is mounted, " + shown(label)));
            }
        }
        // If no pod is allowed, the volume is mounted with another label; if no pod has it, its device mount has that
        // label.
        if (allowed.isEmpty() && !todo.isEmpty() && !mounted(view)) {
            steps.add(volumeStep(Kind.UNMOUNT_DEVICE, view));
        }
        return allowed;
    }

    private static String shown(String label) {
        return label.isEmpty() ? "(none)" : label;
    }

    /** Whether pods wait for the growth: a volume that no pod has mounted grows before the first pod gets it. */
    private static boolean expand(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        Expansion expansion = view.expansion();
        boolean mounted = mounted(view);
        if (expansion.tell()) {
            steps.add(volumeStep(Kind.TELL_SIZE, view));
        }
        if (expansion.state() == Expansion.State.REFUSED) {
            waits.add(Wait.on(
                    "claim",
                    "stays as it is: cannot grow to " + expansion.bytes() + " bytes here: " + expansion.why()));
        }
        if (expansion.state() != Expansion.State.NEEDED) {
            return false;
        }
        boolean attached = !view.attachable() || view.attach() == AttachState.ATTACHED;
        // A finished mount is enough: it may be older than the plugin's device step.
        boolean finished = any(view, pod -> pod.mount() == MOUNTED);
        boolean ready = attached
                && (finished || (view.deviceMountable() && expansion.beforePods() && view.device() == MOUNTED));
        if (!ready) {
            return false;
        }
        if (mounted && !expansion.online()) {
            waits.add(
                    Wait.on("unmount", "grows to " + expansion.bytes() + " bytes when no pod has it mounted any more"));
            return false;
        }
        if (!expansion.tell()) {
            steps.add(volumeStep(Kind.EXPAND, view));
        }
        return !mounted && !expansion.inUse();
    }

    private static void takeDown(VolumeView view, List<NodeStep> steps, List<Wait> waits) {
        if (!view.doubt().isEmpty()) {
            waits.add(Wait.on("pods", view.doubt()));
        } else if (view.device() != NOT_MOUNTED) {
            steps.add(volumeStep(Kind.UNMOUNT_DEVICE, view));
        } else if (view.attach() != AttachState.DETACHED
                && (view.grant() == null || view.grant() == VolumeView.Grant.LEFT)) {
            steps.add(volumeStep(Kind.DETACH, view));
        } else if (view.attach() != AttachState.DETACHED && view.grant() == VolumeView.Grant.MODE_NOT_STORED) {
            waits.add(Wait.on("node annotations", MODE_NOT_STORED));
        } else {
            steps.add(volumeStep(Kind.FORGET, view));
        }
    }

    /** Whether any pod has it, or may have it. */
    private static boolean mounted(VolumeView view) {
        return any(view, pod -> pod.mount() != NOT_MOUNTED);
    }

    private static boolean any(VolumeView view, Predicate<PodUse> test) {
        for (PodUse pod : view.pods()) {
            if (test.test(pod)) {
                return true;
            }
        }
        return false;
    }

    private static NodeStep volumeStep(Kind kind, VolumeView view) {
        return NodeStep.ofVolume(kind, view.id(), view.name());
    }

    private static NodeStep podStep(Kind kind, VolumeView view, PodUse pod) {
        return new NodeStep(kind, view.id(), pod.podUid(), view.name(), pod.pod());
    }
}
