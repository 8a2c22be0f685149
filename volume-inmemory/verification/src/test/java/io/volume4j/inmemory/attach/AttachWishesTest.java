package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import org.junit.jupiter.api.Test;

/** Which pods on which nodes want a volume attached. */
class AttachWishesTest extends AttachBench {
    @Test
    void keepsAVolumeWhileOneOfSeveralPodsWantsIt() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.pod("a", "n1", "v").pod("b", "n1", "v").settle();
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.deletePod("b");
        cluster.settle();
        assertGone();
    }

    @Test
    void removesAllVolumesOfAPodAtOnce() {
        cluster.foreignNode("n1")
                .volume("v", RWO)
                .volume("w", RWO)
                .volume("x", RWO)
                .controller();
        cluster.pod("a", "n1", "v", "w", "x").settle();
        cluster.deletePod("a");
        cluster.run();

        assertThat(cluster.controlCalls())
                .filteredOn(call -> call.startsWith("detach"))
                .hasSize(3);
        assertGone();
    }

    @Test
    void removesAllVolumesOfAPodThatNamesOneClaimTwice() {
        cluster.foreignNode("n1").volume("v", RWO).volume("w", RWO).controller();
        cluster.cluster.apply(Manifests.read("pod", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, namespace: default, uid: a}
                spec:
                  nodeName: n1
                  containers: [{name: c, image: i, volumeMounts: [{name: first, mountPath: /v}]}]
                  volumes:
                  - {name: first, persistentVolumeClaim: {claimName: v}}
                  - {name: second, persistentVolumeClaim: {claimName: v}}
                  - {name: third, persistentVolumeClaim: {claimName: w}}
                """).get(0));
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactlyInAnyOrder("attach h-v n1", "attach h-w n1");

        cluster.deletePod("a");
        cluster.run();
        assertThat(cluster.controlCalls()).contains("detach h-v n1", "detach h-w n1");
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void leavesNodesAloneThatDoNotAskForIt() {
        cluster.nodeObject("n1", true);
        cluster.volume("v", RWO).pod("a", "n1", "v").controller().settle();
        assertThat(cluster.calls()).isEmpty();

        cluster.change(
                "n1",
                node -> NodeObjects.with(
                        node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")));
        cluster.settle();
        assertThat(cluster.attached("v")).containsExactly("n1");

        cluster.change(
                "n1",
                node -> NodeObjects.with(
                        node, node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "false")));
        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).as("left alone again").containsExactly("attach h-v n1");
    }

    @Test
    void waitsForANodeThatIsNotThereYet() {
        cluster.volume("v", RWO).pod("a", "n1", "v").controller().settle();
        assertThat(cluster.calls()).isEmpty();

        cluster.foreignNode("n1").settle();
        assertThat(cluster.attached("v")).containsExactly("n1");
    }

    @Test
    void attachesOnlyWhatItsPluginAttaches() {
        cluster.plugin.set(Capability.ATTACH, false);
        cluster.foreignNode("n1")
                .volume("v", RWO)
                .pod("a", "n1", "v")
                .controller()
                .settle();

        assertThat(cluster.calls()).isEmpty();
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void countsAVolumeThatIsNotReportedToTheNodeAsUnused() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.plugin.faults().add(Fault.on("attach").always());
        cluster.pod("a", "n1", "v").run();
        cluster.inUse("n1", "mem^h-v");
        cluster.run();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.records())
                .as("a failed attachment does not wait for the node's word")
                .isEmpty();
    }

    @Test
    void dropsVolumesOfTerminatedPods() {
        attachedOn("n1");
        cluster.pod("default", "a", "n1", PodPhase.SUCCEEDED, "v").settle();

        assertGone();
    }

    @Test
    void keepsVolumesOfTerminatedPodsWhereTheNodeAsksForIt() {
        cluster.foreignNode("n1").volume("v", RWO).controller();
        cluster.change(
                "n1",
                node -> NodeObjects.with(
                        node, node.metadata().withAnnotation(WellKnown.KEEP_TERMINATED_POD_VOLUMES, "true")));
        cluster.pod("a", "n1", "v").settle();
        cluster.pod("default", "a", "n1", PodPhase.FAILED, "v").settle();
        assertThat(cluster.attached("v")).containsExactly("n1");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v"))
                .as("deleting the pod always removes them")
                .isEmpty();
    }

    @Test
    void attachesWhenAClaimIsBoundLater() {
        cluster.foreignNode("n1").pod("a", "n1", "v").controller().settle();
        assertThat(cluster.calls()).isEmpty();

        cluster.volume("v", RWO).settle();
        assertThat(cluster.attached("v")).containsExactly("n1");
    }

    @Test
    void keepsAVolumeWhoseClaimCannotBeReadWhileItsPodIsThere() {
        attachedOn("n1");
        cluster.cluster.remove(ObjectKey.claim("default", "v"));
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.killController("c");
        cluster.controller().settle();
        assertThat(cluster.controlCalls()).as("not after a restart either").containsExactly("attach h-v n1");
        assertThat(cluster.explain("v").text()).contains("claim default/v");

        cluster.deletePod("a");
        cluster.settle();
        assertGone();
    }

    @Test
    void takesAPodOfTheSameNameForAnother() {
        attachedOn("n1");
        cluster.foreignNode("n2").volume("w", RWO);
        cluster.deletePod("a");
        cluster.cluster.apply(podOfAnotherUid());
        cluster.settle();

        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.attached("w")).containsExactly("n2");
    }

    private io.volume4j.spi.model.Pod podOfAnotherUid() {
        AttachHarness other = new AttachHarness(2);
        other.pod("a", "n2", "w");
        var pod = (io.volume4j.spi.model.Pod)
                other.cluster.get(ObjectKey.pod("default", "a")).orElseThrow();
        return new io.volume4j.spi.model.Pod(
                ObjectMeta.named("default", "a").withUid("another"), pod.spec(), pod.status(), Unmodeled.none());
    }
}
