package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.PluginCapability.Service;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A volume is made from a snapshot only where it can be reached. The plugin's own node is in zone a. */
@Timeout(120)
class CsiRestoringTest {
    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @BeforeEach
    void driver() {
        world.calls.on(
                ControllerGrpc.getCreateVolumeMethod(),
                request -> CreateVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder()
                                .setVolumeId("v")
                                .setCapacityBytes(Given.GIB)
                                .setContentSource(request.getVolumeContentSource()))
                        .build());
    }

    @Test
    void aPlaceOfTheClassIsAskedForOnlyIfTheSnapshotIsUsableThere() {
        assertThat(zones(restore(zones("b", "c"), null, "c", "d"))).containsExactly("c");
    }

    @Test
    void whereTheClassSaysNothingTheNodesCount() {
        assertThat(zones(restore(null, null, "a", "d"))).containsExactly("a");
    }

    @Test
    void aClassThatAllowsNoPlaceOfTheSnapshotIsInfeasibleAndTheDriverIsNotAsked() {
        assertThat(refused(zones("b"), null, "c").kind()).isEqualTo(FailureKind.INFEASIBLE);
        assertThat(world.driver.calls("CreateVolume")).isZero();
    }

    @Test
    void aNodeThatCannotReachItIsLeftForAnotherAndTheDriverIsNotAsked() {
        VolumeException refused = refused(null, Given.NODE, "b");
        assertThat(refused.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(refused).hasMessageContaining("zone=b");
        assertThat(world.driver.calls("CreateVolume")).isZero();
    }

    @Test
    void aNodeThatReachesItIsAskedForFirst() {
        assertThat(zones(restore(null, Given.NODE, "b", "a")).get(0)).isEqualTo("a");
    }

    @Test
    void aDriverThatCannotBeToldPlacesIsStillNotAskedForANodeThatCannotReachIt() {
        world.services(Service.Type.CONTROLLER_SERVICE, Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
        assertThat(restore(null, Given.NODE, "a").hasAccessibilityRequirements())
                .isFalse();
        assertThat(refused(null, Given.NODE, "b").kind()).isEqualTo(FailureKind.EXHAUSTED);
    }

    @Test
    void aSnapshotThatSaysNothingIsUsableEverywhere() {
        assertThat(zones(restore(zones("b", "c"), null))).containsExactly("b", "c");
    }

    private VolumeException refused(@Nullable NodeSelector allowed, @Nullable String node, String... usable) {
        return catchThrowableOfType(VolumeException.class, () -> restore(allowed, node, usable));
    }

    private CreateVolumeRequest restore(@Nullable NodeSelector allowed, @Nullable String node, String... usable) {
        Places places = new Places(java.util.Arrays.stream(usable)
                .map(zone -> Map.of("zone", zone))
                .toList());
        Node selected = node == null
                ? null
                : new Node(
                        ObjectMeta.named("", node),
                        new Node.Spec(List.of()),
                        new Node.Status(true, List.of(), List.of(), Map.of()),
                        Unmodeled.none());
        ProvisionRequest request = new ProvisionRequest(
                        "pvc-u1",
                        Given.claim(AccessMode.READ_WRITE_ONCE),
                        Given.storageClass(Map.of(), allowed),
                        Given.GIB,
                        0,
                        selected)
                .filledFrom(new ContentSource(ContentSource.Kind.SNAPSHOT, "s-1", places));
        world.plugin().provisioner(request.storageClass()).orElseThrow().provision(request, context);
        return world.calls.last(CreateVolumeRequest.class);
    }

    private static List<String> zones(CreateVolumeRequest sent) {
        return sent.getAccessibilityRequirements().getRequisiteList().stream()
                .map(Topology::getSegmentsMap)
                .map(segments -> segments.get("zone"))
                .toList();
    }

    private static NodeSelector zones(String... zones) {
        return new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of(zones))), List.of())));
    }
}
