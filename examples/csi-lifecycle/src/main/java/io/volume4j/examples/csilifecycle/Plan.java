package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.examples.commandline.Usage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps for a driver with these capabilities, and the reasons for omitted steps. A pure function, so {@code --plan}
 * shows what a run does.
 */
final class Plan {
    static final String MAIN = "volume";
    static final String RESTORED = "restored";
    static final String CLONE = "clone";
    static final String INLINE = "inline";
    static final String SNAPSHOT = "snapshot";
    static final String DELTA = "delta";
    /** A snapshot that must not be created. */
    static final String OTHER = "other";

    private static final String ROOM = "make room on the node";
    /** The parts that all others need. */
    static final Set<String> GROUND = Set.of("identity", "provision", "bring up", "use", ROOM, "and back");

    private final Abilities can;
    private final Arguments wanted;
    private final List<Part> parts = new ArrayList<>();
    private boolean mainIsDown;

    private Plan(Abilities can, Arguments wanted) {
        this.can = can;
        this.wanted = wanted;
    }

    /** One step for one object; a plan shows the note next to it. */
    record Step(Act act, String item, String note) {
        /** Each required field of each call is a separate case; other cases have the id of their act. */
        String id() {
            return act == Act.WITHOUT_FIELD ? item : act.id();
        }

        String rule() {
            return act == Act.WITHOUT_FIELD ? note : act.rule();
        }
    }

    /** Steps that belong together, or the reason why there are none. */
    record Part(
            String title,
            List<Step> steps,
            String leftOut,
            @Nullable Moment kill) {
        Part {
            steps = List.copyOf(steps);
        }

        /** The same with kills of the driver, without the steps that no later step needs. */
        Part killed(Moment when) {
            List<Step> calls =
                    steps.stream().filter(step -> !step.act().isQuestion()).toList();
            return new Part(when.id() + "/" + title, calls, leftOut, when);
        }

        String rule(Step step) {
            String rule = step.rule();
            return kill == null ? rule : kill.rule(rule);
        }

        String id() {
            return title.replace(' ', '-');
        }

        /** The step's id in reports. */
        String id(Step step) {
            return id() + "/" + step.id();
        }
    }

    /** @throws Usage if there is no step for such a driver */
    static List<Part> of(Abilities can, Arguments wanted) {
        Plan plan = new Plan(can, wanted);
        plan.make();
        List<String> words =
                wanted.focus().stream().filter(word -> !isMoment(word)).toList();
        return words.isEmpty() ? plan.parts : focused(plan.parts, words);
    }

    static boolean isMoment(String word) {
        return Arrays.stream(Moment.values()).anyMatch(moment -> moment.id().equals(word));
    }

    /** The requested parts, and those that they need. */
    private static List<Part> focused(List<Part> parts, List<String> words) {
        Set<String> wanted = new HashSet<>(GROUND);
        for (Part part : parts) {
            if (words.stream().anyMatch(word -> part.id().contains(word))) {
                wanted.add(part.title());
                if (part.title().equals("restore") || part.title().equals("snapshot metadata")) {
                    wanted.add("snapshot");
                }
            }
        }
        if (wanted.size() == GROUND.size()) {
            throw new Usage("--focus: no part of this run is called so; --list tells their names");
        }
        if (wanted.contains("snapshot")) {
            wanted.add("delete the snapshot");
        }
        return parts.stream().filter(part -> wanted.contains(part.title())).toList();
    }

    private void make() {
        boolean hasVolume = hasVolume();
        if (!hasVolume && !wanted.ephemeral()) {
            throw new Usage("this driver cannot create volumes (no CREATE_DELETE_VOLUME): name one that is there with"
                    + " --volume ID, or try an inline volume with --ephemeral");
        }
        identity();
        if (hasVolume) {
            provision();
            up();
            health();
            change();
            copies();
        }
        inline();
        if (wanted.refusals()) {
            part(
                    "required fields",
                    "",
                    RequiredFields.of(can, wanted).stream()
                            .map(rule -> new Step(Act.WITHOUT_FIELD, rule.id(), rule.text()))
                            .toList());
        }
        if (hasVolume) {
            down();
        }
    }

    private boolean hasVolume() {
        return can.controller(RPC.Type.CREATE_DELETE_VOLUME)
                || !wanted.volumeId().isEmpty();
    }

    private void identity() {
        List<Step> steps = new ArrayList<>(List.of(step(Act.PLUGIN_INFO, ""), step(Act.PROBE, "")));
        if (can.hasNodeInfo()) {
            steps.add(step(Act.NODE_INFO, ""));
        }
        part("identity", "", steps);
    }

    private void provision() {
        if (!wanted.volumeId().isEmpty()) {
            part(
                    "provision",
                    "volume " + wanted.volumeId() + " is there already",
                    can.controllerSide().has(PluginCapability.Service.Type.CONTROLLER_SERVICE)
                            ? List.of(step(Act.VALIDATE, MAIN))
                            : List.of());
            return;
        }
        List<Step> steps = new ArrayList<>();
        if (can.controller(RPC.Type.LIST_VOLUMES)) {
            steps.add(new Step(Act.LOOK_AROUND, MAIN, "what there is before"));
        }
        if (can.controller(RPC.Type.GET_CAPACITY)) {
            steps.add(step(Act.GET_CAPACITY, MAIN));
        }
        steps.add(new Step(Act.CREATE, MAIN, can.topology() && can.hasNode() ? "accessible from this node" : ""));
        steps.add(new Step(Act.CREATE_AGAIN, MAIN, "the same call"));
        if (wanted.refusals()) {
            steps.add(new Step(Act.CREATE_OTHER, MAIN, "the same name, a larger size"));
            if (can.controller(RPC.Type.CREATE_DELETE_SNAPSHOT)) {
                steps.add(new Step(Act.CREATE_FROM_NO_SNAPSHOT, MAIN, "a snapshot that there is not"));
            }
            if (can.controller(RPC.Type.CLONE_VOLUME)) {
                steps.add(unknown(Act.CREATE_FROM_NO_VOLUME, MAIN));
            }
        }
        steps.add(step(Act.VALIDATE, MAIN));
        if (wanted.refusals()) {
            steps.add(unknown(Act.VALIDATE_UNKNOWN, MAIN));
            steps.add(unknown(Act.DELETE_UNKNOWN, MAIN));
        }
        if (can.controller(RPC.Type.LIST_VOLUMES)) {
            if (wanted.refusals()) {
                steps.add(new Step(Act.LIST_ODD_TOKEN, MAIN, "a token that was never given"));
            }
            steps.add(step(Act.LIST, MAIN));
        }
        if (can.controller(RPC.Type.GET_VOLUME)) {
            steps.add(step(Act.GET, MAIN));
            if (wanted.refusals()) {
                steps.add(unknown(Act.GET_UNKNOWN, MAIN));
            }
        }
        part("provision", "", steps);
    }

    private void up() {
        if (!can.hasNode()) {
            part("bring up", "no node service answers here; name its socket with --node-endpoint", List.of());
            return;
        }
        part("bring up", "", wanted.refusals() ? refused(raise(MAIN, true)) : raise(MAIN, true));
        List<Step> use = new ArrayList<>();
        use.add(step(wanted.onlyReads() ? Act.LOOK : Act.WRITE, MAIN));
        if (can.node(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)) {
            use.add(step(Act.STATS, MAIN));
            if (wanted.refusals()) {
                use.add(unknown(Act.STATS_UNKNOWN, MAIN));
            }
        }
        use.add(step(Act.UNPUBLISH, MAIN));
        use.add(again(Act.UNPUBLISH_AGAIN, MAIN));
        use.add(step(Act.PUBLISH, MAIN));
        use.add(step(readAgain(), MAIN));
        part("use", "", use);
    }

    /**
     * A call that the driver must refuse comes before the first call of its kind, or after the call that it
     * contradicts.
     */
    private List<Step> refused(List<Step> steps) {
        List<Step> all = new ArrayList<>();
        if (can.attach()) {
            all.add(unknown(Act.ATTACH_UNKNOWN, MAIN));
            all.add(new Step(Act.ATTACH_NOWHERE, MAIN, "to a node that there is not"));
        }
        if (can.stage()) {
            all.add(unknown(Act.STAGE_UNKNOWN, MAIN));
        }
        all.addAll(steps);
        if (!wanted.onlyReads()) {
            all.add(new Step(Act.PUBLISH_OTHERWISE, MAIN, "the same target, with readonly"));
        }
        return all;
    }

    private static Step unknown(Act act, String item) {
        return new Step(act, item, "a volume that there is not");
    }

    /** While the volume is published, so that the node knows it too. */
    private void health() {
        List<Step> steps = new ArrayList<>();
        if (can.controllerHealth()) {
            steps.add(step(Act.HEALTH, MAIN));
            if (wanted.refusals()) {
                steps.add(unknown(Act.HEALTH_UNKNOWN, MAIN));
            }
        }
        if (can.controller(RPC.Type.LIST_VOLUME_HEALTH)) {
            steps.add(step(Act.LIST_HEALTH, MAIN));
        }
        if (can.node(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH)) {
            steps.add(step(Act.NODE_HEALTH, MAIN));
        }
        if (can.node(NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH)) {
            steps.add(step(Act.STORAGE_HEALTH, MAIN));
        }
        if (steps.isEmpty()) {
            leaveOut("health", "GET_VOLUME_HEALTH, LIST_VOLUME_HEALTH or GET_STORAGE_HEALTH");
        } else {
            part("health", "", steps);
        }
    }

    private Act readAgain() {
        return wanted.onlyReads() ? Act.LOOK : Act.READ;
    }

    /** Unpublishes the volume if the node can have only one, before the next volume. */
    private void makeRoom() {
        if (can.oneAtATime() && !mainIsDown) {
            mainIsDown = true;
            part(ROOM, "", lower(MAIN, true));
        }
    }

    private static Step again(Act act, String item) {
        return new Step(act, item, "the same call");
    }

    private static void add(List<Step> steps, Act act, Act again, String item, boolean twice) {
        steps.add(step(act, item));
        if (twice) {
            steps.add(again(again, item));
        }
    }

    /** @param twice whether each call is repeated, which must change nothing */
    private List<Step> raise(String item, boolean twice) {
        List<Step> steps = new ArrayList<>();
        if (can.attach()) {
            add(steps, Act.ATTACH, Act.ATTACH_AGAIN, item, twice);
        }
        if (can.stage()) {
            add(steps, Act.STAGE, Act.STAGE_AGAIN, item, twice);
        }
        add(steps, Act.PUBLISH, Act.PUBLISH_AGAIN, item, twice);
        return steps;
    }

    private List<Step> lower(String item, boolean twice) {
        List<Step> steps = new ArrayList<>();
        if (can.hasNode()) {
            steps.add(step(Act.UNPUBLISH, item));
            if (can.stage()) {
                add(steps, Act.UNSTAGE, Act.UNSTAGE_AGAIN, item, twice);
            }
            if (can.attach()) {
                add(steps, Act.DETACH, Act.DETACH_AGAIN, item, twice);
            }
        }
        return steps;
    }

    private void change() {
        if (!can.controller(RPC.Type.EXPAND_VOLUME)) {
            leaveOut("expand", "EXPAND_VOLUME");
        } else if (!wanted.volumeId().isEmpty()) {
            part("expand", "the volume is not ours", List.of());
        } else {
            String note = can.offlineExpansionOnly() && can.hasNode()
                    ? "taken down for it, and brought up again"
                    : "then NodeExpandVolume, if the driver asks for it";
            List<Step> steps = new ArrayList<>(List.of(new Step(Act.EXPAND, MAIN, note)));
            if (!can.offlineExpansionOnly()) {
                steps.add(new Step(Act.EXPAND_AGAIN, MAIN, "to the size that it has"));
            }
            if (wanted.refusals()) {
                steps.add(unknown(Act.EXPAND_UNKNOWN, MAIN));
            }
            part("expand", "", steps);
        }
        if (!can.controller(RPC.Type.MODIFY_VOLUME)) {
            leaveOut("modify", "MODIFY_VOLUME");
        } else if (wanted.setting("--mutable").isEmpty()) {
            part("modify", "nothing to modify was named with --mutable KEY=VALUE", List.of());
        } else {
            List<Step> steps = new ArrayList<>(List.of(step(Act.MODIFY, MAIN), again(Act.MODIFY_AGAIN, MAIN)));
            if (wanted.refusals()) {
                steps.add(unknown(Act.MODIFY_UNKNOWN, MAIN));
            }
            part("modify", "", steps);
        }
    }

    private void copies() {
        if (!can.controller(RPC.Type.CREATE_DELETE_SNAPSHOT)) {
            leaveOut("snapshot and restore", "CREATE_DELETE_SNAPSHOT");
        } else {
            List<Step> cut = new ArrayList<>();
            cut.add(new Step(Act.SNAPSHOT, SNAPSHOT, "repeated until it is ready"));
            if (can.controller(RPC.Type.LIST_SNAPSHOTS)) {
                cut.add(step(Act.LIST_SNAPSHOTS, SNAPSHOT));
                cut.add(new Step(Act.LIST_SNAPSHOTS_OF, SNAPSHOT, "of its volume"));
                if (wanted.refusals()) {
                    cut.add(unknownSnapshot(Act.LIST_SNAPSHOTS_UNKNOWN));
                    cut.add(new Step(Act.LIST_SNAPSHOTS_ODD_TOKEN, SNAPSHOT, "a token that was never given"));
                }
            }
            if (can.controller(RPC.Type.GET_SNAPSHOT)) {
                cut.add(step(Act.GET_SNAPSHOT, SNAPSHOT));
                if (wanted.refusals()) {
                    cut.add(unknownSnapshot(Act.GET_SNAPSHOT_UNKNOWN));
                }
            }
            if (wanted.refusals()) {
                cut.add(unknownSnapshot(Act.DELETE_SNAPSHOT_UNKNOWN));
            }
            part("snapshot", "", cut);
            metadata();
            if (can.controller(RPC.Type.CREATE_DELETE_VOLUME)) {
                makeRoom();
                part("restore", "", copy(Act.RESTORE, RESTORED));
            }
            part(
                    "delete the snapshot",
                    "",
                    List.of(step(Act.DELETE_SNAPSHOT, SNAPSHOT), again(Act.DELETE_SNAPSHOT_AGAIN, SNAPSHOT)));
        }
        if (!can.controller(RPC.Type.CLONE_VOLUME) || !can.controller(RPC.Type.CREATE_DELETE_VOLUME)) {
            leaveOut("clone", "CLONE_VOLUME");
        } else {
            makeRoom();
            part("clone", "", copy(Act.CLONE, CLONE));
        }
        if (!can.groups()) {
            leaveOut("group snapshot", "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
        } else {
            List<Step> steps = new ArrayList<>(
                    List.of(new Step(Act.GROUP, "group", "of one volume"), step(Act.GET_GROUP, "group")));
            if (wanted.refusals()) {
                steps.add(new Step(Act.GET_GROUP_UNKNOWN, "group", "a group that there is not"));
                steps.add(new Step(Act.DELETE_GROUP_UNKNOWN, "group", "a group that there is not"));
            }
            steps.add(step(Act.DELETE_GROUP, "group"));
            steps.add(again(Act.DELETE_GROUP_AGAIN, "group"));
            part("group snapshot", "", steps);
        }
    }

    private static Step unknownSnapshot(Act act) {
        return new Step(act, SNAPSHOT, "a snapshot that there is not");
    }

    /** A filesystem decides which blocks it uses, so this checks only block volumes. */
    private void metadata() {
        if (!can.metadata()) {
            leaveOut("snapshot metadata", "SNAPSHOT_METADATA_SERVICE");
            return;
        }
        if (!wanted.block()) {
            part("snapshot metadata", "it is of block volumes; try --block", List.of());
            return;
        }
        List<Step> steps = new ArrayList<>();
        steps.add(step(Act.METADATA, SNAPSHOT));
        if (can.hasNode() && !wanted.onlyReads()) {
            steps.add(step(Act.WRITE_MORE, MAIN));
        }
        steps.add(new Step(Act.SNAPSHOT, DELTA, "a second one of the volume"));
        steps.add(new Step(Act.METADATA_DELTA, DELTA, "since the first"));
        steps.add(step(Act.DELETE_SNAPSHOT, DELTA));
        part("snapshot metadata", "", steps);
    }

    private List<Step> copy(Act act, String item) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(act, item, act == Act.RESTORE ? "from the snapshot" : "from the volume"));
        if (wanted.volumeId().isEmpty() && can.controller(RPC.Type.LIST_VOLUMES)) {
            steps.add(new Step(Act.LIST_PAGE, item, "one entry, of two volumes and more"));
        }
        if (wanted.refusals() && act == Act.RESTORE) {
            steps.add(new Step(Act.SNAPSHOT_OTHER, item, "the same name, of another volume"));
        }
        if (can.hasNode()) {
            steps.addAll(raise(item, false));
            steps.add(step(readAgain(), item));
        }
        steps.addAll(lower(item, false));
        steps.add(step(Act.DELETE, item));
        return steps;
    }

    private void inline() {
        if (!wanted.ephemeral()) {
            return;
        }
        if (!can.hasNode()) {
            part("inline volume", "no node service answers here", List.of());
            return;
        }
        if (hasVolume()) {
            makeRoom();
        }
        part(
                "inline volume",
                "",
                List.of(step(Act.PUBLISH_INLINE, INLINE), step(Act.WRITE, INLINE), step(Act.UNPUBLISH, INLINE)));
    }

    private void down() {
        List<Step> steps = new ArrayList<>(mainIsDown ? List.of() : lower(MAIN, true));
        if (wanted.volumeId().isEmpty()) {
            add(steps, Act.DELETE, Act.DELETE_AGAIN, MAIN, true);
        }
        part("and back", "", steps);
    }

    private static Step step(Act act, String item) {
        return new Step(act, item, "");
    }

    private void leaveOut(String title, String capability) {
        part(title, "the driver does not have " + capability, List.of());
    }

    private void part(String title, String leftOut, List<Step> steps) {
        parts.add(new Part(title, steps, leftOut, null));
    }
}
