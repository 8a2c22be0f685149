package io.volume4j.inmemory.chaos;

import io.volume4j.core.explain.Explanation;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The orchestrator of a simulated world. It assigns pods to nodes, starts their containers when the volumes are mounted, and stops them
 * some time after the pod is removed.
 */
final class PodHost {
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final int SLOWEST_STOP_MILLIS = 30_000;

    private final Simulation world;
    private final RandomGenerator random;
    private final Map<String, Placed> pods = new LinkedHashMap<>();
    /** Nodes of removed pods, by the claims of the pods. */
    private final Map<String, Set<String>> left = new HashMap<>();

    private int made;

    private static final class Placed {
        private final Pod pod;
        private boolean wanted = true;
        private boolean running;
        private boolean asked;

        Placed(Pod pod) {
            this.pod = pod;
        }
    }

    PodHost(Simulation world) {
        this.world = world;
        this.random = world.random();
        world.onStart(this::started);
    }

    /** Creates a pod on a node, unless a pod with the name exists. */
    void add(String name, String node, List<String> claims, boolean readOnly) {
        ObjectKey key = ObjectKey.pod(Given.NAMESPACE, name);
        if (world.cluster().get(key).isPresent()) {
            return;
        }
        add(Given.pod(name, name + "-" + ++made, node, claims, readOnly));
    }

    /** A UID for the next pod of the name. */
    String nextUid(String name) {
        return name + "-" + ++made;
    }

    /** Creates the pod on its node. */
    void add(Pod pod) {
        world.tell("pod " + pod.metadata().uid() + " on " + pod.spec().nodeName() + " with "
                + pod.spec().volumes().stream().map(PodVolume::name).toList());
        Placed placed = new Placed(pod);
        pods.put(pod.metadata().uid(), placed);
        world.cluster().apply(pod);
        ask(placed);
    }

    /** Takes over a pod that is already in the cluster and has a node. */
    void adopt(Pod pod) {
        world.tell("pod " + pod.metadata().uid() + " has node " + pod.spec().nodeName());
        Placed placed = new Placed(pod);
        pods.put(pod.metadata().uid(), placed);
        ask(placed);
    }

    void remove(String name) {
        world.cluster().get(ObjectKey.pod(Given.NAMESPACE, name)).ifPresent(found -> {
            Placed placed = pods.get(found.metadata().uid());
            world.tell("pod " + found.metadata().uid() + " is removed");
            if (placed != null) {
                stop(placed);
            }
            Pod.Spec spec = ((Pod) found).spec();
            spec.volumes()
                    .forEach(volume -> left.computeIfAbsent(volume.name(), unused -> new LinkedHashSet<>())
                            .add(spec.nodeName()));
            world.cluster().remove(found.key());
        });
    }

    /**
     * Whether a node may not know that a pod with the claim is gone, so that it may still set up the volume. In a real cluster the node
     * itself lets the pod's object go.
     */
    boolean mayBeSetUp(String claim) {
        Set<String> nodes = left.getOrDefault(claim, new LinkedHashSet<>());
        nodes.removeIf(name -> {
            NodeProcess node = world.node(name);
            return !node.alive() || node.hasHeard(Kind.POD);
        });
        return !nodes.isEmpty();
    }

    /** The pod's containers end; its object stays. */
    void finish(String name) {
        world.cluster().get(ObjectKey.pod(Given.NAMESPACE, name)).ifPresent(found -> {
            Placed placed = pods.get(found.metadata().uid());
            if (placed == null || !placed.wanted) {
                return;
            }
            world.tell("pod " + found.metadata().uid() + " ends");
            stop(placed);
            world.cluster().apply(Given.ended((Pod) found));
        });
    }

    void removeAll() {
        List<String> names = new ArrayList<>();
        pods.values().forEach(placed -> names.add(placed.pod.metadata().name()));
        names.forEach(this::remove);
    }

    /** A reboot ends all containers of the node. */
    void rebooted(String node) {
        for (Placed placed : pods.values()) {
            if (node(placed).equals(node) && placed.running) {
                running(placed, false);
            }
        }
    }

    /** Pods that need volumes. */
    List<Pod> wanted() {
        List<Pod> wanted = new ArrayList<>();
        for (Placed placed : pods.values()) {
            if (placed.wanted) {
                wanted.add(placed.pod);
            }
        }
        return wanted;
    }

    /** Whether containers of the pod run. */
    boolean runs(Pod pod) {
        Placed placed = pods.get(pod.metadata().uid());
        return placed != null && placed.running;
    }

    /** Writes the explanations of pods and nodes to the trace. */
    void explain() {
        explanations().forEach(explanation -> world.tell(explanation.text()));
    }

    /** What nodes say of their pods, and the leader of its nodes. */
    List<Explanation> explanations() {
        List<Explanation> all = new ArrayList<>();
        for (Pod pod : wanted()) {
            NodeProcess node = world.node(pod.spec().nodeName());
            if (node.ready()) {
                all.add(world.get(node.explainPod(pod.metadata().uid())));
            }
        }
        for (ControlProcess controller : world.controllers()) {
            if (controller.attaches() && controller.name().equals(world.leads())) {
                for (NodeProcess node : world.nodes()) {
                    all.add(world.get(controller.explainNode(node.name())));
                }
            }
        }
        return all;
    }

    /** Requests explanations of pods and checks the answers for secrets. */
    void listen() {
        for (Pod pod : wanted()) {
            NodeProcess node = world.node(pod.spec().nodeName());
            if (node.ready()) {
                var unused = node.explainPod(pod.metadata().uid()).whenComplete((found, failure) -> {
                    if (found != null) {
                        world.oracle()
                                .said("explanation of pod " + pod.metadata().uid(), found.text());
                    }
                });
            }
        }
    }

    private void stop(Placed placed) {
        placed.wanted = false;
        if (placed.running) {
            world.later(Duration.ofMillis(random.nextInt(SLOWEST_STOP_MILLIS)), () -> running(placed, false));
        }
    }

    private void started(SimProcess process) {
        for (Placed placed : pods.values()) {
            placed.asked = placed.asked && !node(placed).equals(process.name());
            if (node(placed).equals(process.name())) {
                ask(placed);
            }
        }
    }

    private void ask(Placed placed) {
        NodeProcess node = world.node(node(placed));
        if (!node.alive() || placed.running || placed.asked || !placed.wanted) {
            return;
        }
        placed.asked = true;
        int incarnation = node.incarnation();
        String uid = placed.pod.metadata().uid();
        var unused = node.whenMounted(uid).whenComplete((mounted, failure) -> {
            if (node.incarnation() != incarnation || !node.alive()) {
                return;
            }
            placed.asked = false;
            if (failure != null) {
                world.oracle().said("failure of pod " + uid, failure.toString());
                world.later(AGAIN, () -> ask(placed));
            } else if (placed.wanted && !placed.running) {
                world.oracle()
                        .toldMounted(
                                node.name(),
                                uid,
                                mounted.volumes().values().stream()
                                        .map(volume -> volume.id())
                                        .map(VolumeId::name)
                                        .toList());
                running(placed, true);
            }
        });
    }

    private void running(Placed placed, boolean value) {
        placed.running = value;
        String uid = placed.pod.metadata().uid();
        NodeProcess node = world.node(node(placed));
        world.tell("containers of " + uid + (value ? " run" : " have stopped"));
        node.runtime().ifPresent(runtime -> {
            world.oracle().containers(node.name(), uid, value);
            if (value) {
                runtime.started(uid);
            } else {
                runtime.stopped(uid);
            }
        });
    }

    private static String node(Placed placed) {
        return placed.pod.spec().nodeName();
    }
}
