package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a detach needs is in the VolumeAttachment before the attach call, because its answer may be lost. */
class BeforeAttachTest {
    private final AttachHarness cluster = new AttachHarness(1);
    private final Driver driver = new Driver();

    @BeforeEach
    void aVolumeOfTheDriver() {
        cluster.others.add(driver);
        cluster.foreignNode("n1").volume("other", "v", AccessMode.READ_WRITE_ONCE);
        cluster.controller();
    }

    @Test
    void theNextProcessDetachesWithItAlthoughNoAttachWasAnswered() {
        driver.answers = false;
        cluster.pod("a", "n1", "v").run();
        assertThat(driver.calls).containsOnly("attach with b1, stored 1 node=b1");
        assertThat(cluster.records()).noneMatch(record -> record.status().attached());

        cluster.killController("c");
        driver.nodeId = "unknown";
        cluster.deletePod("a");
        cluster.controller().settle();

        assertThat(driver.calls).last().isEqualTo("detach with b1");
        assertThat(cluster.records()).isEmpty();
    }

    @Test
    void isWrittenOnceForAllAttempts() {
        driver.answers = false;
        cluster.pod("a", "n1", "v").settle();
        driver.answers = true;
        cluster.settle();

        assertThat(driver.calls).hasSizeGreaterThan(2).containsOnly("attach with b1, stored 1 node=b1");
        assertThat(cluster.records()).allMatch(record -> record.status().attached());
        assertThat(writesOfTheState()).isEqualTo(1);
    }

    @Test
    void aNewOneIsWrittenBeforeTheCallThatUsesIt() {
        driver.answers = false;
        cluster.pod("a", "n1", "v").run();
        driver.calls.clear();
        driver.nodeId = "b2";
        driver.answers = true;
        cluster.settle();

        assertThat(driver.calls).containsExactly("attach with b2, stored 1 node=b2");
        assertThat(cluster.records()).allMatch(record -> record.status().attached());
    }

    @Test
    void noCallIsMadeForARecordThatAnotherProgramChangedMeanwhile() {
        driver.meanwhile = () -> {
            driver.meanwhile = () -> {};
            cluster.cluster.patch(
                    cluster.records().get(0).key(),
                    new Patch(
                            Preconditions.none(),
                            false,
                            List.of(FieldChange.set("b0", "metadata", "annotations", "of-another-program"))));
        };
        cluster.pod("a", "n1", "v").settle();

        assertThat(cluster.told("FailedAttachVolume"))
                .singleElement()
                .asString()
                .contains("needs before its attach: another program changed it first");
        assertThat(driver.calls).containsExactly("attach with b1, stored 1 node=b1");
        assertThat(cluster.records()).allMatch(record -> record.status().attached());
    }

    /** The driver may name the node otherwise meanwhile. */
    @Test
    void theBackendIsAskedWithItWhatIsAttached() {
        cluster.killController("c");
        cluster.options = cluster.options.withVerifyEvery(Duration.ofMinutes(1));
        cluster.pod("a", "n1", "v").controller().run();
        driver.nodeId = "b2";
        cluster.world.advance(Duration.ofMinutes(1));

        assertThat(driver.calls).containsExactly("attach with b1, stored 1 node=b1", "observe with b1");
    }

    /** Its VolumeAttachment contains no state of the plugin. */
    @Test
    void whatAnotherAttacherAttachedIsDetachedWithItToo() {
        cluster.killController("c");
        cluster.cluster.apply(new VolumeAttachment(
                ObjectMeta.named("", AttachmentName.ofKubernetes("other", "h-v", "n1"))
                        .withFinalizers(List.of(AttacherName.finalizer("other")))
                        .withAnnotation(WellKnown.ATTACHED_NODE_ID, "b0"),
                VolumeAttachment.Spec.ofVolume("other", "n1", "pv-v"),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none()));
        cluster.controller().settle();

        assertThat(driver.calls).containsExactly("detach with b1 after b0");
        assertThat(cluster.records()).isEmpty();
    }

    /** After a hand-over the external-attacher needs it to detach from a node that is gone. */
    @Test
    void theNodeIdIsStoredWhereKubernetesExternalAttacherReadsIt() {
        cluster.killController("c");
        driver.annotatesNodeId = true;
        cluster.pod("a", "n1", "v").controller().run();

        assertThat(cluster.records().get(0).metadata().annotation(WellKnown.ATTACHED_NODE_ID))
                .isEqualTo("b1");
        assertThat(stored()).isEqualTo("1 node=b1");
        assertThat(writesOfTheState()).isEqualTo(1);
    }

    /** The external-attacher made the last call, after this controller's. */
    @Test
    void theNodeIdThatAnotherAttacherStoredLastIsDetachedToo() {
        cluster.killController("c");
        driver.annotatesNodeId = true;
        cluster.cluster.apply(new VolumeAttachment(
                ObjectMeta.named("", AttachmentName.ofKubernetes("other", "h-v", "n1"))
                        .withFinalizers(List.of(AttacherName.finalizer("other")))
                        .withAnnotation(GrantKeys.PLUGIN_STATE, "1 node=b1")
                        .withAnnotation(WellKnown.ATTACHED_NODE_ID, "b0"),
                VolumeAttachment.Spec.ofVolume("other", "n1", "pv-v"),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none()));
        cluster.controller().settle();

        assertThat(driver.calls).containsExactly("detach with b1, last by b0");
        assertThat(cluster.records()).isEmpty();
    }

    /** The node may never return, and another node could not get the volume. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aVolumeIsNotAttachedIfItWasNeverKnown(boolean restarted) {
        driver.knowsNode = false;
        cluster.pod("a", "n1", "v").run();
        assertThat(cluster.records()).hasSize(1);

        if (restarted) {
            cluster.killController("c");
        }
        cluster.deletePod("a");
        if (restarted) {
            cluster.controller();
        }
        cluster.settle();

        assertThat(driver.calls).isEmpty();
        assertThat(cluster.records()).isEmpty();
    }

    /** Another controller attached it, and its VolumeAttachment is gone. */
    @Test
    void aVolumeThatTheNodesStatusShowedIsNotTakenForDetached() {
        driver.knowsNode = false;
        cluster.change(
                "n1",
                node -> new Node(
                        node.metadata(),
                        node.spec(),
                        new Node.Status(
                                true,
                                List.of(),
                                List.of(new Node.AttachedVolume("kubernetes.io/csi/other^h-v", "")),
                                Map.of()),
                        node.unmodeled()));
        cluster.pod("a", "n1", "v").run();
        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.records())
                .singleElement()
                .satisfies(
                        record -> assertThat(record.metadata().annotations()).containsKey(AttachCalls.FOUND_ATTACHED));
    }

    /** Another program wrote that, and the plugin may have made its call before it could tell what a detach needs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "attached",
                AttachCalls.ADOPTED,
                AttachCalls.FOUND_ATTACHED,
                WellKnown.ATTACHED_NODE_ID,
                GrantKeys.PLUGIN_STATE,
                GrantKeys.DEVICE_PATH
            })
    void aVolumeThatMayBeAttachedIsNotTakenForDetachedIfItIsNotKnownNow(String sign) {
        driver.knowsNode = false;
        cluster.pod("a", "n1", "v").run();
        cluster.killController("c");
        cluster.cluster.patch(
                cluster.records().get(0).key(),
                new Patch(
                        Preconditions.none(),
                        sign.equals("attached"),
                        List.of(
                                sign.equals("attached")
                                        ? FieldChange.set(true, "status", "attached")
                                        : FieldChange.set("true", "metadata", "annotations", sign))));
        cluster.deletePod("a");
        cluster.controller().settle();

        assertThat(cluster.records()).hasSize(1);
    }

    /** Whether the plugin attaches follows from the settings of its driver, as for a CSI driver without a controller service. */
    @Test
    void thePluginGetsTheSettingsOfItsDriverWithTheVolume() {
        driver.asksForSettings = true;
        CsiDriver.Spec settings =
                CsiDriver.Spec.defaults().toBuilder().attachRequired(true).build();
        cluster.cluster.apply(new CsiDriver(ObjectMeta.named("", "other"), settings, Unmodeled.none()));
        cluster.pod("a", "n1", "v").settle();

        assertThat(driver.calls).containsExactly("attach with b1, stored 1 node=b1");
        assertThat(cluster.attachedTo("n1")).containsExactly("other^h-v");
    }

    private long writesOfTheState() {
        return cluster.cluster.writes().stream()
                .filter(write -> write.patch() != null
                        && write.patch().changes().stream()
                                .anyMatch(change -> change.path().contains(GrantKeys.PLUGIN_STATE)))
                .count();
    }

    private String stored() {
        return cluster.records().get(0).metadata().annotation(GrantKeys.PLUGIN_STATE);
    }

    /** A driver that detaches by its own name for the node. */
    private final class Driver implements VolumePlugin {
        final List<String> calls = new ArrayList<>();
        String nodeId = "b1";
        boolean answers = true;
        boolean asksForSettings;
        boolean annotatesNodeId;
        boolean knowsNode = true;
        Runnable meanwhile = () -> {};

        @Override
        public String name() {
            return "other";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(name());
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return ((CsiSource) spec.source()).volumeHandle();
        }

        @Override
        public Optional<Attacher> attacher(VolumeSpec spec) {
            if (asksForSettings && spec.driver() == null) {
                return Optional.empty();
            }
            return Optional.of(new Attacher() {
                @Override
                public PluginState beforeAttach(AttachRequest request, CallContext context) {
                    meanwhile.run();
                    mustKnowNode();
                    String before = request.state().get(WellKnown.ATTACHED_NODE_ID);
                    String node = before.isEmpty() ? nodeId : nodeId + " after " + before;
                    return new PluginState(
                            1,
                            annotatesNodeId
                                    ? Map.of("node", node, WellKnown.ATTACHED_NODE_ID, nodeId)
                                    : Map.of("node", node));
                }

                @Override
                public AttachResult attach(AttachRequest request, CallContext context) {
                    calls.add("attach with " + request.state().get("node") + ", stored " + stored());
                    if (!answers) {
                        throw VolumeException.uncertain("no answer");
                    }
                    return AttachResult.at("").with(request.state());
                }
            });
        }

        @Override
        public Optional<Observer> observer() {
            return Optional.of((queries, context) -> queries.stream()
                    .map(query -> {
                        calls.add("observe with " + query.state().get("node"));
                        return Observer.Observation.PRESENT;
                    })
                    .toList());
        }

        @Override
        public Optional<Detacher> detacher(VolumeId volume) {
            return Optional.of((request, context) -> {
                mustKnowNode();
                calls.add("detach with "
                        + request.state().get("node")
                        + (annotatesNodeId ? ", last by " + request.state().get(WellKnown.ATTACHED_NODE_ID) : ""));
            });
        }

        private void mustKnowNode() {
            if (!knowsNode) {
                throw VolumeException.transientFailure("the driver has not told yet what it calls the node");
            }
        }
    }
}
