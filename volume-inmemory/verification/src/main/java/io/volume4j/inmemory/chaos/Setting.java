package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The kinds of worlds, with their possible acts. */
enum Setting {
    /** A node that attaches volumes itself; mounts are records of the backend. */
    NODE(26, 1, false, 0),
    /** The same on a machine with a mount table and files. */
    MACHINE(8, 1, true, 0),
    /** Two nodes, and a backend that attaches a volume to one of them. */
    TWO_NODES(12, 2, false, 0),
    /** Controllers only. */
    BINDING(22, 0, false, 2),
    /** From claim to mount. */
    WHOLE(10, 1, false, 2),
    /** Two nodes whose volumes one of two controllers attaches. */
    HANDSHAKE(14, 2, false, 2),
    /** The same, from claim to mount. */
    CLUSTER(8, 2, false, 2);

    /** Most tasks in one stretch. */
    private static final int STRETCH = 60;

    private static final List<Kind> NODE_KINDS = ActMix.weighted(
            Kind.ADD_POD, 38,
            Kind.REMOVE_POD, 24,
            Kind.FINISH_POD, 3,
            Kind.CRASH, 8,
            Kind.REBOOT, 5,
            Kind.PARTITION, 3,
            Kind.JOIN, 3,
            Kind.BREAK_WATCHES, 3,
            Kind.STEP_CLOCK, 1,
            Kind.INCOMPLETE, 2,
            Kind.COMPLETE, 3,
            Kind.GROW, 5,
            Kind.CONTENT, 3,
            Kind.PLUGIN_GOES, 2,
            Kind.PLUGIN_COMES, 2,
            Kind.FULL_DISK, 2,
            Kind.BROKEN_DISK, 1);

    private static final List<Kind> MACHINE_KINDS = and(NODE_KINDS, Kind.FOREIGN_DATA, 3, Kind.UNREADABLE, 5);

    private static final List<Kind> HANDSHAKE_KINDS = ActMix.weighted(
            Kind.ADD_POD, 30,
            Kind.REMOVE_POD, 22,
            Kind.FINISH_POD, 3,
            Kind.CRASH, 9,
            Kind.REBOOT, 4,
            Kind.POWER_OFF, 5,
            Kind.POWER_ON, 3,
            Kind.FENCE, 6,
            Kind.PARTITION, 4,
            Kind.JOIN, 3,
            Kind.BREAK_WATCHES, 3,
            Kind.LEADER, 6,
            Kind.STEP_CLOCK, 1,
            Kind.INCOMPLETE, 6,
            Kind.COMPLETE, 3,
            Kind.PLUGIN_GOES, 1,
            Kind.PLUGIN_COMES, 1);

    private static final List<Kind> BINDING_KINDS = ActMix.weighted(
            Kind.ADD_CLAIM, 30,
            Kind.REMOVE_CLAIM, 20,
            Kind.ADD_VOLUME, 15,
            Kind.REMOVE_VOLUME, 5,
            Kind.CRASH, 8,
            Kind.LEADER, 6,
            Kind.PARTITION, 3,
            Kind.JOIN, 3,
            Kind.BREAK_WATCHES, 4,
            Kind.INCOMPLETE, 3,
            Kind.COMPLETE, 3);

    private final int weight;
    final int nodes;
    final boolean machines;
    final int controllers;

    Setting(int weight, int nodes, boolean machines, int controllers) {
        this.weight = weight;
        this.nodes = nodes;
        this.machines = machines;
        this.controllers = controllers;
    }

    /** The setting of a seed. */
    static Setting of(long seed) {
        int sum = 0;
        for (Setting setting : values()) {
            sum += setting.weight;
        }
        int left = new SplittableRandom(seed ^ 0x5E77_1265).nextInt(sum);
        for (Setting setting : values()) {
            left -= setting.weight;
            if (left < 0) {
                return setting;
            }
        }
        throw new IllegalStateException("weights changed meanwhile");
    }

    /** Whether a control plane attaches, and not each node itself. */
    boolean attachesCentrally() {
        return nodes > 0 && controllers > 0 && this != WHOLE;
    }

    /** Whether claims are created and deleted, and are not bound from the beginning. */
    boolean binds() {
        return controllers > 0 && this != HANDSHAKE;
    }

    List<String> nodeNames() {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= nodes; i++) {
            names.add("n" + i);
        }
        return names;
    }

    /** The acts of the seed's world. */
    List<Act> acts(long seed) {
        RandomGenerator random = new SplittableRandom(seed ^ 0xAC75);
        // Controllers that are not notified about leaders ask each second, which makes long pauses expensive.
        int longest = attachesCentrally() ? 16 : 18;
        return new ActMix(this::kind, 4, 0, longest, STRETCH).draw(random, 6 + random.nextInt(14));
    }

    private Kind kind(RandomGenerator random) {
        return switch (this) {
            case NODE, TWO_NODES -> ofNode(random);
            case MACHINE -> MACHINE_KINDS.get(random.nextInt(MACHINE_KINDS.size()));
            case BINDING -> ofBinding(random);
            case WHOLE -> random.nextBoolean() ? ofNode(random) : ofBinding(random);
            case HANDSHAKE -> ofHandshake(random);
            case CLUSTER -> random.nextInt(3) > 0 ? ofHandshake(random) : ofBinding(random);
        };
    }

    private static Kind ofNode(RandomGenerator random) {
        return NODE_KINDS.get(random.nextInt(NODE_KINDS.size()));
    }

    private static Kind ofHandshake(RandomGenerator random) {
        return HANDSHAKE_KINDS.get(random.nextInt(HANDSHAKE_KINDS.size()));
    }

    private static Kind ofBinding(RandomGenerator random) {
        return BINDING_KINDS.get(random.nextInt(BINDING_KINDS.size()));
    }

    private static List<Kind> and(List<Kind> kinds, Object... kindsAndCounts) {
        List<Kind> all = new ArrayList<>(kinds);
        all.addAll(ActMix.weighted(kindsAndCounts));
        return Collections.unmodifiableList(all);
    }
}
