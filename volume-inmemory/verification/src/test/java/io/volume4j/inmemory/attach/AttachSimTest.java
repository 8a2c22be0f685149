package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.BackingVolume;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three nodes with volume managers, two controllers with one lease, and a backend, in virtual time: what happens is chosen by
 * a seed, the backend judges every call, and when the trouble is over everything that is wanted must be there and nothing
 * else.
 */
class AttachSimTest {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<String> VOLUMES = List.of("v", "w", "x", "y");
    private static final int SEEDS = 20;
    private static final int STEPS = 40;

    /** Longer than anything is put off. */
    private static final Duration CALM = Duration.ofMinutes(8);

    /** Longer than a lease is looked at, and than any step is put off that did not fail often. */
    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void whateverHappensNothingIsGrantedTwiceAndEverythingComesRight() {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Life(seed).live();
        }
    }

    /** Every step of a volume's way from one node to another, one after the other: the end is always the same. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aControllerThatDiesAtAnyStepLeavesNothingBehind(long seed) {
        int steps = 0;
        while (!moveAndDie(seed, steps, "controller")) {
            steps++;
        }
        assertThat(steps).as("crash points").isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"n1", "n2"})
    void aNodeAgentThatDiesAtAnyStepLeavesNothingBehind(String node) {
        int steps = 0;
        while (!moveAndDie(1, steps, node)) {
            steps++;
        }
        assertThat(steps).as("crash points").isGreaterThan(100);
    }

    /** Leaders change at any step; what the old one has under way comes late. */
    @ParameterizedTest
    @ValueSource(longs = {1})
    void aLeaderThatChangesAtAnyStepDetachesNothingTwice(long seed) {
        int steps = 0;
        while (!moveAndDie(seed, steps, "leader")) {
            steps++;
        }
        assertThat(steps).as("hand-over points").isGreaterThan(100);
    }

    /** A volume goes to a pod on n1 and then to one on n2; true if that was over before the crash was due. */
    private static boolean moveAndDie(long seed, int crashAfter, String who) {
        AttachHarness cluster = new AttachHarness(seed);
        Lease lease = new Lease(cluster.world);
        lease.give("a");
        cluster.node("n1").node("n2").volume("v", AccessMode.READ_WRITE_ONCE);
        cluster.controller("a", lease.of("a")).controller("b", lease.of("b"));
        Death death = new Death(cluster, lease, crashAfter, who);
        cluster.pod("p", "n1", "v");
        death.stepUntil("mount h-v n1 p");
        cluster.world.advance(SOON);
        String as = who + " after " + crashAfter;
        assertThat(cluster.on("n1").mounted("p").volumes()).as(as).hasSize(1);
        cluster.deletePod("p");
        cluster.pod("q", "n2", "v");
        death.stepUntil("mount h-v n2 q");
        cluster.world.advance(SOON);
        assertThat(cluster.on("n2").mounted("q").volumes()).as(as).hasSize(1);
        assertThat(cluster.attached("v")).as(as).containsExactly("n2");
        assertThat(cluster.records()).as(as).hasSize(1);
        assertThat(cluster.attachedTo("n1")).as(as).isEmpty();
        assertThat(cluster.storage.violations()).as(as).isEmpty();
        return !death.happened;
    }

    /** Happens after so many steps of the world, whatever they are: a task of a loop, a call, a timer. */
    private static final class Death {
        private final AttachHarness cluster;
        private final Lease lease;
        private final String who;
        private int left;
        private boolean happened;

        Death(AttachHarness cluster, Lease lease, int after, String who) {
            this.cluster = cluster;
            this.lease = lease;
            this.left = after;
            this.who = who;
        }

        /** Step by step until the call was made and nothing more is to be done at once, or a process died. */
        void stepUntil(String call) {
            Duration end = cluster.world.elapsed().plus(SOON);
            while (!happened) {
                if (left-- == 0) {
                    happened = true;
                    die();
                } else if (!cluster.world.step() && (cluster.calls().contains(call) || !cluster.world.stepUntil(end))) {
                    left++;
                    return;
                }
            }
        }

        private void die() {
            switch (who) {
                case "controller" -> {
                    cluster.killController("a");
                    cluster.controller("a", lease.of("a"));
                }
                case "leader" -> lease.give("b");
                default -> {
                    cluster.on(who).kill();
                    cluster.on(who).start();
                }
            }
        }
    }

    /** One seed's life. */
    private static final class Life {
        private final int seed;
        private final Random random;
        private final AttachHarness cluster;
        private final Lease lease;
        private final Map<String, String> pods = new LinkedHashMap<>();
        private final Map<String, List<String>> wants = new LinkedHashMap<>();
        private final Set<String> down = new LinkedHashSet<>();
        private final Set<String> proved = new LinkedHashSet<>();
        private final List<String> story = new ArrayList<>();
        private String leader = "a";
        private int made;

        Life(int seed) {
            this.seed = seed;
            random = new Random(seed);
            cluster = new AttachHarness(seed);
            lease = new Lease(cluster.world);
            cluster.fencing = (node, context) -> proved.contains(node)
                    ? Optional.of(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "powered off"))
                    : Optional.empty();
        }

        void live() {
            lease.give(leader);
            NODES.forEach(cluster::node);
            VOLUMES.forEach(volume -> cluster.volume(
                    volume, volume.equals("y") ? AccessMode.READ_WRITE_MANY : AccessMode.READ_WRITE_ONCE));
            cluster.controller("a", lease.of("a")).controller("b", lease.of("b"));
            for (int step = 0; step < STEPS; step++) {
                happen();
                for (int i = random.nextInt(30); i > 0 && cluster.world.step(); i--) {
                    judge();
                }
                if (random.nextInt(3) == 0) {
                    cluster.world.advance(Duration.ofMillis(random.nextInt(20_000)));
                    judge();
                }
            }
            calm();
        }

        private void happen() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> addPod();
                case 3, 4 -> removePod();
                case 5 -> {
                    String call = random.nextBoolean() ? "attach" : "detach";
                    FaultKind kind = random.nextBoolean() ? FaultKind.UNCERTAIN_AFTER : FaultKind.TRANSIENT;
                    story.add(call + " fails as " + kind);
                    cluster.plugin
                            .faults()
                            .add(Fault.on(call).times(1 + random.nextInt(3)).as(kind));
                }
                case 6 -> {
                    story.add("controller " + leader + " dies and starts again");
                    cluster.killController(leader);
                    cluster.controller(leader, lease.of(leader));
                }
                case 7 -> {
                    leader = leader.equals("a") ? "b" : "a";
                    story.add("controller " + leader + " leads");
                    lease.give(leader);
                }
                case 8 -> restartAgent();
                case 9 -> partition();
                case 10 -> powerOff();
                default -> comeBack();
            }
        }

        private void addPod() {
            String name = "p" + ++made;
            String node = NODES.get(random.nextInt(NODES.size()));
            List<String> volumes = new ArrayList<>(Set.of(VOLUMES.get(random.nextInt(VOLUMES.size()))));
            String more = VOLUMES.get(random.nextInt(VOLUMES.size()));
            if (!volumes.contains(more)) {
                volumes.add(more);
            }
            story.add("pod " + name + " on " + node + " with " + volumes);
            cluster.pod(name, node, volumes.toArray(String[]::new));
            pods.put(name, node);
            wants.put(name, volumes);
        }

        private void removePod() {
            if (!pods.isEmpty()) {
                String name = List.copyOf(pods.keySet()).get(random.nextInt(pods.size()));
                story.add("pod " + name + " is deleted");
                remove(name);
            }
        }

        private void remove(String name) {
            cluster.deletePod(name);
            pods.remove(name);
            wants.remove(name);
        }

        private String anyNode() {
            return NODES.get(random.nextInt(NODES.size()));
        }

        private void restartAgent() {
            String node = anyNode();
            if (!down.contains(node)) {
                story.add("the agent of " + node + " dies and starts again");
                cluster.on(node).kill();
                cluster.on(node).start();
            }
        }

        private void partition() {
            String node = anyNode();
            if (down.add(node)) {
                story.add(node + " is cut off from the cluster");
                cluster.on(node).link.cut();
                cluster.ready(node, false);
            }
        }

        /** The machine is powered off, and an authority can prove it. */
        private void powerOff() {
            String node = anyNode();
            if (down.add(node)) {
                story.add(node + " is powered off");
                cluster.on(node).powerCycle();
                cluster.ready(node, false);
                proved.add(node);
            }
        }

        private void comeBack() {
            for (String node : List.copyOf(down)) {
                story.add(node + " comes back");
                proved.remove(node);
                cluster.on(node).link.mend();
                if (!cluster.on(node).running()) {
                    cluster.on(node).start();
                }
                cluster.ready(node, true);
                down.remove(node);
            }
        }

        /** A volume for one node is never with two, whatever was forced. */
        private void judge() {
            assertThat(cluster.storage.violations())
                    .as(() -> "seed " + seed + ":\n" + String.join("\n", story) + "\n"
                            + String.join("\n", cluster.calls()))
                    .isEmpty();
        }

        /** The trouble ends; each volume for one node is left to one pod. */
        private void calm() {
            cluster.plugin.faults().heal();
            comeBack();
            Set<String> taken = new LinkedHashSet<>();
            for (String name : List.copyOf(pods.keySet())) {
                List<String> volumes = wants.getOrDefault(name, List.of());
                boolean free = volumes.stream().noneMatch(volume -> !volume.equals("y") && taken.contains(volume));
                if (free) {
                    taken.addAll(volumes);
                } else {
                    remove(name);
                }
            }
            cluster.world.advance(CALM);
            judge();
            String as = "seed " + seed + ":\n" + String.join("\n", story) + "\n"
                    + cluster.get(cluster.the(leader).agent.explainNode("n1")).text();
            pods.forEach(
                    (name, node) -> assertThat(cluster.on(node).mounted(name).volumes())
                            .as(as)
                            .hasSameSizeAs(wants.getOrDefault(name, List.of())));
            Set<String> wanted = new LinkedHashSet<>();
            pods.forEach((name, node) ->
                    wants.getOrDefault(name, List.of()).forEach(volume -> wanted.add(volume + " on " + node)));
            Set<String> found = new LinkedHashSet<>();
            for (BackingVolume volume : cluster.storage.volumes()) {
                volume.attachments()
                        .keySet()
                        .forEach(node -> found.add(volume.handle().substring(2) + " on " + node));
            }
            assertThat(found).as(as).isEqualTo(wanted);
            assertThat(cluster.records()).as(as).hasSize(wanted.size());
            for (String node : NODES) {
                assertThat(cluster.has(ObjectKey.node(node))).isTrue();
                assertThat(cluster.attachedTo(node)).as(as).hasSize((int) wanted.stream()
                        .filter(pair -> pair.endsWith(" " + node))
                        .count());
            }
        }
    }
}
