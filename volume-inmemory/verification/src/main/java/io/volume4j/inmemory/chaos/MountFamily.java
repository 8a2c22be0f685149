package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Nodes and controllers of a {@link Setting}, whose pods mount volumes of claims. */
final class MountFamily implements Family {
    private static final int PODS = 4;
    private static final List<Kind> LISTED =
            List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.NODE, Kind.VOLUME_ATTACHMENT);

    /** The value must never appear in any output. */
    static final String SECRET_VALUE = "canary-8d1f5e";

    /** Limit for a journal after its snapshot, once there was time to write one. */
    private static final long JOURNAL_BYTES = 8_000;

    /** The time in which the node repeats a failed snapshot. */
    private static final Duration JOURNAL_TIME = Duration.ofSeconds(10);

    /** The time in which a restarted node removes what an earlier run left unused. */
    private static final Duration TIDYING_TIME = Duration.ofMinutes(1);

    private final Setting setting;
    private final Traits traits;
    private final Simulation world;
    private final PodHost pods;
    private final Disks disks;
    private final Claims claims;
    private final Outages outages;
    private final Expectations expected;
    private boolean died;

    MountFamily(Setting setting, Traits traits, Simulation world) {
        this.setting = setting;
        this.traits = traits;
        this.world = world;
        pods = new PodHost(world);
        disks = new Disks(traits, world);
        claims = new Claims(setting, traits, world, disks);
        outages = new Outages(setting, world, pods);
        expected = new Expectations(world, pods::wanted, pods::runs);
        for (NodeProcess node : world.nodes()) {
            world.cluster().apply(Given.node(node.name()));
        }
        if (traits.secrets()) {
            world.secrets().put(Claims.SECRET, Map.of("password", SECRET_VALUE));
            world.oracle().secret(SECRET_VALUE);
        }
        claims.begin();
        world.start();
    }

    @Override
    public Map<Act.Kind, Consumer<Act>> acts() {
        Map<Act.Kind, Consumer<Act>> acts = new EnumMap<>(Act.Kind.class);
        acts.put(Act.Kind.ADD_POD, this::addPod);
        acts.put(Act.Kind.REMOVE_POD, act -> pods.remove("p" + act.a() % PODS));
        acts.put(Act.Kind.FINISH_POD, act -> pods.finish("p" + act.a() % PODS));
        acts.put(Act.Kind.REBOOT, act -> node(act, rebooted -> outages.reboot(rebooted, act.b() % 2 == 0)));
        acts.put(Act.Kind.POWER_OFF, act -> node(act, off -> outages.powerOff(off, act.b() % 2 == 1)));
        acts.put(Act.Kind.POWER_ON, act -> world.nodes().forEach(outages::powerOn));
        acts.put(Act.Kind.PARTITION, act -> outages.partition(outages.process(act.a())));
        acts.put(Act.Kind.JOIN, act -> outages.join(outages.process(act.a())));
        acts.put(Act.Kind.FENCE, act -> node(act, outages::fence));
        acts.put(Act.Kind.ADD_CLAIM, act -> claims.add(claims.name(act.a())));
        acts.put(Act.Kind.REMOVE_CLAIM, act -> claims.remove(claims.name(act.a()), pods));
        acts.put(
                Act.Kind.ADD_VOLUME,
                act -> claims.addVolume(
                        "free" + act.a() % 2, act.b() % 2 == 0 ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE));
        acts.put(Act.Kind.REMOVE_VOLUME, act -> claims.removeVolume("free" + act.a() % 2));
        acts.put(Act.Kind.GROW, act -> claims.grow(claims.name(act.a())));
        acts.put(
                Act.Kind.CONTENT,
                act -> outages.node(act.b()).ifPresent(node -> contentChanges(claims.name(act.a()), node)));
        acts.put(Act.Kind.PLUGIN_GOES, act -> node(act, node -> pluginGoes(node, act.b())));
        acts.put(Act.Kind.PLUGIN_COMES, act -> outages.pluginsCome());
        acts.put(
                Act.Kind.FOREIGN_DATA,
                act -> disks.foreignData(
                        claims.name(act.a()), List.of("lvm2", "", Disks.HIDDEN).get(act.b() % 3)));
        acts.put(Act.Kind.UNREADABLE, act -> disks.unreadable(claims.name(act.a()), act.b() % 2 == 0));
        acts.put(
                Act.Kind.FULL_DISK,
                act -> node(act, full -> Internals.journal(full).setFull(act.b() % 2 == 0)));
        acts.put(
                Act.Kind.BROKEN_DISK,
                act -> node(act, broken -> Internals.journal(broken).failSyncs(1 + act.b() % 3)));
        return acts;
    }

    private void node(Act act, Consumer<NodeProcess> action) {
        outages.node(act.a()).ifPresent(action);
    }

    @Override
    public List<? extends SimProcess> processes() {
        return outages.processes();
    }

    @Override
    public List<Kind> listed() {
        return LISTED;
    }

    @Override
    public void beforeAct() {
        if (traits.secrets()) {
            pods.listen();
        }
    }

    private void pluginGoes(NodeProcess node, int which) {
        String driver = traits.twoDrivers() && which % 2 == 1 ? Traits.OTHER_DRIVER : "mem";
        node.plugins().ifPresent(plugins -> plugins.remove(driver));
    }

    /** Requests a new setup of the content of the claim's volume on the node. */
    private void contentChanges(String claim, NodeProcess node) {
        String driver = traits.driver(claim);
        node.plugins()
                .flatMap(plugins -> plugins.byName(driver))
                .ifPresent(plugin -> ((InMemoryPlugin) plugin).contentChanged(VolumeId.shared(driver, "h-" + claim)));
    }

    /** Kills all processes after this number of tasks. */
    void dieBehind(long task) {
        if (task > 0 && !died && world.steps() >= task) {
            died = true;
            outages.crashAll();
        }
    }

    private void addPod(Act act) {
        List<String> used = claims.there(act.c());
        if (!used.isEmpty()) {
            outages.node(act.b())
                    .ifPresent(node -> pods.add("p" + act.a() % PODS, node.name(), used, act.c() % 16 == 7));
        }
    }

    @Override
    public void calm() {
        claims.names().forEach(claim -> disks.unreadable(claim, false));
        outages.end();
    }

    @Override
    public boolean met() {
        return expected.met();
    }

    @Override
    public List<String> unmet() {
        return expected.unmet();
    }

    @Override
    public void meanwhile() {
        disks.empty(claims.names());
    }

    @Override
    public void explain() {
        pods.explain();
    }

    /** Checks that the settled state stays and no more calls are made. */
    @Override
    public void stay() {
        // The storage may be as wanted before its node knows it: the node repeats calls with an uncertain outcome after
        // a crash.
        world.advance(Duration.ofMinutes(10));
        long calls = successes();
        List<String> before = world.oracle().holdings();
        world.advance(Duration.ofMinutes(20));
        boolean same = successes() == calls && world.oracle().holdings().equals(before);
        if (!world.broken() && !same) {
            world.oracle().violate(Rule.L1, "calm", "it did not stay as it was");
        }
        if (!world.broken()) {
            Overlooked.in(pods.explanations()).forEach(step -> world.oracle().violate(Rule.L1, "calm", step));
        }
    }

    private long successes() {
        return world.storage().calls().stream()
                .filter(call -> call.outcome().equals("ok") && !call.name().equals("observe"))
                .count();
    }

    @Override
    public void end(Workload<?> workload) {
        world.tell("everything is removed");
        pods.removeAll();
        workload.settle(Duration.ofMinutes(40));
        if (setting.binds()) {
            claims.names().forEach(claim -> claims.remove(claim, pods));
            workload.settle(Duration.ofMinutes(40));
        }
        if (world.broken()) {
            return;
        }
        world.oracle().holdings().forEach(text -> world.oracle().violate(Rule.L2, "the end", text));
        for (NodeProcess node : world.nodes()) {
            if (Internals.journal(node).bytesBehindSnapshot() > JOURNAL_BYTES) {
                world.advance(JOURNAL_TIME);
            }
            world.readJournal(node);
            world.oracle().journal(node.name(), Internals.journal(node).bytesBehindSnapshot(), JOURNAL_BYTES);
            if (!leaks(node).isEmpty()) {
                world.advance(TIDYING_TIME);
            }
            leaks(node).forEach(leak -> world.oracle().violate(Rule.L2, "the end", leak));
        }
    }

    /** What is left below the node's root, except directories for all volumes. */
    private static List<String> leaks(NodeProcess node) {
        return node.machine().stream()
                .flatMap(machine -> machine.leaks(NodeProcess.ROOT).stream())
                .filter(leak -> !leak.endsWith("/plugins") && !leak.matches(".*/plugins/[^/]+(/devices)?|.*/pods"))
                .toList();
    }
}
