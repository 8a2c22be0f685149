package io.volume4j.inmemory.chaos;

import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.Turbulence;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.mount.DeviceContent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A world of a setting, in which acts are played, then calm comes, and then everything is taken away. */
final class Drama implements AutoCloseable {
    static final int PODS = 4;
    static final int CLAIMS = 3;
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final Quantity BIGGER = Quantity.parse("2Gi");
    private static final List<Kind> LISTED =
            List.of(Kind.POD, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.NODE, Kind.VOLUME_ATTACHMENT);

    private static final SecretRef SECRET = new SecretRef(Given.NAMESPACE, "storage");
    /** What nobody may find anywhere. */
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
    private final List<String> claims = new ArrayList<>();
    /** Claims on whose disks something is that is not the library's. */
    private final Set<String> foreign = new LinkedHashSet<>();

    private int made;
    private boolean died;

    Drama(Setting setting, Traits traits, Simulation world) {
        this.setting = setting;
        this.traits = traits;
        this.world = world;
        pods = new PodHost(world);
        for (NodeProcess node : world.nodes()) {
            world.cluster().apply(Given.node(node.name()));
        }
        for (int i = 0; i < CLAIMS; i++) {
            claims.add("c" + i);
        }
        if (traits.secrets()) {
            world.secrets().put(SECRET, Map.of("password", SECRET_VALUE));
            world.oracle().secret(SECRET_VALUE);
        }
        if (!setting.binds()) {
            claims.forEach(this::giveBound);
        } else {
            world.cluster().apply(Given.storageClass("fast", "mem", VolumeBindingMode.IMMEDIATE));
            claims.forEach(this::claim);
        }
        world.start();
    }

    private void giveBound(String name) {
        AccessMode mode = name.equals("c1")
                ? AccessMode.READ_WRITE_ONCE_POD
                : name.equals("c2") ? AccessMode.READ_ONLY_MANY : AccessMode.READ_WRITE_ONCE;
        PersistentVolumeClaim claim = Given.boundClaim(name, "pv-" + name, SIZE, mode);
        String handle = "h-" + name;
        String driver = traits.driver(name);
        world.storage().add(handle, SIZE.bytes());
        world.oracle().driver(handle, driver);
        if (traits.disks()) {
            machines(machine -> machine.addDisk(disk(name), "serial-" + name, SIZE.bytes()));
        }
        world.cluster().apply(claim);
        world.cluster()
                .apply(
                        traits.secrets()
                                ? Given.boundVolume(claim, Given.withSecret(driver, handle, SECRET))
                                : Given.boundVolume(claim, driver, handle));
    }

    private void claim(String name) {
        ObjectKey key = ObjectKey.claim(Given.NAMESPACE, name);
        if (world.cluster().get(key).isPresent()) {
            return;
        }
        int number = ++made;
        String className = number % 3 == 0 ? "" : "fast";
        world.tell("claim " + name + " of class " + className);
        world.cluster()
                .apply(Given.claim(
                        name,
                        "uid-" + name + "-" + number,
                        className,
                        number % 2 == 0 ? SIZE : BIGGER,
                        AccessMode.READ_WRITE_ONCE));
    }

    Simulation world() {
        return world;
    }

    private static Path disk(String claim) {
        return Path.of("/dev/mem/h-" + claim);
    }

    private void machines(Consumer<InMemoryMountBackend> action) {
        world.nodes().forEach(node -> node.machine().ifPresent(action));
    }

    void play(Act act) {
        if (traits.secrets()) {
            pods.listen();
        }
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
            case CRASH -> process(act.a()).crash();
            case REBOOT -> reboot(act);
            case POWER_OFF -> powerOff(act);
            case POWER_ON -> world.nodes().forEach(this::powerOn);
            case PARTITION -> {
                SimProcess cutOff = process(act.a());
                cutOff.partition();
                ready(cutOff, false);
            }
            case JOIN -> {
                SimProcess back = process(act.a());
                back.join();
                ready(back, true);
            }
            case BREAK_WATCHES -> process(act.a()).breakWatches();
            case STEP_CLOCK -> process(act.a()).stepClock(Duration.ofSeconds(act.b() - 32_768L));
            case LEADER -> {
                if (world.controllers().size() > 1) {
                    world.leaderChange();
                }
            }
            case INCOMPLETE -> world.incomplete(LISTED.get(act.a() % LISTED.size()), true);
            case COMPLETE -> LISTED.forEach(kind -> world.incomplete(kind, false));
            case ADD_CLAIM -> claim(claims.get(act.a() % claims.size()));
            case REMOVE_CLAIM -> removeClaim(claims.get(act.a() % claims.size()));
            case ADD_VOLUME -> addVolume(act);
            case REMOVE_VOLUME -> removeVolume(ObjectKey.volume("free" + act.a() % 2));
            case GROW -> grow(claims.get(act.a() % claims.size()));
            case CONTENT -> {
                if (!world.nodes().isEmpty()) {
                    String claim = claims.get(act.a() % claims.size());
                    String driver = traits.driver(claim);
                    node(act.b())
                            .plugins()
                            .flatMap(plugins -> plugins.byName(driver))
                            .ifPresent(plugin ->
                                    ((InMemoryPlugin) plugin).contentChanged(VolumeId.shared(driver, "h-" + claim)));
                }
            }
            case FENCE -> {
                if (!world.nodes().isEmpty()) {
                    NodeProcess cutOff = node(act.a());
                    cutOff.partition();
                    world.fence(cutOff.name(), true);
                    ready(cutOff, false);
                }
            }
            case PLUGIN_GOES -> {
                if (!world.nodes().isEmpty()) {
                    String driver = traits.twoDrivers() && act.b() % 2 == 1 ? Traits.OTHER_DRIVER : "mem";
                    node(act.a()).plugins().ifPresent(plugins -> plugins.remove(driver));
                }
            }
            case PLUGIN_COMES -> pluginsCome();
            case FOREIGN_DATA -> foreignData(claims.get(act.a() % claims.size()), act);
            case UNREADABLE -> unreadable(claims.get(act.a() % claims.size()), act.b() % 2 == 0);
            case FULL_DISK -> disk(act).ifPresent(disk -> disk.setFull(act.b() % 2 == 0));
            case BROKEN_DISK -> disk(act).ifPresent(disk -> disk.failSyncs(1 + act.b() % 3));
        }
    }

    /** Somebody puts something on a disk that nobody has ever formatted. */
    private void foreignData(String claim, Act act) {
        if (traits.disks() && blank(claim)) {
            world.tell("somebody's data is on the disk of " + claim);
            machines(machine -> machine.putForeign(disk(claim), act.b() % 2 == 0 ? "lvm2" : ""));
            foreign.add(claim);
        }
    }

    /** Whether it is blank, and nobody is just about to format it. */
    private boolean blank(String claim) {
        if (world.oracle().holdings().stream().anyMatch(held -> held.contains(" h-" + claim + " "))) {
            return false;
        }
        boolean[] blank = {false};
        machines(machine -> blank[0] = machine.content(disk(claim)).kind() == DeviceContent.Kind.BLANK);
        return blank[0];
    }

    private void unreadable(String claim, boolean value) {
        if (traits.disks()) {
            world.tell("the disk of " + claim + (value ? " cannot be read" : " can be read"));
            machines(machine -> machine.setUnreadable(disk(claim), value));
        }
    }

    /** A person looks after disks that the library must not touch, and empties them. */
    private void emptyDisks() {
        for (String claim : traits.disks() ? claims : List.<String>of()) {
            if (foreign.remove(claim) || world.oracle().needsPerson(disk(claim).toString())) {
                world.tell("a person empties the disk of " + claim);
                machines(machine -> machine.putNothing(disk(claim)));
                world.oracle().diskReset(disk(claim).toString());
            }
        }
    }

    /** Kills every process once so many tasks have run. */
    void dieBehind(long task) {
        if (task > 0 && !died && world.steps() >= task) {
            died = true;
            world.nodes().forEach(SimProcess::crash);
            world.controllers().forEach(SimProcess::crash);
        }
    }

    private void addPod(Act act) {
        if (world.nodes().isEmpty()) {
            return;
        }
        List<String> used = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            boolean there = world.cluster()
                    .get(ObjectKey.claim(Given.NAMESPACE, claims.get(i)))
                    .isPresent();
            if ((act.c() >> i & 1) == 1 && there) {
                used.add(claims.get(i));
            }
        }
        if (!used.isEmpty()) {
            pods.add("p" + act.a() % PODS, node(act.b()).name(), used, act.c() % 16 == 7);
        }
    }

    /** As the protection of claims in use does it: not before no pod has the claim, and no node its volume. */
    private void removeClaim(String name) {
        String volume = world.cluster()
                .get(ObjectKey.claim(Given.NAMESPACE, name))
                .map(claim -> ((PersistentVolumeClaim) claim).spec().volumeName())
                .orElse("");
        String handle = volume.startsWith("free") ? "h-" + volume : volume;
        if (!volume.isEmpty()
                && world.oracle().holdings().stream().anyMatch(held -> held.contains(" " + handle + " "))) {
            return;
        }
        boolean inPod = pods.wanted().stream()
                .flatMap(pod -> pod.spec().volumes().stream())
                .anyMatch(each -> each.name().equals(name));
        if (!inPod) {
            world.tell("claim " + name + " is removed");
            world.cluster().remove(ObjectKey.claim(Given.NAMESPACE, name));
        }
    }

    private void addVolume(Act act) {
        String name = "free" + act.a() % 2;
        // A claim knows its volume by name only: nobody makes another one of that name under it.
        boolean named = claims.stream()
                .flatMap(claim -> world.cluster().get(ObjectKey.claim(Given.NAMESPACE, claim)).stream())
                .anyMatch(found ->
                        ((PersistentVolumeClaim) found).spec().volumeName().equals(name));
        if (!named && world.cluster().get(ObjectKey.volume(name)).isEmpty()) {
            world.storage().add("h-" + name, BIGGER.bytes());
            world.cluster()
                    .apply(Given.freeVolume(
                            name,
                            "uid-" + name + "-" + ++made,
                            BIGGER,
                            "",
                            act.b() % 2 == 0 ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE,
                            AccessMode.READ_WRITE_ONCE));
        }
    }

    /** Where there are pods, nobody takes a volume away that a claim has. */
    private void removeVolume(ObjectKey key) {
        boolean free = world.cluster()
                .get(key)
                .filter(found -> ((PersistentVolume) found).spec().claimRef() == null)
                .isPresent();
        if (free || world.nodes().isEmpty()) {
            world.cluster().remove(key);
        }
    }

    private void reboot(Act act) {
        if (!world.nodes().isEmpty()) {
            NodeProcess node = node(act.a());
            node.reboot(act.b() % 2 == 0);
            pods.rebooted(node.name());
        }
    }

    /** As whoever expands volumes leaves it: storage and volume are larger, the claim says that the node is to follow. */
    private void grow(String name) {
        if (setting.binds() || world.nodes().isEmpty()) {
            return;
        }
        ObjectKey key = ObjectKey.claim(Given.NAMESPACE, name);
        world.cluster().get(key).map(PersistentVolumeClaim.class::cast).ifPresent(claim -> {
            if (BIGGER.equals(claim.spec().request())) {
                return;
            }
            world.tell("claim " + name + " grows");
            world.storage().grow("h-" + name, BIGGER.bytes());
            PersistentVolumeClaim larger = Given.growing(claim, BIGGER);
            world.cluster().apply(larger);
            world.cluster()
                    .get(ObjectKey.volume("pv-" + name))
                    .ifPresent(volume -> world.cluster().apply(Given.withCapacity((PersistentVolume) volume, BIGGER)));
        });
    }

    private void powerOff(Act act) {
        if (world.nodes().isEmpty()) {
            return;
        }
        NodeProcess node = node(act.a());
        node.powerOff();
        pods.rebooted(node.name());
        ready(node, false);
        if (act.b() % 2 == 1) {
            change(
                    node.name(),
                    now -> Given.tainted(now, List.of(new Node.Taint(WellKnown.OUT_OF_SERVICE, "off", "NoExecute"))));
        }
    }

    private void powerOn(NodeProcess node) {
        if (!node.poweredOff()) {
            return;
        }
        node.powerOn();
        change(node.name(), now -> Given.tainted(now, List.of()));
        revive(node);
        ready(node, true);
    }

    /** What the cluster says of a node that it does or does not hear of; a controller is no node. */
    private void ready(SimProcess process, boolean value) {
        if (setting.attachesCentrally() && process instanceof NodeProcess node && !(value && node.poweredOff())) {
            change(node.name(), now -> Given.ready(now, value));
        }
    }

    private void change(String node, UnaryOperator<Node> change) {
        world.cluster()
                .get(ObjectKey.node(node))
                .ifPresent(now -> world.cluster().apply(change.apply((Node) now)));
    }

    private Optional<InMemoryJournalStore> disk(Act act) {
        return world.nodes().isEmpty()
                ? Optional.empty()
                : Optional.of(node(act.a()).journal());
    }

    private NodeProcess node(int number) {
        return world.nodes().get(number % world.nodes().size());
    }

    private SimProcess process(int number) {
        List<SimProcess> all = new ArrayList<>(world.nodes());
        all.addAll(world.controllers());
        return all.get(number % all.size());
    }

    private void pluginsCome() {
        for (NodeProcess node : world.nodes()) {
            node.plugins()
                    .ifPresent(plugins -> world.pluginsOf(node).stream()
                            .filter(plugin -> plugins.byName(plugin.name()).isEmpty())
                            .forEach(plugins::replace));
        }
    }

    /** Faults stop: everything is up, reachable and answers. */
    void calm() {
        world.tell("calm");
        world.turbulence(Turbulence.none());
        world.heal();
        LISTED.forEach(kind -> world.incomplete(kind, false));
        claims.forEach(claim -> unreadable(claim, false));
        for (NodeProcess node : world.nodes()) {
            node.journal().setFull(false);
            node.journal().failSyncs(0);
            node.journal().failSnapshots(0);
            powerOn(node);
            revive(node);
            ready(node, true);
        }
        world.controllers().forEach(controller -> {
            if (controller.incarnation() > 0) {
                revive(controller);
            }
        });
        pluginsCome();
    }

    private static void revive(SimProcess process) {
        process.join();
        if (!process.alive()) {
            process.start();
        }
    }

    /** Waits until everything is as it is wanted, and says what is not after that long. */
    void settle(Duration most) {
        Expectations expected = new Expectations(world, pods::wanted, pods::runs);
        Duration end = world.elapsed().plus(most);
        Duration round = Duration.ofSeconds(1);
        while (!world.broken() && !expected.met() && world.elapsed().compareTo(end) < 0) {
            emptyDisks();
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
            claims.forEach(this::removeClaim);
            settle(Duration.ofMinutes(40));
        }
        if (world.broken()) {
            return;
        }
        world.oracle().holdings().forEach(text -> world.oracle().violate(Rule.L2, "the end", text));
        for (NodeProcess node : world.nodes()) {
            if (node.journal().bytesBehindSnapshot() > JOURNAL_BYTES) {
                world.advance(JOURNAL_TIME);
            }
            world.readJournal(node);
            world.oracle().journal(node.name(), node.journal().bytesBehindSnapshot(), JOURNAL_BYTES);
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

    List<ControlProcess> controllers() {
        return world.controllers();
    }

    @Override
    public void close() {
        world.close();
    }
}
