package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.Turbulence;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A world of a setting, in which acts are played, then calm comes, and then everything is taken away. */
final class Drama implements AutoCloseable {
    private static final int PODS = 4;
    private static final List<Kind> LISTED =
            List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.NODE, Kind.VOLUME_ATTACHMENT);

    /** What may appear nowhere. */
    static final String SECRET_VALUE = "canary-8d1f5e";

    /** What a journal may hold behind its snapshot once it had the time to write one. */
    private static final long JOURNAL_BYTES = 8_000;

    /** In which it tries again to write one that could not be written. */
    private static final Duration JOURNAL_TIME = Duration.ofSeconds(10);

    /** In which a node that came back clears what an earlier run of it had not put to use. */
    private static final Duration TIDYING_TIME = Duration.ofMinutes(1);

    private final Setting setting;
    private final Traits traits;
    private final Simulation world;
    private final PodHost pods;
    private final Disks disks;
    private final Claims claims;
    private final Outages outages;
    private boolean died;

    Drama(Setting setting, Traits traits, Simulation world) {
        this.setting = setting;
        this.traits = traits;
        this.world = world;
        pods = new PodHost(world);
        disks = new Disks(traits, world);
        claims = new Claims(setting, traits, world, disks);
        outages = new Outages(setting, world, pods);
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

    Simulation world() {
        return world;
    }

    void play(Act act) {
        if (traits.secrets()) {
            pods.listen();
        }
        Optional<NodeProcess> node = outages.node(act.a());
        switch (act.kind()) {
            case RUN -> {
                for (int i = 0; i < act.a() && world.step(); i++) {
                    // Each task is one place at which the next act can come.
                }
            }
            case PASS -> world.advance(Duration.ofMillis(act.a()));
            case ADD_POD -> addPod(act);
            case REMOVE_POD -> pods.remove("p" + act.a() % PODS);
            case FINISH_POD -> pods.finish("p" + act.a() % PODS);
            case CRASH -> outages.process(act.a()).crash();
            case REBOOT -> node.ifPresent(rebooted -> outages.reboot(rebooted, act.b() % 2 == 0));
            case POWER_OFF -> node.ifPresent(off -> outages.powerOff(off, act.b() % 2 == 1));
            case POWER_ON -> world.nodes().forEach(outages::powerOn);
            case PARTITION -> outages.partition(outages.process(act.a()));
            case JOIN -> outages.join(outages.process(act.a()));
            case BREAK_WATCHES -> outages.process(act.a()).breakWatches();
            case STEP_CLOCK -> outages.process(act.a()).stepClock(Duration.ofSeconds(act.b() - 32_768L));
            case LEADER -> {
                if (world.controllers().size() > 1) {
                    world.leaderChange();
                }
            }
            case INCOMPLETE -> world.incomplete(LISTED.get(act.a() % LISTED.size()), true);
            case COMPLETE -> LISTED.forEach(kind -> world.incomplete(kind, false));
            case ADD_CLAIM -> claims.add(claims.name(act.a()));
            case REMOVE_CLAIM -> claims.remove(claims.name(act.a()), pods);
            case ADD_VOLUME ->
                claims.addVolume("free" + act.a() % 2, act.b() % 2 == 0 ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE);
            case REMOVE_VOLUME -> claims.removeVolume("free" + act.a() % 2);
            case GROW -> claims.grow(claims.name(act.a()));
            case CONTENT -> outages.node(act.b()).ifPresent(it -> contentChanges(claims.name(act.a()), it));
            case FENCE -> node.ifPresent(outages::fence);
            case PLUGIN_GOES -> {
                String driver = traits.twoDrivers() && act.b() % 2 == 1 ? Traits.OTHER_DRIVER : "mem";
                node.flatMap(NodeProcess::plugins).ifPresent(plugins -> plugins.remove(driver));
            }
            case PLUGIN_COMES -> outages.pluginsCome();
            case FOREIGN_DATA ->
                disks.foreignData(
                        claims.name(act.a()), List.of("lvm2", "", Disks.HIDDEN).get(act.b() % 3));
            case UNREADABLE -> disks.unreadable(claims.name(act.a()), act.b() % 2 == 0);
            case FULL_DISK -> node.ifPresent(full -> Internals.journal(full).setFull(act.b() % 2 == 0));
            case BROKEN_DISK ->
                node.ifPresent(broken -> Internals.journal(broken).failSyncs(1 + act.b() % 3));
        }
    }

    /** The content of the claim's volume is to be set up again on the node. */
    private void contentChanges(String claim, NodeProcess node) {
        String driver = traits.driver(claim);
        node.plugins()
                .flatMap(plugins -> plugins.byName(driver))
                .ifPresent(plugin -> ((InMemoryPlugin) plugin).contentChanged(VolumeId.shared(driver, "h-" + claim)));
    }

    /** Kills every process once so many tasks have run. */
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

    /** Faults stop: everything is up, reachable and answers. */
    void calm() {
        world.tell("calm");
        world.turbulence(Turbulence.none());
        world.heal();
        LISTED.forEach(kind -> world.incomplete(kind, false));
        claims.names().forEach(claim -> disks.unreadable(claim, false));
        outages.end();
    }

    /** Waits until everything is as it is wanted, and says what is not after that long. */
    void settle(Duration most) {
        Expectations expected = new Expectations(world, pods::wanted, pods::runs);
        Duration end = world.elapsed().plus(most);
        Duration round = Duration.ofSeconds(1);
        while (!world.broken() && !expected.met() && world.elapsed().compareTo(end) < 0) {
            disks.empty(claims.names());
            world.advance(round);
            round = round.plus(round);
        }
        if (world.broken()) {
            return;
        }
        List<String> unmet = expected.unmet();
        if (!unmet.isEmpty()) {
            // before the violation, which stops the world
            pods.explain();
        }
        unmet.forEach(text -> world.oracle().violate(Rule.L1, "calm", text));
    }

    /** What has settled stays as it is: nothing more is called. */
    void stay() {
        // Storage may hold what is wanted before its node knows: what is uncertain after a crash is called for once
        // more.
        world.advance(Duration.ofMinutes(10));
        long calls = successes();
        List<String> before = world.oracle().holdings();
        world.advance(Duration.ofMinutes(20));
        if (world.broken()) {
            return;
        }
        if (successes() != calls || !world.oracle().holdings().equals(before)) {
            world.oracle().violate(Rule.L1, "calm", "it did not stay as it was");
        }
    }

    private long successes() {
        return world.storage().calls().stream()
                .filter(call -> call.outcome().equals("ok") && !call.name().equals("observe"))
                .count();
    }

    /** Everything goes. */
    void end() {
        world.tell("everything is removed");
        pods.removeAll();
        settle(Duration.ofMinutes(40));
        if (setting.binds()) {
            claims.names().forEach(claim -> claims.remove(claim, pods));
            settle(Duration.ofMinutes(40));
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

    /** What is left below the node's root, besides directories that serve all volumes. */
    private static List<String> leaks(NodeProcess node) {
        return node.machine().stream()
                .flatMap(machine -> machine.leaks(NodeProcess.ROOT).stream())
                .filter(leak -> !leak.endsWith("/plugins") && !leak.matches(".*/plugins/[^/]+(/devices)?|.*/pods"))
                .toList();
    }

    @Override
    public void close() {
        world.close();
    }
}
