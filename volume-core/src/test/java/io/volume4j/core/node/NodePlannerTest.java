package io.volume4j.core.node;

import static io.volume4j.core.node.AttachState.ATTACHED;
import static io.volume4j.core.node.AttachState.DETACHED;
import static io.volume4j.core.node.MountState.FS_GROUP_PENDING;
import static io.volume4j.core.node.MountState.IDS_PENDING;
import static io.volume4j.core.node.MountState.MOUNTED;
import static io.volume4j.core.node.MountState.NOT_MOUNTED;
import static io.volume4j.core.node.MountState.SUBPATHS_PENDING;
import static io.volume4j.core.node.MountState.UNCERTAIN;
import static io.volume4j.core.node.VolumeView.Grant.AWAITED;
import static io.volume4j.core.node.VolumeView.Grant.FENCED;
import static io.volume4j.core.node.VolumeView.Grant.GIVEN;
import static io.volume4j.core.node.VolumeView.Grant.LEFT;
import static io.volume4j.core.node.VolumeView.Grant.MODE_NOT_STORED;
import static io.volume4j.core.node.VolumeView.Grant.NOT_REPORTED_IN_USE;
import static io.volume4j.core.node.VolumeView.Wish.DESIRED;
import static io.volume4j.core.node.VolumeView.Wish.UNDESIRED;
import static io.volume4j.core.node.VolumeView.Wish.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.core.node.VolumeView.Expansion;
import io.volume4j.core.node.VolumeView.Grant;
import io.volume4j.core.node.VolumeView.PodUse;
import io.volume4j.core.node.VolumeView.Wish;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole policy of the node as a table: what is there, what is wanted, and what is done about it. */
class NodePlannerTest {
    private static final boolean RUNNING = true;
    private static final boolean STOPPED = false;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(String rule, VolumeView view, List<String> steps, List<String> waits) {
        Plan<NodeStep> plan = new NodePlanner().plan(view);

        assertThat(plan.steps()).extracting(NodePlannerTest::text).as("steps").isEqualTo(steps);
        String all = plan.waits().stream().map(Wait::why).collect(Collectors.joining("; "));
        assertThat(waits).as("waits").allSatisfy(wait -> assertThat(all).contains(wait));
        assertThat(plan.waits()).hasSameSizeAs(waits);
    }

    static Stream<Arguments> decides() {
        return Stream.of(
                row("attaches first", volume().attachable().pod("a", DESIRED), "ATTACH"),
                row("then mounts the device", volume().attached().pod("a", DESIRED), "MOUNT_DEVICE"),
                row("then mounts for the pod", volume().device(MOUNTED).pod("a", DESIRED), "MOUNT a"),
                row(
                        "mounts for every pod that wants it",
                        volume().device(MOUNTED).pod("a", DESIRED).pod("b", DESIRED),
                        "MOUNT a",
                        "MOUNT b"),
                row(
                        "does nothing when all is as wanted",
                        volume().device(MOUNTED).pod("a", DESIRED, MOUNTED)),
                row(
                        "mounts without a device where the plugin has none",
                        volume().noDevice().pod("a", DESIRED),
                        "MOUNT a"),
                row(
                        "sets an uncertain mount up again",
                        volume().device(MOUNTED).pod("a", DESIRED, UNCERTAIN),
                        "MOUNT a"),
                row(
                        "mounts an uncertain device again",
                        volume().device(UNCERTAIN).pod("a", DESIRED),
                        "MOUNT_DEVICE"),
                row(
                        "attaches again what is uncertain",
                        volume().attachable().attach(AttachState.UNCERTAIN).pod("a", DESIRED),
                        "ATTACH"),
                row(
                        "leaves a certain mount alone while the attachment is in doubt",
                        volume().attachable()
                                .attach(AttachState.UNCERTAIN)
                                .device(MOUNTED)
                                .pod("a", DESIRED, MOUNTED)),
                row(
                        "gives a mounted volume to the pod's group",
                        volume().device(MOUNTED).pod("a", DESIRED, FS_GROUP_PENDING),
                        "APPLY_FS_GROUP a"),
                row(
                        "shows it with the pod's IDs then",
                        volume().device(MOUNTED).pod("a", DESIRED, IDS_PENDING),
                        "MAP_IDS a"),
                row(
                        "binds the parts that containers see last",
                        volume().device(MOUNTED).pod("a", DESIRED, SUBPATHS_PENDING),
                        "BIND_SUBPATHS a"),
                row(
                        "unmounts a volume whose IDs are not mapped yet",
                        volume().device(MOUNTED).pod("a", UNDESIRED, IDS_PENDING),
                        "UNMOUNT a"),
                row("remounts what is to be refreshed", volume().device(MOUNTED).remount("a"), "REMOUNT a"),
                row(
                        "binds the parts of a container that came to a running pod",
                        volume().device(MOUNTED).partsFor("a", false),
                        "BIND_SUBPATHS a"),
                row(
                        "refreshes a volume before it binds parts of it",
                        volume().device(MOUNTED).partsFor("a", true),
                        "REMOUNT a"),
                row(
                        "binds parts for a pod that has it beside others",
                        volume().onePod().device(MOUNTED).partsFor("a", false).remount("b"),
                        "BIND_SUBPATHS a",
                        "REMOUNT b"),
                // handing over
                row(
                        "unmounts before it mounts",
                        volume().device(MOUNTED).pod("a", UNDESIRED, MOUNTED).pod("b", DESIRED),
                        "UNMOUNT a",
                        "MOUNT b"),
                row(
                        "unmounts for several pods side by side",
                        volume().device(MOUNTED).pod("a", UNDESIRED, MOUNTED).pod("b", UNDESIRED, UNCERTAIN),
                        "UNMOUNT a",
                        "UNMOUNT b"),
                // one pod only
                row(
                                "gives a volume for one pod to the first in the order of UIDs",
                                volume().onePod()
                                        .device(MOUNTED)
                                        .pod("b", DESIRED)
                                        .pod("a", DESIRED),
                                "MOUNT a")
                        .waits("pod b waits: only one pod may use it, and a does"),
                row(
                                "leaves it with the pod that has it",
                                volume().onePod()
                                        .device(MOUNTED)
                                        .pod("a", DESIRED)
                                        .pod("b", DESIRED, MOUNTED))
                        .waits("pod a waits: only one pod may use it, and b does"),
                row(
                        "refreshes it for all that had it before it was for one pod",
                        volume().onePod().device(MOUNTED).remount("a").remount("b"),
                        "REMOUNT a",
                        "REMOUNT b"),
                row(
                                "counts an uncertain holder as a holder",
                                volume().onePod()
                                        .device(MOUNTED)
                                        .pod("a", DESIRED)
                                        .pod("b", UNDESIRED, UNCERTAIN),
                                "UNMOUNT b")
                        .waits("pod a waits: only one pod may use it, and b does"),
                // taking down
                row("unmounts the device when no pod is left", volume().device(MOUNTED), "UNMOUNT_DEVICE"),
                row("unmounts an uncertain device", volume().device(UNCERTAIN), "UNMOUNT_DEVICE"),
                row("then detaches", volume().attached(), "DETACH"),
                row("detaches what may be attached", volume().attachable().attach(AttachState.UNCERTAIN), "DETACH"),
                row("then forgets", volume(), "FORGET"),
                row(
                        "never unmounts the device under a mount",
                        volume().device(MOUNTED).pod("a", UNDESIRED, UNCERTAIN),
                        "UNMOUNT a"),
                row("never detaches under a device mount", volume().attached().device(UNCERTAIN), "UNMOUNT_DEVICE"),
                // safety
                row(
                                "keeps what running containers may use",
                                volume().device(MOUNTED).pod("a", UNDESIRED, MOUNTED, RUNNING))
                        .waits("mounted until the containers of pod a have stopped"),
                row(
                                "keeps the mount of a pod whose claim it cannot read",
                                volume().device(MOUNTED).pod("a", UNKNOWN, MOUNTED))
                        .waits("not changed for pod a: claim not readable"),
                row(
                                "keeps the device while a pod is in doubt",
                                volume().device(MOUNTED).pod("a", UNKNOWN, NOT_MOUNTED))
                        .waits("not changed for pod a: claim not readable"),
                row(
                                "mounts for one pod while another is in doubt",
                                volume().device(MOUNTED)
                                        .pod("a", UNKNOWN, MOUNTED)
                                        .pod("b", DESIRED),
                                "MOUNT b")
                        .waits("not changed for pod a"),
                row(
                                "takes nothing down before all pods are known",
                                volume().device(MOUNTED).podsUnknown())
                        .waits("kept until all pods of the node are known"),
                row(
                                "detaches nothing before all pods are known",
                                volume().attached().podsUnknown())
                        .waits("kept until all pods of the node are known"),
                // attached by the node itself
                row(
                                "waits until its object says that the node attaches",
                                volume().attachable().grant(MODE_NOT_STORED).pod("a", DESIRED))
                        .waits("until the node's object says that the node attaches its volumes itself"),
                row("does not detach either until then", volume().attached().grant(MODE_NOT_STORED))
                        .waits("until the node's object says that the node attaches its volumes itself"),
                // attached by the node itself before its mode changed
                row("takes back what it attached itself", volume().attached().grant(LEFT), "DETACH"),
                row(
                                "attaches nothing by itself any more",
                                volume().attachable()
                                        .attach(AttachState.UNCERTAIN)
                                        .grant(LEFT)
                                        .pod("a", DESIRED))
                        .waits("for the control plane to attach the volume; if no controller runs, start an"
                                + " AttachDetachController, or give this node's manager attachMode(SELF)"),
                // attached by the control plane
                row(
                                "waits until its use is reported",
                                volume().attachable().grant(NOT_REPORTED_IN_USE).pod("a", DESIRED))
                        .waits("until the node's status says that the volume is in use"),
                row(
                                "waits for the control plane",
                                volume().attachable().grant(AWAITED).pod("a", DESIRED))
                        .waits("for the control plane to attach the volume; if no controller runs, start an"
                                + " AttachDetachController, or give this node's manager attachMode(SELF)"),
                row(
                        "believes the control plane",
                        volume().attachable().grant(GIVEN).pod("a", DESIRED),
                        "CONFIRM_ATTACHED"),
                row(
                        "grows before the first pod gets it",
                        volume().device(MOUNTED).grows(needed()).pod("a", DESIRED),
                        "EXPAND"),
                row(
                        "mounts what is in use before it has grown",
                        volume().device(MOUNTED).grows(inUse()).pod("a", DESIRED),
                        "EXPAND",
                        "MOUNT a"),
                row(
                        "grows under its pods",
                        volume().device(MOUNTED).grows(needed()).pod("a", DESIRED, MOUNTED),
                        "EXPAND"),
                row(
                        "mounts for another pod while it grows",
                        volume().device(MOUNTED)
                                .grows(needed())
                                .pod("a", DESIRED, MOUNTED)
                                .pod("b", DESIRED),
                        "EXPAND",
                        "MOUNT b"),
                row(
                        "mounts the device before it grows",
                        volume().grows(needed()).pod("a", DESIRED),
                        "MOUNT_DEVICE"),
                row(
                        "grows through a pod's mount where there is no device",
                        volume().noDevice().grows(needed()).pod("a", DESIRED),
                        "MOUNT a"),
                row(
                        "grows through a pod's mount once there is one",
                        volume().noDevice().grows(needed()).pod("a", DESIRED, MOUNTED),
                        "EXPAND"),
                row(
                        "grows through a pod's mount that was made before the plugin had a device step",
                        volume().grows(needed()).pod("a", DESIRED, MOUNTED),
                        "EXPAND"),
                row(
                        "grows through its device before a further pod gets it, where the mount of another pod has none",
                        volume().grows(needed()).pod("a", DESIRED, MOUNTED).pod("b", DESIRED),
                        "EXPAND",
                        "MOUNT_DEVICE"),
                row(
                        "grows through a pod's mount where the device is in doubt",
                        volume().device(UNCERTAIN).grows(needed()).pod("a", DESIRED, MOUNTED),
                        "EXPAND"),
                row(
                        "grows through no pod's mount that is not finished",
                        volume().noDevice()
                                .grows(needed())
                                .pod("a", DESIRED, FS_GROUP_PENDING)
                                .pod("b", DESIRED, UNCERTAIN),
                        "APPLY_FS_GROUP a",
                        "MOUNT b"),
                row(
                        "gives a pod at once what cannot grow before",
                        volume().device(MOUNTED).grows(afterwards()).pod("a", DESIRED),
                        "MOUNT a"),
                row(
                        "grows afterwards what could not grow before",
                        volume().device(MOUNTED).grows(afterwards()).pod("a", DESIRED, MOUNTED),
                        "EXPAND"),
                row(
                        "grows nothing of which the attachment is in doubt",
                        volume().attachable()
                                .attach(AttachState.UNCERTAIN)
                                .device(MOUNTED)
                                .grows(needed())
                                .pod("a", DESIRED, MOUNTED)),
                row(
                        "expands nothing that no pod wants",
                        volume().device(MOUNTED).grows(needed()),
                        "UNMOUNT_DEVICE"),
                row(
                                "waits for the last pod where it cannot grow in use",
                                volume().device(MOUNTED).grows(offline()).pod("a", DESIRED, MOUNTED))
                        .waits("grows to 2 bytes when no pod has it mounted any more"),
                row(
                        "grows offline before the first pod",
                        volume().device(MOUNTED).grows(offline()).pod("a", DESIRED),
                        "EXPAND"),
                row(
                        "tells before it begins",
                        volume().device(MOUNTED)
                                .grows(toTell(Expansion.State.NEEDED))
                                .pod("a", DESIRED),
                        "TELL_SIZE"),
                row(
                        "tells when it is done",
                        volume().device(MOUNTED)
                                .grows(toTell(Expansion.State.NONE))
                                .pod("a", DESIRED, MOUNTED),
                        "TELL_SIZE"),
                row(
                                "mounts what cannot grow, and says so",
                                volume().device(MOUNTED)
                                        .grows(new Expansion(
                                                Expansion.State.REFUSED, true, true, false, false, 2, "too large"))
                                        .pod("a", DESIRED),
                                "MOUNT a")
                        .waits("cannot grow to 2 bytes here: too large"),
                // another volume in its place
                row(
                                "keeps a pod waiting in whose place another volume is, and no other",
                                volume().device(MOUNTED).placeTaken("a").pod("b", DESIRED),
                                "MOUNT b")
                        .waits("pod a waits: volume x is still mounted in its place"),
                row("sets nothing up for it alone", volume().attachable().placeTaken("a"))
                        .waits("pod a waits: volume x is still mounted in its place"),
                row(
                                "unmounts a device that no pod can use as it is",
                                volume().device(MOUNTED).placeTaken("a"),
                                "UNMOUNT_DEVICE")
                        .waits("pod a waits: volume x is still mounted in its place"),

                // SELinux contexts
                row(
                        "mounts for pods with the volume's context",
                        volume().device(MOUNTED)
                                .labelled("x")
                                .context("x")
                                .pod("a", DESIRED, MOUNTED)
                                .pod("b", DESIRED),
                        "MOUNT b"),
                row(
                                "keeps a pod with another context waiting",
                                volume().device(MOUNTED)
                                        .labelled("x")
                                        .context("x")
                                        .pod("a", DESIRED, MOUNTED)
                                        .context("y")
                                        .pod("b", DESIRED))
                        .waits("pod b waits: its SELinux context y differs"),
                row(
                                "mounts the device anew when the last pod with its context has gone",
                                volume().device(MOUNTED)
                                        .labelled("x")
                                        .context("y")
                                        .pod("b", DESIRED),
                                "UNMOUNT_DEVICE")
                        .waits("pod b waits: its SELinux context y differs"),
                row(
                                "begins with the context of the first in the order of UIDs",
                                volume().labelled(null)
                                        .context("y")
                                        .pod("b", DESIRED)
                                        .context("x")
                                        .pod("a", DESIRED),
                                "MOUNT_DEVICE")
                        .waits("pod b waits: its SELinux context y differs"),
                row(
                        "takes any context for one that is not known",
                        volume().device(UNCERTAIN).labelled(null).context("x").pod("a", DESIRED),
                        "MOUNT_DEVICE"),
                row(
                        "compares no contexts where the plugin mounts with none",
                        volume().device(MOUNTED)
                                .context("x")
                                .pod("a", DESIRED, MOUNTED)
                                .context("y")
                                .pod("b", DESIRED),
                        "MOUNT b"),
                row("leaves detaching to the control plane", volume().attached().grant(GIVEN), "FORGET"),

                // a node that fences itself
                row(
                        "takes a volume from pods that want it when the node fences itself",
                        volume().attached()
                                .device(MOUNTED)
                                .grant(FENCED)
                                .pod("a", DESIRED, MOUNTED, STOPPED)
                                .pod("b", DESIRED, UNCERTAIN, STOPPED)
                                .pod("c", UNKNOWN, MOUNTED, STOPPED)
                                .pod("d", DESIRED, NOT_MOUNTED, RUNNING),
                        "UNMOUNT a",
                        "UNMOUNT b",
                        "UNMOUNT c"),
                row(
                                "takes it from no pod whose containers may run",
                                volume().attached()
                                        .device(MOUNTED)
                                        .grant(FENCED)
                                        .pod("a", DESIRED, MOUNTED, RUNNING)
                                        .pod("b", UNDESIRED, MOUNTED, STOPPED),
                                "UNMOUNT b")
                        .waits("the node fences itself: mounted until the containers of pod a have stopped"),
                row(
                        "then takes down its device, also if the pods are unknown",
                        volume().attached()
                                .device(UNCERTAIN)
                                .grant(FENCED)
                                .podsUnknown()
                                .pod("a", DESIRED),
                        "UNMOUNT_DEVICE"),
                row(
                                "keeps the attachment in mind and sets nothing up",
                                volume().attached().grant(FENCED).pod("a", DESIRED))
                        .waits("it sets volumes up again after it is started anew"),
                row(
                                "attaches nothing either",
                                volume().attachable().grant(FENCED).pod("a", DESIRED))
                        .waits("it sets volumes up again after it is started anew"),
                row(
                        "leaves alone what no controller attaches",
                        volume().grant(FENCED).device(MOUNTED).pod("a", DESIRED),
                        "MOUNT a"));
    }

    @Test
    void equalViewsGiveEqualPlans() {
        VolumeView view = volume().device(MOUNTED)
                .pod("a", UNDESIRED, MOUNTED)
                .pod("b", DESIRED)
                .build();

        assertThat(new NodePlanner().plan(view)).isEqualTo(new NodePlanner().plan(view));
    }

    private static String text(NodeStep step) {
        return step.podUid().isEmpty() ? step.kind().name() : step.kind().name() + " " + step.podUid();
    }

    private static Row row(String rule, Volume volume, String... steps) {
        return new Row(rule, volume.build(), List.of(steps), List.of());
    }

    /** A line of the table. */
    private record Row(String rule, VolumeView view, List<String> steps, List<String> waits) implements Arguments {
        Row waits(String... texts) {
            return new Row(rule, view, steps, List.of(texts));
        }

        @Override
        public Object[] get() {
            return arguments(rule, view, steps, waits).get();
        }
    }

    private static Expansion needed() {
        return new Expansion(Expansion.State.NEEDED, true, true, false, false, 2, "");
    }

    private static Expansion inUse() {
        return new Expansion(Expansion.State.NEEDED, true, true, true, false, 2, "");
    }

    private static Expansion afterwards() {
        return new Expansion(Expansion.State.NEEDED, true, false, false, false, 2, "");
    }

    private static Expansion offline() {
        return new Expansion(Expansion.State.NEEDED, false, true, false, false, 2, "");
    }

    private static Expansion toTell(Expansion.State state) {
        return new Expansion(state, true, true, false, true, 2, "");
    }

    private static Volume volume() {
        return new Volume();
    }

    /** A volume with a device mount and nothing else, for the table to say what differs. */
    private static final class Volume {
        private final List<PodUse> pods = new ArrayList<>();
        private boolean attachable;
        private boolean deviceMountable = true;
        private boolean onePod;
        private String doubt = "";
        private AttachState attach = DETACHED;
        private MountState device = NOT_MOUNTED;
        private @Nullable Grant grant;
        private boolean labelled;
        private String podLabel = "";
        private @Nullable String label;
        private Expansion expansion = Expansion.none();

        Volume attachable() {
            attachable = true;
            return this;
        }

        Volume attach(AttachState state) {
            attach = state;
            return this;
        }

        Volume attached() {
            return attachable().attach(ATTACHED);
        }

        Volume noDevice() {
            deviceMountable = false;
            return this;
        }

        Volume device(MountState state) {
            device = state;
            return this;
        }

        Volume onePod() {
            onePod = true;
            return this;
        }

        Volume podsUnknown() {
            doubt = "kept until all pods of the node are known";
            return this;
        }

        Volume grant(Grant value) {
            grant = value;
            return this;
        }

        Volume pod(String uid, Wish wish) {
            return pod(uid, wish, NOT_MOUNTED);
        }

        Volume pod(String uid, Wish wish, MountState mount) {
            return pod(uid, wish, mount, wish == DESIRED ? RUNNING : STOPPED);
        }

        Volume pod(String uid, Wish wish, MountState mount, boolean running) {
            pods.add(new PodUse(
                    uid,
                    uid,
                    wish,
                    wish == UNKNOWN ? "claim not readable" : "",
                    running,
                    mount,
                    false,
                    false,
                    podLabel));
            return this;
        }

        Volume placeTaken(String uid) {
            pods.add(new PodUse(
                    uid,
                    uid,
                    DESIRED,
                    "volume x is still mounted in its place",
                    RUNNING,
                    NOT_MOUNTED,
                    false,
                    false,
                    ""));
            return this;
        }

        Volume remount(String uid) {
            pods.add(new PodUse(uid, uid, DESIRED, "", RUNNING, MOUNTED, true, false, ""));
            return this;
        }

        /** Mounted, with an ephemeral container that waits for a part of it. */
        Volume partsFor(String uid, boolean remount) {
            pods.add(new PodUse(uid, uid, DESIRED, "", RUNNING, MOUNTED, remount, true, ""));
            return this;
        }

        /** Mounted with the context, or null if it is not mounted. */
        Volume labelled(@Nullable String with) {
            labelled = true;
            label = with;
            return this;
        }

        /** The pods that follow have the context. */
        Volume context(String value) {
            podLabel = value;
            return this;
        }

        Volume grows(Expansion value) {
            expansion = value;
            return this;
        }

        VolumeView build() {
            return new VolumeView(
                    VolumeId.shared("p", "v"),
                    "v",
                    attachable,
                    deviceMountable,
                    grant,
                    onePod,
                    doubt,
                    attach,
                    device,
                    labelled,
                    label,
                    expansion,
                    pods);
        }
    }
}
