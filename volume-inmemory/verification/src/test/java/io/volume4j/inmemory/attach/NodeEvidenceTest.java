package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is taken from a node that uses it or may use it: nothing without evidence, and no report that may lie is any. */
class NodeEvidenceTest extends AttachBench {
    private static final Duration RISK = Duration.ofMinutes(6);

    @Test
    void keepsWhatAHealthyNodeUsesAlsoWhenTheAcceptedTimeHasPassed() {
        cluster.options = cluster.options.withAcceptedRiskAfter(RISK);
        inUseOn("n1");
        cluster.deletePod("a");
        cluster.world.advance(Duration.ofHours(5));

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    /** Nothing else happens then that could bring the record to mind. */
    @Test
    void endsWhatWasDeletedOnANodeThatIsGoneAfterTheAcceptedTime() {
        cluster.options = cluster.options.withAcceptedRiskAfter(RISK).withResyncPerSecond(0);
        inUseOn("n1");
        cluster.deletePod("a");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.storage.fence("n1");
        VolumeAttachment record = cluster.records().get(0);
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.world.advance(RISK.minusSeconds(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofSeconds(30));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void takesFromAnUnhealthyNodeAfterTheAcceptedTimeAndSaysSo() {
        cluster.options = cluster.options.withAcceptedRiskAfter(RISK);
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.storage.fence("n1");
        cluster.world.advance(RISK.minusSeconds(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofSeconds(30));
        assertGone();
        assertThat(cluster.told("ForcedDetach"))
                .hasSize(1)
                .allMatch(text -> text.contains("by force (accepted_risk)") && text.contains("not safe"));
        assertThat(cluster.metrics.counter("attachdetach_controller_forced_detaches{reason=accepted_risk}"))
                .isEqualTo(1);
    }

    /** The accepted time counts from the moment when no pod wants the volume any more. */
    @Test
    void takesNothingByTimeThatAPodWantsAlsoIfItsRecordWasDeleted() {
        cluster.options = cluster.options.withAcceptedRiskAfter(RISK);
        inUseOn("n1");
        cluster.world.advance(Duration.ofHours(1));
        VolumeAttachment record = cluster.records().get(0);
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.ready("n1", false);
        cluster.world.advance(Duration.ofHours(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.attachedTo("n1")).containsExactly("mem^h-v");

        cluster.deletePod("a");
        cluster.storage.fence("n1");
        cluster.world.advance(RISK.minusSeconds(1));
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.world.advance(Duration.ofSeconds(30));
        assertGone();
    }

    @Test
    void takesNothingByTimeUnlessTheOperatorAcceptedTheRisk() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.world.advance(Duration.ofHours(5));

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("DetachWaits")).isNotEmpty().anyMatch(text -> text.contains("needs evidence"));
    }

    @Test
    void takesFromANodeThatAPersonDeclaredOutOfService() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.run();
        cluster.taint("n1", true);
        cluster.run();

        assertGone();
        assertThat(cluster.told("ForcedDetach")).hasSize(1).allMatch(text -> text.contains("operator_assertion"));
        assertThat(cluster.metrics.counter("attachdetach_controller_forced_detaches{reason=operator_assertion}"))
                .isEqualTo(1);
    }

    /** The person deletes the object of the dead node while the backend still refuses the detach. */
    @Test
    void takesFromANodeThatAPersonDeclaredOutOfServiceAndThenDeleted() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.plugin.faults().add(Fault.on("detach").times(3).as(FaultKind.TRANSIENT));
        cluster.taint("n1", true);
        cluster.run();
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.storage.fence("n1");
        cluster.settle();

        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void believesNoTaintOfANodeThatWasReplacedUnderItsName() {
        inUseOn("n1");
        cluster.ready("n1", false);
        Node before = cluster.nodeNow("n1");
        cluster.taint("n1", true);
        cluster.run();
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.cluster.apply(NodeObjects.with(
                before, before.metadata().toBuilder().uid("another").build()));
        cluster.run();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    @Test
    void takesFromANodeThatAnAuthorityProvedCutOff() {
        boolean[] off = {false};
        cluster.fencing = (node, context) -> off[0]
                ? Optional.of(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "the machine is powered off"))
                : Optional.empty();
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        off[0] = true;
        cluster.world.advance(Duration.ofSeconds(15));
        assertGone();
        assertThat(cluster.told("ForcedDetach")).hasSize(1).allMatch(text -> text.contains("powered off"));
    }

    @Test
    void takesFromANodeOfWhichTheHostGivesEvidence() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.run();
        assertThat(cluster.get(
                        cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug"))))
                .isTrue();
        cluster.run();

        assertGone();
    }

    /** Another volume goes in the same write, which reads the node again first. */
    @Test
    void takesNothingByForceFromANodeThatIsReadyAgainBeforeTheWrite() {
        int checked = 0;
        for (int steps = 0; steps < 40; steps++) {
            cluster = new AttachHarness(1);
            cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
            cluster.pod("a", "n1", "v").pod("b", "n1", "w").settle();
            cluster.inUse("n1", "mem^h-w");
            cluster.ready("n1", false);
            cluster.run();
            cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug")));
            cluster.deletePod("a");
            cluster.deletePod("b");
            for (int i = 0; i < steps; i++) {
                cluster.world.step();
            }
            boolean relies = cluster.attachedTo("n1").contains("mem^h-w")
                    && cluster.grants("n1").of("mem^h-w") != null;
            cluster.ready("n1", true);
            cluster.settle();

            if (relies) {
                checked++;
                assertThat(cluster.controlCalls())
                        .as("ready after %d steps", steps)
                        .contains("detach h-v n1")
                        .doesNotContain("detach h-w n1");
            }
        }
        assertThat(checked).as("moments between the decision and the write").isPositive();
    }

    @Test
    void believesNoOldEvidenceOfANodeThatWasReadyAgain() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.run();
        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug")));
        cluster.ready("n1", true);
        cluster.run();
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    /** What the authority answers was true of the agent that ran when it was asked. */
    @Test
    void believesNoAnswerOfAnAuthorityIfTheAgentWasStartedAnewMeanwhile() {
        inUseOn("n1");
        report(1, "first");
        cluster.run();
        asksWhile(() -> report(2, "second"));

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("ForcedDetach")).isEmpty();
    }

    @Test
    void believesNoAnswerOfAnAuthorityIfTheNodeIsAnotherOneMeanwhile() {
        inUseOn("n1");
        asksWhile(this::anotherNode);

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.told("ForcedDetach")).isEmpty();
    }

    @Test
    void believesNoEvidenceOfANodeThatWasReplacedUnderItsName() {
        inUseOn("n1");
        cluster.ready("n1", false);
        cluster.run();
        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug")));
        anotherNode();
        cluster.run();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    /** A short outage: the cluster never showed the node as not ready. */
    @Test
    void believesNoOldEvidenceOfANodeThatBootedAgain() {
        attachedOn("n1");
        booted("first");
        cluster.run();
        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "pulled the plug")));
        booted("second");
        cluster.inUse("n1", "mem^h-v");
        cluster.run();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }

    private void booted(String id) {
        cluster.change("n1", node -> {
            Map<String, @Nullable Object> document = Manifests.toTree((ApiObject) node);
            Map<Object, Object> status =
                    new LinkedHashMap<>(document.get("status") instanceof Map<?, ?> known ? known : Map.of());
            status.put("nodeInfo", Map.of("bootID", id));
            document.put("status", status);
            return (Node) Manifests.fromTree(document);
        });
    }

    /** The authority says once that the node is off; what is given happens before its answer comes. */
    private void asksWhile(Runnable meanwhile) {
        boolean[] asked = {false};
        cluster.killController("c");
        cluster.fencing = (node, context) -> {
            if (asked[0]) {
                return Optional.empty();
            }
            asked[0] = true;
            meanwhile.run();
            return Optional.of(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "the machine is powered off"));
        };
        cluster.controller();
        cluster.ready("n1", false);
        cluster.deletePod("a");
        cluster.settle();
        assertThat(asked).containsExactly(true);
    }

    private void report(long generation, String agent) {
        String text = new InUseReport(generation, agent, Map.of("mem^h-v", "")).text();
        cluster.change("n1", node -> NodeObjects.with(node, node.metadata().withAnnotation(GrantKeys.IN_USE, text)));
    }

    /** Under the same name, with the same status. */
    private void anotherNode() {
        Node before = cluster.nodeNow("n1");
        ObjectMeta meta = ObjectMeta.named("", "n1")
                .withUid("another")
                .withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true");
        cluster.cluster.remove(before.key());
        cluster.cluster.apply(NodeObjects.with(before, meta));
    }

    @Test
    void detachesFromANodeWhoseObjectIsGoneIfItHadGivenTheVolumeBack() {
        attachedOn("n1");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void keepsWhatANodeUsedWhoseObjectIsGoneUntilThereIsEvidence() {
        inUseOn("n1");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.AUTHORITY_PROOF, "n1", "the machine was destroyed")));
        cluster.storage.fence("n1");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.told("ForcedDetach")).hasSize(1);
    }

    @Test
    void assumesTheWorstOfANodeThatWasGoneBeforeTheControllerStarted() {
        attachedOn("n1");
        cluster.killController("c");
        cluster.cluster.remove(ObjectKey.node("n1"));
        cluster.deletePod("a");
        cluster.controller().settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.explain("v").text()).contains("it is not known whether node n1 uses the volume");

        cluster.get(cluster.agent().fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "scrapped")));
        cluster.settle();
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void believesNoStatusThatAnOldCopyBroughtBack() {
        cluster.node("n1").controller();
        cluster.volume("v", RWO).pod("a", "n1", "v").settle();
        Node now = cluster.nodeNow("n1");
        cluster.on("n1").kill();
        cluster.change(
                "n1",
                node -> new Node(
                        node.metadata(),
                        node.spec(),
                        new Node.Status(true, List.of(), node.status().volumesAttached(), Map.of()),
                        node.unmodeled()));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(now.status().volumesInUse()).containsExactly("kubernetes.io/csi/mem^h-v");
        assertThat(cluster.controlCalls())
                .as("the annotation still says in use")
                .containsExactly("attach h-v n1");
    }

    /** A host may register its node again with a whole object. Such an object shows no attachments. */
    @Test
    void keepsWhatAHealthyNodeReportsInUseAlsoIfItsObjectLostAllAttachments() {
        inUseOn("n1");
        Map<String, String> managed = Map.of(WellKnown.CONTROLLER_MANAGED_ATTACH, "true");
        cluster.change(
                "n1",
                node -> new Node(
                        node.metadata().toBuilder().annotations(managed).build(),
                        node.spec(),
                        new Node.Status(true, node.status().volumesInUse(), List.of(), Map.of()),
                        node.unmodeled()));
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.inUse("n1");
        cluster.run();
        assertGone();
    }

    @Test
    void takesAnUnreadableReportForUse() {
        attachedOn("n1");
        cluster.change(
                "n1", node -> NodeObjects.with(node, node.metadata().withAnnotation(GrantKeys.IN_USE, "spoiled")));
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
    }
}
