package io.volume4j.inmemory.scenario;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.FlowYaml;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.OutsideProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs scenarios on the simulator, in virtual time. Equal files give equal runs. An instance has the state of one
 * run.
 *
 * @since 0.1.0
 */
public final class ScenarioRunner {
    /** How long a visit and what comes of it may take in virtual time. */
    private static final Duration VISIT = Duration.ofMinutes(1);

    private final Scenario scenario;
    private final Simulation world;
    private final Checks checks;
    private final List<String> failures = new ArrayList<>();
    private final Map<ObjectKey, ApiObject> asGiven = new TreeMap<>();

    private final Set<ObjectKey> described = new TreeSet<>();

    /** The latest state of each pod that the file describes, for expectations about pods that are gone. */
    private final Map<ObjectKey, Pod> pods = new TreeMap<>();

    private final Hooks hooks = new Hooks(this::play);

    /** What to report if they never happen. */
    private final IdentityHashMap<Object, String> faults = new IdentityHashMap<>();

    private @Nullable ScenarioScheduler scheduler;

    private ScenarioRunner(Scenario scenario, SimulationBuilder builder) {
        this.scenario = scenario;
        if (scenario.syncsOnce()) {
            builder.decidesAtVisits();
        }
        this.world = builder.beforeCalls(hooks::reached).build();
        this.checks = new Checks(world, asGiven, pods);
    }

    /**
     * Runs a scenario.
     * @throws ScenarioException if a step names something that does not exist
     */
    public static ScenarioResult run(Scenario scenario) {
        return run(scenario, builder -> builder);
    }

    /**
     * The same in a world with changed settings.
     * @throws ScenarioException if a step names something that does not exist
     */
    public static ScenarioResult run(Scenario scenario, UnaryOperator<SimulationBuilder> change) {
        boolean central = scenario.attachesCentrally();
        SimulationBuilder builder = Simulation.builder(scenario.seed())
                .nodes(scenario.components().contains(Scenario.NODE) ? scenario.nodes() : List.of())
                .controllers(scenario.hasControllers() ? 2 : 0)
                .features(scenario.features().toArray(String[]::new))
                .attachMode(central ? AttachMode.CONTROLLER : AttachMode.SELF)
                .verifyEvery(scenario.verifyEvery())
                .steppedCalls()
                .migration(scenario.migration())
                .storage(storage -> limits(scenario, storage))
                .plugins((world, process) -> plugins(scenario, world, process));
        for (Value process : scenario.outside()) {
            builder.outside(
                    Scenario.role(process), process.onlyField().getValue().text());
        }
        if (scenario.kubernetesNames()) {
            builder.kubernetesNames();
        }
        if (scenario.usesRuntime() || scenario.usesUserNamespaces()) {
            builder.podRuntimes();
        }
        if (scenario.usesUserNamespaces()) {
            builder.machines();
        }
        if (!scenario.components().contains(Scenario.BINDING)) {
            builder.withoutBinding();
        }
        ScenarioRunner runner = new ScenarioRunner(scenario, change.apply(builder));
        try {
            return runner.run();
        } finally {
            runner.close();
        }
    }

    private void close() {
        if (scheduler != null) {
            scheduler.close();
        }
        world.close();
    }

    private static InMemoryStorage.Builder limits(Scenario scenario, InMemoryStorage.Builder storage) {
        for (Value plugin : scenario.plugins()) {
            Value most = plugin.get("maxVolumes");
            if (most != null) {
                storage.maxVolumesPerNode(most.number());
            }
            Value bytes = plugin.get("bytes");
            if (bytes != null) {
                storage.capacityBytes(bytes.number());
            }
            Value largest = plugin.get("largestVolume");
            if (largest != null) {
                storage.maxVolumeBytes(largest.number());
            }
        }
        return scenario.attachesCentrally() ? storage : storage.refusesSecondNode();
    }

    /** What works for a driver outside has its plugin, and controllers do not. */
    private static List<VolumePlugin> plugins(Scenario scenario, Simulation world, SimProcess process) {
        List<VolumePlugin> all = plugins(scenario, world);
        if (process instanceof OutsideProcess outside) {
            return all.stream()
                    .filter(plugin -> plugin.name().equals(outside.driver()))
                    .toList();
        }
        return process instanceof ControlProcess
                ? all.stream()
                        .filter(plugin -> world.outside().stream()
                                .noneMatch(outside -> plugin.name().equals(outside.driver())))
                        .toList()
                : all;
    }

    private static List<VolumePlugin> plugins(Scenario scenario, Simulation world) {
        if (scenario.plugins().isEmpty()) {
            return List.of(InMemoryPlugin.builder(world.storage()).fallback().build());
        }
        List<VolumePlugin> plugins = new ArrayList<>();
        for (Value wanted : scenario.plugins()) {
            plugins.add(WantedPlugin.of(wanted, world.storage()));
        }
        return plugins;
    }

    private ScenarioResult run() {
        for (ApiObject object : scenario.given()) {
            ApiObject stored = apply(object);
            asGiven.put(stored.key(), stored);
        }
        for (Value plugin : scenario.plugins()) {
            Value looks = plugin.get("snapshotLooks");
            if (looks != null) {
                world.storage().snapshotsUnfinished(looks.count());
            }
        }
        scenario.unregistered().forEach(this::register);
        world.start();
        for (Step step : scenario.steps()) {
            world.tell("step " + step.kind().word() + ": "
                    + FlowYaml.of(step.value().tree()));
            play(step);
        }
        failures.addAll(hooks.missed());
        world.storage().faults().unused().forEach(this::unused);
        world.cluster().unusedFaults().forEach(this::unused);
        scenario.expectations().forEach(this::check);
        world.violations().forEach(violation -> failures.add("an invariant was broken: " + violation));
        return new ScenarioResult(
                scenario.source(), scenario.name(), scenario.seed(), failures, world.trace(), world.hash());
    }

    private ApiObject apply(ApiObject object) {
        ApiObject stored = world.cluster().apply(object);
        described.add(stored.key());
        if (stored instanceof Pod pod) {
            pods.put(pod.key(), pod);
        }
        return stored;
    }

    /** A scenario would pass in any case if what it is about did not happen. */
    private void unused(Object fault) {
        String report = faults.get(fault);
        if (report != null) {
            failures.add(report);
        }
    }

    /** As an orchestrator does before it gives a node pods. */
    private void register(String node) {
        world.cluster()
                .apply(new Node(
                        ObjectMeta.named("", node).withUid("uid-" + node),
                        new Node.Spec(List.of()),
                        new Node.Status(true, List.of(), List.of(), Map.of()),
                        Unmodeled.none()));
    }

    private void check(Value expectation) {
        List<String> problems = checks.check(Expectation.of(expectation));
        if (!problems.isEmpty()) {
            failures.add(
                    expectation.place() + ": " + FlowYaml.of(expectation.tree()) + "\n" + String.join("\n", problems));
        }
    }

    private void play(Step step) {
        Value value = step.value();
        switch (step.kind()) {
            case SETTLE -> {
                if (!world.settle(value.duration()) && !checks.quiet()) {
                    failures.add(value.place() + ": not settled after " + value.text());
                }
            }
            case ADVANCE -> world.advance(value.duration());
            case APPLY -> apply(Scenario.object(value));
            case DELETE -> delete(value);
            case PATCH -> patch(value);
            case FAIL -> {
                Fault fault = Faults.ofCall(value);
                faults.put(fault, value.place() + ": no call had this fault");
                world.storage().faults().add(fault);
            }
            case HEAL -> heal(value.get("plugin"));
            case BEFORE -> hooks.add(value);
            case VISIT -> visit(value);
            case REJECT_WRITES -> {
                ClusterFault fault = Faults.ofRequest(value);
                faults.put(fault, value.place() + ": no request had this fault");
                world.cluster().fail(fault);
            }
            case CRASH -> process(value).crash();
            case RESTART -> {
                if (process(value).alive()) {
                    process(value).crash();
                }
                process(value).start();
            }
            case REBOOT -> reboot(value);
            case PARTITION -> process(value).partition();
            case JOIN -> process(value).join();
            case FENCE -> fence(value);
            case SOURCES_INCOMPLETE -> world.incomplete(Names.plural(value), true);
            case SOURCES_COMPLETE -> world.incomplete(Names.plural(value), false);
            case CONTAINERS_RUNNING -> containers(value, true);
            case CONTAINERS_STOPPED -> containers(value, false);
            case WATCHES_LATE -> world.watchesLate(Names.plural(value), true);
            case WATCHES_IN_TIME -> world.watchesLate(Names.plural(value), false);
            case REGISTER -> registerAnew(value);
            case LOSE ->
                world.storage()
                        .detachBehindOurBack(
                                value.require("volume").text(),
                                value.require("node").text());
            case LEADER_CHANGE -> world.leaderChange();
            case SCHEDULE -> schedule(value);
            case EXPECT -> check(value);
        }
    }

    /** An object that went by itself may be deleted, one that never was is a misspelt name. */
    private void delete(Value value) {
        ObjectKey key = Names.object(value);
        if (world.cluster().get(key).isEmpty() && !described.contains(key)) {
            throw value.error("there is no object " + key + " to delete");
        }
        world.cluster().remove(key);
    }

    private void heal(@Nullable Value plugin) {
        if (plugin == null) {
            world.heal();
        } else {
            world.heal(plugin.text());
        }
    }

    /** Controllers are given the time to start before, and to carry out what they decided after. */
    private void visit(Value value) {
        ObjectKey key = Names.object(value);
        if (!world.visit(key, VISIT)) {
            throw value.error(
                    "no controller looks at " + key + ": it is not there, or of a kind that no component cares for");
        }
    }

    /** As a driver that comes back as another version. Each process has a plugin of its own. */
    private void registerAnew(Value value) {
        Stream.concat(
                        world.nodes().stream().map(NodeProcess::plugins),
                        world.controllers().stream().map(ControlProcess::plugins))
                .flatMap(Optional::stream)
                .forEach(registry -> registry.replace(WantedPlugin.of(value, world.storage())));
    }

    private void fence(Value value) {
        Fence fence = Evidence.of(value.get("by")).about(value.require("node").text());
        world.fence(fence);
        if (fence.kind() == Fence.Kind.OPERATOR_ASSERTION) {
            ObjectKey key = new ObjectKey(Kind.NODE, "", fence.nodeName());
            if (!(world.cluster().get(key).orElse(null) instanceof Node node)) {
                throw value.error("there is no object of node " + fence.nodeName() + " that could be tainted");
            }
            List<Node.Taint> taints = new ArrayList<>(node.spec().taints());
            taints.add(new Node.Taint(WellKnown.OUT_OF_SERVICE, "", "NoExecute"));
            world.cluster().apply(new Node(node.metadata(), new Node.Spec(taints), node.status(), node.unmodeled()));
        }
    }

    private void schedule(Value value) {
        ObjectKey key = Names.pod(value.require("pod"));
        if (!(world.cluster().get(key).orElse(null) instanceof Pod pod)) {
            throw value.error("there is no pod " + key);
        }
        ScenarioScheduler known = scheduler;
        if (known == null) {
            known = new ScenarioScheduler(world.cluster(), () -> world.elapsed().toNanos(), scenario.migration());
            scheduler = known;
        }
        Value nowhere = value.get("nowhere");
        if (nowhere != null) {
            String said = known.fit(pod).text();
            if (!known.fit(pod).fitting().isEmpty() || !said.contains(nowhere.text())) {
                failures.add(value.place() + ": expected no node because of \"" + nowhere.text() + "\", but: " + said);
            }
            return;
        }
        String onto = known.place(pod);
        Value wanted = value.get("onto");
        if (onto.isEmpty() || (wanted != null && !wanted.text().equals(onto))) {
            failures.add(value.place() + ": scheduled onto \"" + onto + "\": "
                    + known.fit(pod).refusals());
        }
    }

    private void reboot(Value value) {
        NodeProcess node = (NodeProcess) process(value);
        node.reboot(false);
        node.start();
    }

    private void containers(Value value, boolean running) {
        Pod found = checks.pod(value);
        String uid = found.metadata().uid();
        if (found.spec().nodeName().isEmpty()) {
            throw value.error("pod " + value.text() + " has no node, so that its containers run nowhere");
        }
        NodeProcess node = world.node(found.spec().nodeName());
        world.oracle().containers(node.name(), uid, running);
        node.runtime().ifPresent(runtime -> {
            if (running) {
                runtime.started(uid);
            } else {
                runtime.stopped(uid);
            }
        });
    }

    private void patch(Value value) {
        ObjectKey key = Names.object(value.require("object"));
        ApiObject object = world.cluster().get(key).orElseThrow(() -> value.error("there is no object " + key));
        Map<String, @Nullable Object> tree = new LinkedHashMap<>(Manifests.toTree(object));
        value.require("set")
                .fields()
                .forEach((path, wanted) -> Names.set(tree, Names.path(path, wanted), wanted.tree()));
        try {
            apply(Manifests.fromWrittenTree(tree));
        } catch (ManifestException invalid) {
            throw value.require("set").error(String.valueOf(invalid.getMessage()));
        }
    }

    private SimProcess process(Value value) {
        String name = value.text();
        if (name.startsWith("node/")) {
            try {
                return world.node(name.substring("node/".length()));
            } catch (IllegalArgumentException unknown) {
                throw value.error(String.valueOf(unknown.getMessage()));
            }
        }
        for (OutsideProcess process : world.outside()) {
            if (process.name().equals(name)) {
                return process;
            }
        }
        int number = switch (name) {
            case "controller", "controller/1" -> 0;
            case "controller/2" -> 1;
            default -> throw value.error("expected node/NAME or controller, not \"" + name + "\"");
        };
        if (world.controllers().size() <= number) {
            throw value.error("this scenario has no controller: add binding to its components");
        }
        return world.controllers().get(number);
    }
}
