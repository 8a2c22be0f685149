package io.volume4j.core.control.attach.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.core.control.attach.plan.PairView.Holder;
import io.volume4j.core.control.attach.plan.PairView.Recorded;
import io.volume4j.core.control.attach.plan.PairView.Use;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is decided about one volume on one node. */
class PairPlannerTest {
    private static final Fence TAINT = new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "tainted");

    /**
     * The detach table of controllers.md, 1.4: whether the node uses the volume, the out-of-service taint, whether the
     * accepted time has passed, whether the node is unhealthy; then whether it is detached, and by what evidence. Deviations:
     * no row skips the check of what the node uses because of the time alone, and without accepted risk time never counts.
     */
    @ParameterizedTest(name = "mounted={0} taint={1} expired={2} unhealthy={3}: {4} {5}")
    @CsvSource({
        "no,  no,  no,  no,  detach, ''",
        "no,  no,  no,  yes, detach, ''",
        "no,  no,  yes, no,  detach, ''",
        "no,  no,  yes, yes, detach, ''",
        "yes, no,  no,  no,  keep,   ''",
        "yes, no,  no,  yes, keep,   ''",
        "yes, no,  yes, no,  keep,   ''",
        "yes, no,  yes, yes, detach, ACCEPTED_RISK",
        "no,  yes, no,  no,  detach, ''",
        "no,  yes, yes, yes, detach, ''",
        "yes, yes, no,  no,  detach, OPERATOR_ASSERTION",
        "yes, yes, no,  yes, detach, OPERATOR_ASSERTION",
        "yes, yes, yes, yes, detach, OPERATOR_ASSERTION",
    })
    void detachesWhatTheNodeGaveBackOrWithEvidence(
            String mounted, String taint, String expired, String unhealthy, String result, String evidence) {
        View view = view().attached().riskAfter(360);
        view.use = mounted.equals("yes") ? Use.IN_USE : Use.FREE;
        view.shown = mounted.equals("yes");
        view.fence = taint.equals("yes") ? TAINT : null;
        view.now = expired.equals("yes") ? 361 : 10;
        view.healthy = unhealthy.equals("no");

        DetachDecision verdict = DetachDecision.of(view.made());

        assertThat(verdict.allowed()).isEqualTo(result.equals("detach"));
        assertThat(verdict.force() == null ? "" : verdict.force().kind().name()).isEqualTo(evidence);
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                row("records the intent to attach what a pod wants", view().pod("a"), "CREATE_RECORD"),
                row("does nothing if no pod wants the volume", view(), ""),
                row(
                        "waits until the attachment is made",
                        view().pod("a").recorded(),
                        "",
                        "until VolumeAttachment va is attached"),
                row(
                        "waits until the node is told",
                        view().pod("a").attached(),
                        "",
                        "until the node's object shows the attachment"),
                row(
                        "takes a record over before it tells the node",
                        view().pod("a").attached().foreign(),
                        "CLAIM"),
                row("is done when the node is told", view().pod("a").attached().shown(), ""),
                row(
                        "keeps what another process made, as long as it stands",
                        view().pod("a").attached().shown().foreign(),
                        ""),
                row(
                        "takes over again what a process took over that did not come to tell the node",
                        view().pod("a").attached().shown().foreign().superseded(),
                        "CLAIM"),
                row(
                        "gives a volume for one node to one",
                        view().pod("a").exclusive().holder("n2"),
                        "TELL",
                        "only one node may have the volume, and n2 has it or may have it"),
                row("gives a volume for many to many", view().pod("a").holder("n2"), "CREATE_RECORD"),
                row(
                        "does not attach beside a holder that came to light",
                        view().pod("a").recorded().exclusive().holder("n2"),
                        "TELL",
                        "only one node may have the volume, and n2 has it or may have it"),
                row(
                        "takes its intent back where two wait for each other and the other goes first",
                        view().pod("a").recorded().exclusive().holder("n2").givesWay(),
                        "DELETE_RECORD"),
                row(
                        "takes over what another process made for that",
                        view().pod("a")
                                .recordedByAnother()
                                .exclusive()
                                .holder("n2")
                                .givesWay(),
                        "CLAIM"),
                row(
                        "does not while the node uses the volume",
                        view().pod("a")
                                .recorded()
                                .granted()
                                .use(Use.IN_USE)
                                .exclusive()
                                .holder("n2")
                                .givesWay(),
                        "",
                        "node n1 reports that it uses the volume"),
                row(
                        "does not if no other node holds the volume any more",
                        view().pod("a").recorded().exclusive().givesWay(),
                        "",
                        "until VolumeAttachment va is attached"),
                row(
                        "attaches no more than the node can have",
                        view().pod("a").limit("node n1 has 2 volumes"),
                        "TELL",
                        "node n1 has 2 volumes"),
                row(
                        "waits out what may still take effect",
                        view().pod("a").settledAt(50),
                        "",
                        "an earlier call may still take effect"),
                row(
                        "ends an earlier attachment first",
                        view().pod("a").attached().deleting(),
                        "",
                        "its earlier attachment to node n1 is being ended first"),
                row(
                        "takes over an earlier attachment of which the node's object still tells",
                        view().pod("a").attached().endedByAnother().shown(),
                        "CLAIM",
                        "its earlier attachment to node n1 is being ended first"),
                row(
                        "does not while the node uses it",
                        view().pod("a").attached().endedByAnother().shown().use(Use.IN_USE),
                        "",
                        "its earlier attachment to node n1 is being ended first"),
                row(
                        "leaves one that the node's object does not show to the program that executes it",
                        view().pod("a").attached().endedByAnother(),
                        "",
                        "its earlier attachment to node n1 is being ended first"),
                row(
                        "leaves nodes alone that do not ask for it",
                        view().pod("a").unmanaged(),
                        "",
                        "not handled here: volumes of node n1 are not attached from here"),
                row(
                        "leaves what is attached there alone too",
                        view().attached().unmanaged(),
                        "",
                        "not handled here: volumes of node n1 are not attached from here"),
                row(
                        "decides nothing without knowing everything",
                        view().attached().unknown("the Pod objects of the cluster are being listed"),
                        "",
                        "the Pod objects of the cluster are being listed"),
                row("records the intent to detach a volume that no pod wants", view().attached(), "DELETE_RECORD"),
                row("the same for what was never certain", view().recorded(), "DELETE_RECORD"),
                row(
                        "takes it from the node's object first",
                        view().attached().shown(),
                        "",
                        "until the node's object no longer shows the attachment"),
                row("takes a record over before it ends it", view().attached().foreign(), "CLAIM"),
                row(
                        "looks at the node after it took a record over",
                        view().attached().unchecked(),
                        "CHECK_NODE"),
                row(
                        "looks at the node when another program deleted the record",
                        view().attached().deleting().unchecked(),
                        "CHECK_NODE",
                        "until VolumeAttachment va is gone"),
                row(
                        "takes over a record that a user deleted and the node's object still shows",
                        view().attached().endedByAnother().shown(),
                        "CLAIM",
                        "until VolumeAttachment va is gone"),
                row(
                        "takes nothing that the node uses",
                        view().attached().shown().use(Use.IN_USE),
                        "",
                        "node n1 reports that it uses the volume"),
                row(
                        "takes nothing of which the node's word is missing",
                        view().attached().shown().use(Use.UNKNOWN),
                        "",
                        "it is not known whether node n1 uses the volume"),
                row(
                        "tells of it when that takes longer than it takes to unmount",
                        view().attached().shown().use(Use.IN_USE).now(PairPlanner.UNMOUNTING.toNanos()),
                        "TELL",
                        "node n1 reports that it uses the volume"),
                row(
                        "takes what the node reports without having been told that it may use it",
                        view().recorded().use(Use.IN_USE),
                        "DELETE_RECORD"),
                row(
                        "takes what the backend does not have there any more",
                        view().attached().use(Use.IN_USE).granted().absent().gone(),
                        "DELETE_RECORD"),
                row(
                        "keeps what a healthy node uses, although the backend says that it is not there",
                        view().attached().use(Use.IN_USE).granted().absent(),
                        "",
                        "node n1 reports that it uses the volume"),
                row(
                        "takes from a node that is gone with evidence only",
                        view().attached().granted().use(Use.UNKNOWN).gone(),
                        "TELL",
                        "it is not known whether node n1 uses the volume, and its object is gone; needs evidence that the"
                                + " node is cut off: a fencing authority, the taint node.kubernetes.io/out-of-service,"
                                + " or a fence given to the controller"),
                row(
                        "takes from a node that is gone what it had given back",
                        view().attached().granted().use(Use.FREE).gone(),
                        "DELETE_RECORD"),
                row(
                        "takes nothing that a pod might want of which it is not known what it wants",
                        view().attached().doubt("a pod there uses claim x"),
                        "",
                        "not detached from node n1: a pod there uses claim x"),
                row("makes a record for what is there without one", view().held(), "CREATE_RECORD"),
                row(
                        "waits until it is detached",
                        view().attached().deleting(),
                        "",
                        "until VolumeAttachment va is gone"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void decides(String rule, PairView view, String steps, List<String> waits) {
        Plan<AttachStep> plan = PairPlanner.plan(view);

        assertThat(String.join(
                        " ",
                        plan.steps().stream().map(step -> step.kind().name()).toList()))
                .as(rule)
                .isEqualTo(steps);
        assertThat(plan.waits()).extracting(Wait::why).as(rule).isEqualTo(waits);
    }

    @Test
    void tellsPeopleOnce() {
        View view = view().pod("a").exclusive().holder("n2");
        AttachStep first = PairPlanner.plan(view.made()).steps().get(0);
        view.told = ((AttachStep.Tell) first).told();

        assertThat(PairPlanner.plan(view.made()).steps()).isEmpty();

        view.holder("n3");
        assertThat(PairPlanner.plan(view.made()).steps()).hasSize(1);
    }

    @Test
    void looksAgainWhenTheAcceptedTimeHasPassed() {
        View view = view().attached().shown().use(Use.IN_USE).riskAfter(360);
        view.healthy = false;

        assertThat(PairPlanner.plan(view.made()).waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(360L);
    }

    @Test
    void namesPodsOfThePodsOwnNamespaceOnly() {
        LastEvent told = new LastEvent("R", "m", List.of(new Holder("n2", List.of("default/b", "other/c"))));

        assertThat(told.forNamespace("default"))
                .isEqualTo("m; node n2 has it or may have it for pod(s) b and 1 pod(s) of other namespaces");
        assertThat(told.forNamespace("third"))
                .isEqualTo("m; node n2 has it or may have it for 2 pod(s) of other namespaces");
    }

    /** The node reports what it waits for, so its report must not block the next attach. */
    @Test
    void anAdoptedAttachmentThatIsAbsentEndsBeforeTheNextAttach() {
        View view = view().pod("a").adoptedAndDeleting().use(Use.IN_USE).absent();

        assertThat(DetachDecision.of(view.made()).allowed()).isTrue();
        assertThat(DetachDecision.of(view.shown().made()).allowed())
                .as("a pod may have it mounted")
                .isFalse();
    }

    private static Arguments row(String rule, View view, String steps, String... waits) {
        return arguments(rule, view.made(), steps, List.of(waits));
    }

    private static View view() {
        return new View();
    }

    /** A volume that no pod wants on a healthy node that does not have it. */
    private static final class View {
        private List<String> pods = List.of();
        private @Nullable Recorded record;
        private List<Holder> holders = List.of();
        private String unknown = "";
        private String doubt = "";
        private String limit = "";
        private boolean managed = true;
        private boolean there = true;
        private boolean healthy = true;
        private boolean shown;
        private boolean superseded;
        private boolean granted;
        private boolean held;
        private boolean checked = true;
        private boolean absent;
        private boolean exclusive;
        private boolean givesWay;
        private Use use = Use.FREE;
        private @Nullable Fence fence;
        private @Nullable LastEvent told;
        private long now = 10;
        private long risk;
        private long settledAt;

        View pod(String name) {
            pods = List.of("default/" + name);
            return this;
        }

        View now(long nanos) {
            now = nanos;
            return this;
        }

        View recorded() {
            record = new Recorded("va", "uid", "1", false, false, true, false);
            return this;
        }

        View recordedByAnother() {
            record = new Recorded("va", "uid", "1", false, false, false, false);
            checked = false;
            return this;
        }

        View attached() {
            record = new Recorded("va", "uid", "1", true, false, true, false);
            return this;
        }

        View deleting() {
            record = new Recorded("va", "uid", "1", true, true, true, false);
            return this;
        }

        View endedByAnother() {
            record = new Recorded("va", "uid", "1", true, true, false, false);
            return this;
        }

        View adoptedAndDeleting() {
            record = new Recorded("va", "uid", "1", true, true, true, true);
            return this;
        }

        View foreign() {
            record = new Recorded("va", "uid", "1", true, false, false, false);
            checked = false;
            return this;
        }

        View unchecked() {
            checked = false;
            return this;
        }

        View shown() {
            shown = true;
            return this;
        }

        View superseded() {
            superseded = true;
            return this;
        }

        View granted() {
            granted = true;
            return this;
        }

        View held() {
            held = true;
            return this;
        }

        View absent() {
            absent = true;
            return this;
        }

        View gone() {
            there = false;
            healthy = false;
            return this;
        }

        View unmanaged() {
            managed = false;
            return this;
        }

        View exclusive() {
            exclusive = true;
            return this;
        }

        View holder(String node) {
            holders = List.of(new Holder(node, List.of("default/b")));
            return this;
        }

        View givesWay() {
            givesWay = true;
            return this;
        }

        View use(Use value) {
            use = value;
            return this;
        }

        View limit(String value) {
            limit = value;
            return this;
        }

        View doubt(String value) {
            doubt = value;
            return this;
        }

        View unknown(String value) {
            unknown = value;
            return this;
        }

        View settledAt(long value) {
            settledAt = value;
            return this;
        }

        View riskAfter(long value) {
            risk = value;
            return this;
        }

        PairView made() {
            return new PairView(
                    VolumeId.shared("mem", "v"),
                    "pv",
                    "n1",
                    unknown,
                    managed,
                    there,
                    healthy,
                    pods,
                    doubt,
                    record,
                    shown,
                    superseded,
                    shown || granted,
                    held,
                    use,
                    Long.MAX_VALUE,
                    checked,
                    absent,
                    fence,
                    0,
                    now,
                    risk,
                    exclusive,
                    holders,
                    givesWay,
                    settledAt,
                    limit,
                    told);
        }
    }
}
