package io.volume4j.core.node;

import static io.volume4j.core.node.MountState.FS_GROUP_PENDING;
import static io.volume4j.core.node.MountState.MOUNTED;
import static io.volume4j.core.node.MountState.NOT_MOUNTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.DrawnPages;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.VolumeView.Expansion;
import io.volume4j.core.node.VolumeView.PodUse;
import io.volume4j.core.node.VolumeView.Wish;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * docs/states.md draws what the planner wants in each state of a volume, and what the outcomes make of it. The states are all that are
 * reached from nothing by one pod that comes and goes, of a volume that is attached and device mounted by this node.
 */
class NodeStatesPageTest {
    private static final State NOTHING = new State(AttachState.DETACHED, NOT_MOUNTED, NOT_MOUNTED);

    private record State(AttachState attach, MountState device, MountState mount) {
        /** The farthest that the volume has come. */
        String text() {
            if (mount != NOT_MOUNTED) {
                return switch (mount) {
                    case MOUNTED -> "mounted for the pod";
                    case FS_GROUP_PENDING -> "mounted, its group pending";
                    default -> "perhaps mounted";
                };
            }
            if (device != NOT_MOUNTED) {
                return device == MOUNTED ? "device mounted" : "device perhaps mounted";
            }
            return switch (attach) {
                case ATTACHED -> "attached";
                case UNCERTAIN -> "perhaps attached";
                case DETACHED -> "nothing is here";
            };
        }

        String id() {
            return text().replaceAll("[ ,]+", "_");
        }

        VolumeView view(Wish wish) {
            PodUse pod = new PodUse("a", "a", wish, "", wish == Wish.DESIRED, mount, false, false, "");
            return new VolumeView(
                    VolumeId.shared("p", "v"),
                    "v",
                    true,
                    true,
                    null,
                    false,
                    "",
                    attach,
                    device,
                    false,
                    null,
                    Expansion.none(),
                    List.of(pod));
        }

        State after(NodeStep.Kind step, Outcome outcome) {
            return switch (step) {
                case ATTACH -> new State(Transitions.afterAttach(attach, outcome), device, mount);
                case DETACH -> new State(Transitions.afterDetach(attach, outcome), device, mount);
                case MOUNT_DEVICE -> new State(attach, Transitions.afterMount(device, outcome), mount);
                case UNMOUNT_DEVICE -> new State(attach, Transitions.afterUnmount(device, outcome), mount);
                case MOUNT ->
                    new State(
                            attach,
                            device,
                            outcome.succeeded() ? FS_GROUP_PENDING : Transitions.afterMount(mount, outcome));
                case APPLY_FS_GROUP -> new State(attach, device, outcome.succeeded() ? MOUNTED : mount);
                case UNMOUNT -> new State(attach, device, Transitions.afterUnmount(mount, outcome));
                default -> throw new AssertionError(step);
            };
        }
    }

    @Test
    void thePageDrawsEachStateAndEachWayOutOfIt() throws IOException {
        Map<String, State> states = new LinkedHashMap<>();
        Set<String> ways = new LinkedHashSet<>();
        Deque<State> ahead = new ArrayDeque<>(List.of(NOTHING));
        while (!ahead.isEmpty()) {
            State from = ahead.remove();
            State same = states.putIfAbsent(from.id(), from);
            assertThat(from).as("the only state of its name").isEqualTo(same == null ? from : same);
            if (same != null) {
                continue;
            }
            for (Wish wish : List.of(Wish.DESIRED, Wish.UNDESIRED)) {
                for (NodeStep step : new NodePlanner().plan(from.view(wish)).steps()) {
                    String call = step.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                    if (step.kind() == NodeStep.Kind.FORGET) {
                        ways.add("    " + from.id() + " --> [*]: " + call);
                        continue;
                    }
                    way(from, step.kind(), call, Outcome.success(null), ways, ahead);
                    way(from, step.kind(), call + ", outcome open", open(), ways, ahead);
                }
            }
        }
        List<String> lines = new ArrayList<>(List.of("```mermaid", "stateDiagram-v2", "    [*] --> " + NOTHING.id()));
        states.forEach((id, state) -> lines.add("    " + id + ": " + state.text()));
        lines.addAll(ways);
        lines.add("```");
        DrawnPages.demand("states.md", "a volume on a node", lines);
    }

    private static void way(
            State from, NodeStep.Kind step, String words, Outcome outcome, Set<String> ways, Deque<State> ahead) {
        State to = from.after(step, outcome);
        if (!to.equals(from)) {
            ways.add("    " + from.id() + " --> " + to.id() + ": " + words);
            ahead.add(to);
        }
    }

    private static Outcome open() {
        return Outcome.failure(VolumeException.uncertain("no answer"));
    }
}
