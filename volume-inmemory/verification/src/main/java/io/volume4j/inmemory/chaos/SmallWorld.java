package io.volume4j.inmemory.chaos;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.node.Belief;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.plugin.BackingVolume;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.OpenCalls.Fate;
import io.volume4j.inmemory.sim.OpenCalls.OpenCall;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeBindingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * A world that is small enough for an exploration: two nodes, two volumes and three pods, or two controllers and three
 * claims. At each time it offers the possible next choices; the same choices lead to the same state.
 */
final class SmallWorld implements AutoCloseable {
    /** Limit for faults on one path through the world, and for changes of each wanted object. */
    private static final int FAULTS = 2;

    private static final int CRASHES = 1;
    private static final int LEADERS = 1;
    private static final int WISHES = 2;

    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Set<String> NEVER_THE_SAME =
            Set.of("resourceVersion", "uid", "creationTimestamp", "deletionTimestamp", "time");

    private final Exploration.Reconciler reconciler;
    private final Simulation world;
    private final Expectations expected;
    private final Map<String, ApiObject> wishes = new LinkedHashMap<>();
    private final Map<String, Integer> changes = new LinkedHashMap<>();
    private final List<Pod> wanted = new ArrayList<>();
    private final Set<String> everOn = new LinkedHashSet<>();
    private int faults = FAULTS;
    private int crashes = CRASHES;
    private int leaders = LEADERS;

    /** A possible next choice. */
    private record Option(String text, Runnable happens) {}

    /**
     * A world in its first state, not started.
     *
     * @param settled whether everything wanted already exists
     */
    SmallWorld(Exploration.Reconciler reconciler, boolean settled, UnaryOperator<SimulationBuilder> change) {
        this.reconciler = reconciler;
        boolean nodes = reconciler != Exploration.Reconciler.BINDING;
        boolean central = reconciler == Exploration.Reconciler.ATTACH;
        SimulationBuilder builder = Simulation.builder(1)
                .nodes(nodes ? List.of("n1", "n2") : List.of())
                .controllers(reconciler == Exploration.Reconciler.NODE ? 0 : 2)
                .attachMode(central ? AttachMode.CONTROLLER : AttachMode.SELF)
                .storage(storage -> nodes && !central ? storage.refusesSecondNode() : storage)
                .stopsWhenBroken()
                .explored();
        if (central) {
            builder.withoutBinding();
        }
        world = change.apply(builder).build();
        expected = new Expectations(world, () -> wanted);
        world.nodes().forEach(node -> world.cluster().apply(Given.node(node.name())));
        if (nodes) {
            volume("c0", AccessMode.READ_WRITE_ONCE);
            volume("c1", AccessMode.READ_ONLY_MANY);
            wish(Given.pod("p0", "p0", "n1", List.of("c0", "c1"), false));
            wish(Given.pod("p1", "p1", "n2", List.of("c0"), false));
            wish(Given.pod("p2", "p2", "n2", List.of("c1"), true));
        } else {
            world.cluster().apply(Given.storageClass("fast", "mem", VolumeBindingMode.IMMEDIATE));
            world.storage().add("h-free", SIZE.bytes());
            world.cluster()
                    .apply(Given.freeVolume(
                            "free", "uid-free", SIZE, "", ReclaimPolicy.DELETE, AccessMode.READ_WRITE_ONCE));
            for (String name : List.of("c0", "c1", "c2")) {
                wish(Given.claim(
                        name, "uid-" + name, name.equals("c2") ? "fast" : "", SIZE, AccessMode.READ_WRITE_ONCE));
            }
        }
        world.start();
        world.runReady();
        wishes.keySet().forEach(this::add);
        if (settled) {
            goOn();
        }
        changes.clear();
        world.runReady();
    }

    private void volume(String name, AccessMode mode) {
        PersistentVolumeClaim claim = Given.boundClaim(name, "pv-" + name, SIZE, mode);
        world.storage().add("h-" + name, SIZE.bytes());
        world.cluster().apply(claim);
        world.cluster().apply(Given.boundVolume(claim, "mem", "h-" + name));
    }

    private void wish(ApiObject object) {
        wishes.put(object.metadata().name(), object);
    }

    private void add(String name) {
        ApiObject object = wishes.get(name);
        if (object != null) {
            changes.merge(name, 1, Integer::sum);
            // An object that is created again gets another UID.
            ApiObject fresh = everOn.add(name) ? object : again(object, name + "-" + changes.get(name));
            world.cluster().apply(fresh);
            if (fresh instanceof Pod pod) {
                wanted.add(pod);
            }
        }
    }

    private static ApiObject again(ApiObject object, String uid) {
        if (object instanceof Pod pod) {
            return new Pod(pod.metadata().withUid(uid), pod.spec(), pod.status(), pod.unmodeled());
        }
        PersistentVolumeClaim claim = (PersistentVolumeClaim) object;
        return new PersistentVolumeClaim(
                claim.metadata().withUid(uid), claim.spec(), claim.status(), claim.unmodeled());
    }

    private void remove(String name) {
        changes.merge(name, 1, Integer::sum);
        wanted.removeIf(pod -> pod.metadata().name().equals(name));
        world.cluster().remove(key(name));
    }

    private static ObjectKey key(String name) {
        return name.startsWith("p") ? ObjectKey.pod(Given.NAMESPACE, name) : ObjectKey.claim(Given.NAMESPACE, name);
    }

    Simulation world() {
        return world;
    }

    /** The possible next choices, one line each; the same in the same state. */
    List<String> options() {
        return available().stream().map(Option::text).toList();
    }

    /** Makes the choice of that number, and runs all that follows without another choice. */
    void choose(int number) {
        Option option = available().get(number);
        world.tell("-- " + option.text());
        option.happens().run();
        world.runReady();
    }

    private List<Option> available() {
        List<Option> options = new ArrayList<>();
        boolean waits = false;
        for (OpenCall call : world.openCalls().all()) {
            waits |= !call.orphan();
            if (call.ran()) {
                options.add(
                        new Option("answer to " + call, () -> world.openCalls().answer(call)));
                continue;
            }
            options.add(new Option(call + " is done", () -> world.openCalls().run(call, Fate.DONE)));
            if (faults > 0 && !call.orphan()) {
                options.add(new Option(call + " is refused", () -> fail(call, Fate.REFUSED)));
                options.add(new Option(call + " is done unheard", () -> fail(call, Fate.ANSWER_LOST)));
            }
        }
        for (SimProcess process : processes()) {
            if (!process.alive() && process.incarnation() > 0) {
                options.add(new Option(process.name() + " starts", process::start));
            } else if (crashes > 0 && process.alive()) {
                options.add(new Option(process.name() + " dies", () -> {
                    crashes--;
                    process.crash();
                }));
            }
        }
        if (leaders > 0 && world.controllers().size() > 1) {
            options.add(new Option("another controller leads", () -> {
                leaders--;
                world.leaderChange();
            }));
        }
        for (String name : wishes.keySet()) {
            if (changes.getOrDefault(name, 0) < WISHES) {
                boolean there = world.cluster().get(key(name)).isPresent();
                options.add(
                        there
                                ? new Option("remove " + name, () -> remove(name))
                                : new Option("add " + name, () -> add(name)));
            }
        }
        if (!waits) {
            options.add(new Option("time passes", this::pass));
        }
        return options;
    }

    private void fail(OpenCall call, Fate fate) {
        faults--;
        world.openCalls().run(call, fate);
    }

    private List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(world.nodes());
        all.addAll(world.controllers());
        return all;
    }

    /** Lets time pass until a call is sent, within a limit. */
    private void pass() {
        Duration end = world.elapsed().plus(LONG);
        while (waiting().isEmpty() && world.passToNext(end)) {
            // Runs everything that becomes due.
        }
    }

    private List<OpenCall> waiting() {
        return world.openCalls().all().stream().filter(call -> !call.orphan()).toList();
    }

    /** Continues without faults; returns what is not as wanted after a long time, empty if everything is. */
    List<String> goOn() {
        Duration end = world.elapsed().plus(LONG);
        while (!world.broken() && world.elapsed().compareTo(end) < 0) {
            processes().stream()
                    .filter(process -> !process.alive() && process.incarnation() > 0)
                    .forEach(SimProcess::start);
            List<OpenCall> calls = waiting();
            if (calls.isEmpty()) {
                world.runReady();
                if (waiting().isEmpty()) {
                    if (expected.met()) {
                        return List.of();
                    }
                    if (waiting().isEmpty() && !world.passToNext(end)) {
                        break;
                    }
                }
                continue;
            }
            OpenCall call = calls.get(0);
            if (call.ran()) {
                world.openCalls().answer(call);
            } else {
                world.openCalls().run(call, Fate.DONE);
            }
            world.runReady();
        }
        List<String> unmet = world.broken() ? List.of() : expected.unmet();
        if (!unmet.isEmpty()) {
            explain();
        }
        return unmet;
    }

    /** Writes the explanations of all wanted objects to the trace. */
    private void explain() {
        for (Pod pod : wanted) {
            NodeProcess node = world.node(pod.spec().nodeName());
            if (node.ready()) {
                world.tell(world.get(node.explainPod(pod.metadata().uid())).text());
            }
        }
        for (ControlProcess controller : world.controllers()) {
            if (controller.binds()) {
                wishes.keySet()
                        .forEach(name -> world.tell(
                                world.get(controller.explain(key(name))).text()));
            }
        }
    }

    /**
     * Everything that determines the further choices: the beliefs of agents, the running calls, the objects of the
     * cluster, the content of the storage, and the remaining faults. Without the time of day and unique names.
     */
    String state() {
        StringBuilder text = new StringBuilder(2_000);
        text.append(faults).append(crashes).append(leaders).append(changes).append('\n');
        for (SimProcess process : processes()) {
            text.append(process.name()).append(process.alive());
            if (process instanceof NodeProcess node) {
                for (Belief belief : Internals.beliefs(node)) {
                    text.append(belief);
                }
            }
            text.append('\n');
        }
        text.append(world.leads()).append('\n');
        TreeSet<String> calls = new TreeSet<>();
        for (OpenCall call : world.openCalls().all()) {
            String line = call.toString();
            while (!calls.add(line)) {
                line += "+";
            }
        }
        text.append(calls).append('\n');
        text.append(world.oracle().holdings()).append('\n');
        world.storage().volumes().stream().map(BackingVolume::handle).forEach(text::append);
        for (ApiObject object : world.cluster().snapshot().values()) {
            text.append('\n');
            canonical(Manifests.toTree(object), text);
        }
        return text.toString();
    }

    private static void canonical(Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> map) {
            text.append('{');
            map.forEach((key, inner) -> {
                text.append(key);
                if (inner != null && !NEVER_THE_SAME.contains(String.valueOf(key))) {
                    text.append('=');
                    canonical(inner, text);
                }
                text.append(',');
            });
            text.append('}');
        } else if (value instanceof List<?> list) {
            list.forEach(inner -> {
                if (inner != null) {
                    canonical(inner, text);
                    text.append(',');
                }
            });
        } else {
            text.append(value);
        }
    }

    Exploration.Reconciler reconciler() {
        return reconciler;
    }

    @Override
    public void close() {
        world.close();
    }
}
