package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeResponse;
import io.volume4j.csi.internal.proto.GetCapacityRequest;
import io.volume4j.csi.internal.proto.GetCapacityResponse;
import io.volume4j.csi.internal.proto.PluginCapability.Service;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import io.volume4j.spi.plugin.CapacityReporter.CapacityRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Inventory.Held;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CreateVolume, DeleteVolume, GetCapacity and ListVolumes as the control plane asks for them. */
@Timeout(120)
class CsiProvisioningTest {
    private static final SecretRef SECRET = new SecretRef("kube-system", "array");
    private static final Map<String, String> WITH_SECRET = Map.of(
            "csi.storage.k8s.io/provisioner-secret-name", "array",
            "csi.storage.k8s.io/provisioner-secret-namespace", "kube-system");

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @Test
    void asksForTheNameThatTheIntentHoldsAndGivesBackWhatTheDriverMade() {
        creates(Given.GIB);
        world.secret(SECRET, "tops3cret-array");
        Map<String, String> parameters = new java.util.TreeMap<>(WITH_SECRET);
        parameters.put("type", "ssd");
        parameters.put("csi.storage.k8s.io/fstype", "xfs");
        parameters.put("csi.storage.k8s.io/node-stage-secret-name", "${pvc.name}-key");
        parameters.put("csi.storage.k8s.io/node-stage-secret-namespace", "${pvc.namespace}");

        ProvisionResult made = provision(Given.provision(parameters));

        CreateVolumeRequest sent = world.calls.last(CreateVolumeRequest.class);
        assertThat(sent.getName()).isEqualTo("pvc-u1");
        assertThat(sent.getParametersMap()).containsExactly(Map.entry("type", "ssd"));
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-array"));
        assertThat(sent.getCapacityRange().getRequiredBytes()).isEqualTo(Given.GIB);
        assertThat(sent.getVolumeCapabilities(0).getMount().getFsType()).isEqualTo("xfs");
        CsiSource source = (CsiSource) made.source();
        assertThat(source.volumeHandle()).isEqualTo("vol-pvc-u1");
        assertThat(source.fsType()).isEqualTo("xfs");
        assertThat(source.volumeAttributes()).containsExactly(Map.entry("pool", "p1"));
        assertThat(source.nodeStageSecretRef()).isEqualTo(new SecretRef("shop", "db-key"));
        assertThat(made.capacityBytes()).isEqualTo(Given.GIB);
        assertThat(made.toString()).doesNotContain("tops3cret-array");
    }

    @Test
    void tellsForWhichClaimTheVolumeIsIfThePolicySaysSo() {
        creates(Given.GIB);
        world.with(builder -> builder.policy(
                CsiDriverPolicy.builder().extraCreateMetadata(true).build()));

        provision(Given.provision(Map.of("type", "ssd")));

        assertThat(world.calls.last(CreateVolumeRequest.class).getParametersMap())
                .containsOnly(
                        Map.entry("type", "ssd"),
                        Map.entry("csi.storage.k8s.io/pv/name", "pvc-u1"),
                        Map.entry("csi.storage.k8s.io/pvc/name", "db"),
                        Map.entry("csi.storage.k8s.io/pvc/namespace", "shop"));
    }

    @ParameterizedTest
    @CsvSource({
        "READ_WRITE_ONCE,     true,  SINGLE_NODE_MULTI_WRITER",
        "READ_WRITE_ONCE_POD, true,  SINGLE_NODE_SINGLE_WRITER",
        "READ_ONLY_MANY,      true,  MULTI_NODE_READER_ONLY",
        "READ_WRITE_MANY,     true,  MULTI_NODE_MULTI_WRITER",
        "READ_WRITE_ONCE,     false, SINGLE_NODE_WRITER",
        "READ_WRITE_ONCE_POD, false, SINGLE_NODE_WRITER",
    })
    void asksForTheAccessModeThatTheDriverUnderstands(AccessMode mode, boolean newModes, Mode expected) {
        creates(Given.GIB);
        if (!newModes) {
            world.controller(RPC.Type.CREATE_DELETE_VOLUME);
        }
        provision(new ProvisionRequest("pvc-u1", Given.claim(mode), Given.storageClass(Map.of()), Given.GIB, 0, null));
        assertThat(world.calls.last(CreateVolumeRequest.class).getVolumeCapabilitiesList())
                .extracting(capability -> capability.getAccessMode().getMode())
                .containsExactly(expected);
    }

    @Test
    void asksForARawDeviceWhereTheClaimWantsOne() {
        creates(Given.GIB);
        provision(new ProvisionRequest(
                "pvc-u1",
                Given.claim(VolumeMode.BLOCK, null, AccessMode.READ_WRITE_ONCE),
                Given.storageClass(Map.of()),
                Given.GIB,
                0,
                null));
        assertThat(world.calls
                        .last(CreateVolumeRequest.class)
                        .getVolumeCapabilities(0)
                        .hasBlock())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"512", "4096"})
    void aVolumeOfTheWrongSizeIsTakenBackAndProvedAbsent(long mebibytes) {
        creates(mebibytes << 20);
        deletes();
        ProvisionRequest request = new ProvisionRequest(
                "pvc-u1",
                Given.claim(AccessMode.READ_WRITE_ONCE),
                Given.storageClass(Map.of()),
                Given.GIB,
                2 * Given.GIB,
                null);
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> provision(request));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.provesAbsent()).isTrue();
        assertThat(world.calls.last(DeleteVolumeRequest.class).getVolumeId()).isEqualTo("vol-pvc-u1");
    }

    /** A claim was bound to such a volume, and no node could mount it. */
    @Test
    void aVolumeWithAnIdThatIsTooLongToBeKeptIsTakenBackAndProvedAbsent() {
        String id = "v".repeat(70_000);
        world.calls.on(
                ControllerGrpc.getCreateVolumeMethod(),
                request -> CreateVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(id).setCapacityBytes(Given.GIB))
                        .build());
        deletes();
        VolumeException failure =
                catchThrowableOfType(VolumeException.class, () -> provision(Given.provision(Map.of())));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.provesAbsent()).isTrue();
        assertThat(failure.getMessage())
                .contains("volume.volume_id has more than 4096 bytes")
                .hasSizeLessThan(1_000);
        assertThat(world.calls.last(DeleteVolumeRequest.class).getVolumeId()).isEqualTo(id);
    }

    @Test
    void aCopyThatIsNoCopyIsTakenBackBecauseItWouldBeEmpty() {
        creates(Given.GIB);
        deletes();
        ProvisionRequest request =
                Given.provision(Map.of()).filledFrom(new ContentSource(ContentSource.Kind.SNAPSHOT, "snap-9"));
        assertThat(catchThrowableOfType(VolumeException.class, () -> provision(request))
                        .provesAbsent())
                .isTrue();
    }

    @Test
    void aUselessVolumeThatCannotBeTakenBackStaysInDoubt() {
        creates(1);
        world.driver.failing(ControllerGrpc.getDeleteVolumeMethod(), Status.UNAVAILABLE);
        assertThat(catchThrowableOfType(VolumeException.class, () -> provision(Given.provision(Map.of())))
                        .kind())
                .isEqualTo(FailureKind.UNCERTAIN);
    }

    @Test
    void aDriverThatDoesNotKnowTheSizeIsBelievedToHaveMadeWhatWasAskedFor() {
        creates(0);
        assertThat(provision(Given.provision(Map.of())).capacityBytes()).isEqualTo(Given.GIB);
    }

    @Test
    void fillsFromTheSourceThatTheHostFindsForTheClaim() {
        world.with(builder -> builder.objects(new CsiObjects() {
            @Override
            public Optional<ContentSource> contentSource(String namespace, TypedReference reference) {
                return namespace.equals("shop") && reference.name().equals("nightly")
                        ? Optional.of(new ContentSource(ContentSource.Kind.SNAPSHOT, "snap-1"))
                        : Optional.empty();
            }

            @Override
            public Optional<Map<String, String>> volumeAttributes(String className) {
                return Optional.empty();
            }
        }));
        world.calls.on(
                ControllerGrpc.getCreateVolumeMethod(),
                request -> CreateVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder()
                                .setVolumeId("v")
                                .setCapacityBytes(Given.GIB)
                                .setContentSource(request.getVolumeContentSource()))
                        .build());
        ProvisionRequest request = from(new TypedReference("snapshot.storage.k8s.io", "VolumeSnapshot", "", "nightly"));
        provision(request);
        assertThat(world.calls
                        .last(CreateVolumeRequest.class)
                        .getVolumeContentSource()
                        .getSnapshot()
                        .getSnapshotId())
                .isEqualTo("snap-1");
        VolumeException unknown = catchThrowableOfType(
                VolumeException.class,
                () -> provision(from(new TypedReference("snapshot.storage.k8s.io", "VolumeSnapshot", "", "gone"))));
        assertThat(unknown.kind()).isEqualTo(FailureKind.FINAL);
    }

    private static ProvisionRequest from(TypedReference reference) {
        return new ProvisionRequest(
                "pvc-u1",
                Given.claim(VolumeMode.FILESYSTEM, reference, AccessMode.READ_WRITE_ONCE),
                Given.storageClass(Map.of()),
                Given.GIB,
                0,
                null);
    }

    @Test
    void mutableParametersTravelApartFromTheOthers() {
        creates(Given.GIB);
        provision(Given.provision(Map.of("iops", "100")).withMutableParameters(Map.of("iops", "200")));
        CreateVolumeRequest sent = world.calls.last(CreateVolumeRequest.class);
        assertThat(sent.getParametersMap()).containsEntry("iops", "100");
        assertThat(sent.getMutableParamsMap()).containsExactly(Map.entry("iops", "200"));
    }

    @Test
    void aPlaceThatTheClassAllowsIsAskedForAndTheAnswerBecomesNodeAffinity() {
        world.calls.on(
                ControllerGrpc.getCreateVolumeMethod(),
                request -> CreateVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder()
                                .setVolumeId("v")
                                .setCapacityBytes(Given.GIB)
                                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", "b")))
                        .build());
        NodeSelector allowed = new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of("b", "c"))), List.of())));
        ProvisionResult made = provision(new ProvisionRequest(
                "pvc-u1",
                Given.claim(AccessMode.READ_WRITE_ONCE),
                Given.storageClass(Map.of(), allowed),
                Given.GIB,
                0,
                null));
        assertThat(world.calls
                        .last(CreateVolumeRequest.class)
                        .getAccessibilityRequirements()
                        .getRequisiteList())
                .extracting(topology -> topology.getSegmentsMap().get("zone"))
                .containsExactly("b", "c");
        NodeSelector nodes = java.util.Objects.requireNonNull(made.nodeAffinity());
        assertThat(nodes.matches("n", Map.of("zone", "b"))).isTrue();
        assertThat(nodes.matches("n", Map.of("zone", "a"))).isFalse();
    }

    /** A driver takes the first place that has room. */
    @Test
    void theClaimsOfASetBeginAtOtherPlaces() {
        creates(Given.GIB);
        NodeSelector allowed = new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of("b", "c"))), List.of())));
        List<String> firsts = new ArrayList<>();
        for (String claim : List.of("data-web-0", "data-web-1", "data-web-2", "data-web-1")) {
            provision(new ProvisionRequest(
                    "pvc-u1",
                    Given.claim(claim, AccessMode.READ_WRITE_ONCE),
                    Given.storageClass(Map.of(), allowed),
                    Given.GIB,
                    0,
                    null));
            firsts.add(firstZone());
        }

        assertThat(firsts.subList(0, 2)).containsExactlyInAnyOrder("b", "c");
        assertThat(firsts.get(2)).isEqualTo(firsts.get(0));
        assertThat(firsts.get(3)).isEqualTo(firsts.get(1));
    }

    /** The volume would be somewhere, and the pod's node perhaps not. */
    @Test
    void aNodeWhoseDriverIsNotRegisteredYetIsLeftForAnotherAndTheDriverIsNotAsked() {
        creates(Given.GIB);
        CsiNodes.CsiNode old = new CsiNodes.CsiNode("old", "id-of-old", Map.of("zone", "b"), 0);
        world.with(builder -> builder.nodes(Given.onlyNode(old)));
        VolumeException refused =
                catchThrowableOfType(VolumeException.class, () -> provision(forNode("fresh", Map.of())));
        assertThat(refused.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(refused).hasMessageContaining("where node fresh is for driver");
        assertThat(world.driver.calls("CreateVolume")).isZero();

        provision(forNode("fresh", Map.of("zone", "c")));
        assertThat(firstZone()).as("from the labels of an earlier registration").isEqualTo("c");
        provision(forNode("old", Map.of()));
        assertThat(firstZone()).isEqualTo("b");
    }

    /** A cloud may label a node some time after its driver is registered. */
    @Test
    void aNodeWhosePlaceIsNotKnownYetIsLeftForAnotherAndTheDriverIsNotAsked() {
        creates(Given.GIB);
        world.with(builder -> builder.nodes(Given.nodes(
                new CsiNodes.CsiNode("old", "id-of-old", Map.of("zone", "b"), 0),
                new CsiNodes.CsiNode("fresh", "id-of-fresh", Map.of(), 0))));

        VolumeException refused =
                catchThrowableOfType(VolumeException.class, () -> provision(forNode("fresh", Map.of())));

        assertThat(refused.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(refused).hasMessageContaining("where node fresh is for driver");
        assertThat(world.driver.calls("CreateVolume")).isZero();
    }

    @Test
    void aDriverThatToldThePlaceOfNoNodeDecidesWhereTheVolumeIs() {
        creates(Given.GIB);
        CsiNodes.CsiNode only = new CsiNodes.CsiNode("n2", "id-of-n2", Map.of(), 0);
        world.with(builder -> builder.nodes(Given.onlyNode(only)));

        provision(forNode("n2", Map.of()));

        assertThat(world.calls.last(CreateVolumeRequest.class).hasAccessibilityRequirements())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeThatTheClassDoesNotAllowIsLeftForAnotherAndTheDriverIsNotAsked(boolean strict) {
        creates(Given.GIB);
        inZones(strict, "a", "b");

        VolumeException refused = catchThrowableOfType(
                VolumeException.class, () -> provision(forNode("in-a", Map.of(), zones("zone", "b"))));

        assertThat(refused.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(refused)
                .hasMessageContaining("storage class fast allows no volume where node in-a is")
                .hasMessageContaining("zone=a");
        assertThat(world.driver.calls("CreateVolume")).isZero();
    }

    /** The earlier call may have made a volume before the class was replaced. */
    @Test
    void aCallThatMayHaveHadAnEffectIsRepeatedAlthoughTheClassDoesNotAllowTheNode() {
        creates(Given.GIB);
        inZones(false, "a", "b");

        provision(forNode("in-a", Map.of(), zones("zone", "b")).toBuilder()
                .repeated(true)
                .build());

        assertThat(zonesOf(requirement().getRequisiteList())).containsExactly("b");
    }

    @Test
    void strictTopologyAsksForThePlaceOfTheSelectedNodeOnly() {
        creates(Given.GIB);
        inZones(true, "a", "b");

        provision(forNode("in-a", Map.of()));
        assertThat(zonesOf(requirement().getRequisiteList())).containsExactly("a");

        provision(forNode("in-b", Map.of(), zones("zone", "a", "b")));
        assertThat(zonesOf(requirement().getRequisiteList())).containsExactly("b");
    }

    /** It would make the volume anywhere. */
    @Test
    void aDriverThatHasPlacesSinceItWasUpdatedIsToldWhereTheVolumeMustBe() {
        creates(Given.GIB);
        inZones(true, "a", "b");
        world.services(Service.Type.CONTROLLER_SERVICE);
        CsiPlugin plugin = world.plugin();
        world.driver.kill();
        world.services(Service.Type.CONTROLLER_SERVICE, Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
        world.driver.start();
        ProvisionRequest request = forNode("in-b", Map.of());

        plugin.provisioner(request.storageClass()).orElseThrow().provision(request, context);

        assertThat(zonesOf(requirement().getRequisiteList())).containsExactly("b");
    }

    @Test
    void withoutStrictTopologyThePlaceOfTheSelectedNodeIsOnlyPreferred() {
        creates(Given.GIB);
        inZones(false, "a", "b");

        provision(forNode("in-b", Map.of()));

        assertThat(zonesOf(requirement().getPreferredList())).containsExactly("b", "a");
    }

    /** Schedulers compare the class with the labels of the node. The driver's own key is another one. */
    @Test
    void aClassMayNameLabelsOfTheNodeThatAreNotKeysOfTheDriver() {
        creates(Given.GIB);
        inZones(false, "a", "b");
        String label = "topology.kubernetes.io/zone";

        provision(forNode("in-b", Map.of(label, "b"), zones(label, "a", "b")));

        assertThat(requirement().getPreferred(0).getSegmentsMap()).containsExactly(Map.entry("zone", "b"));
        assertThat(requirement().getRequisiteList())
                .extracting(Topology::getSegmentsMap)
                .containsExactly(Map.of("zone", "b"), Map.of(label, "a"), Map.of(label, "b"));
    }

    /** In each zone the driver has a node whose name tells where it is. */
    private void inZones(boolean strict, String... zones) {
        CsiNodes.CsiNode[] nodes = Arrays.stream(zones)
                .map(zone -> new CsiNodes.CsiNode("in-" + zone, "id-in-" + zone, Map.of("zone", zone), 0))
                .toArray(CsiNodes.CsiNode[]::new);
        world.with(builder -> builder.nodes(Given.nodes(nodes))
                .policy(CsiDriverPolicy.builder().strictTopology(strict).build()));
    }

    private static NodeSelector zones(String key, String... zones) {
        return new NodeSelector(
                List.of(new NodeSelector.Term(List.of(new SelectorRequirement(key, "In", List.of(zones))), List.of())));
    }

    private TopologyRequirement requirement() {
        return world.calls.last(CreateVolumeRequest.class).getAccessibilityRequirements();
    }

    private static List<String> zonesOf(List<Topology> places) {
        return places.stream().map(place -> place.getSegmentsOrThrow("zone")).toList();
    }

    /** The claim could not even be deleted until the driver is back on that node. */
    @Test
    void aCallThatMayHaveHadAnEffectIsRepeatedAlthoughTheDriverHasLeftTheNode() {
        creates(Given.GIB);
        CsiNodes.CsiNode old = new CsiNodes.CsiNode("old", "id-of-old", Map.of("zone", "b"), 0);
        world.with(builder -> builder.nodes(Given.onlyNode(old)));
        provision(forNode("left", Map.of()).toBuilder().repeated(true).build());
        assertThat(firstZone()).isEqualTo("b");
    }

    private String firstZone() {
        return zonesOf(requirement().getPreferredList()).get(0);
    }

    private static ProvisionRequest forNode(String name, Map<String, String> labels) {
        return forNode(name, labels, null);
    }

    private static ProvisionRequest forNode(String name, Map<String, String> labels, @Nullable NodeSelector allowed) {
        return new ProvisionRequest(
                "pvc-u1",
                Given.claim(AccessMode.READ_WRITE_ONCE),
                Given.storageClass(Map.of(), allowed),
                Given.GIB,
                0,
                new Node(
                        ObjectMeta.named("", name).toBuilder().labels(labels).build(),
                        new Node.Spec(List.of()),
                        new Node.Status(true, List.of(), List.of(), Map.of()),
                        Unmodeled.none()));
    }

    @ParameterizedTest
    @CsvSource({
        "ALREADY_EXISTS,     FINAL",
        "OUT_OF_RANGE,       INFEASIBLE",
        "RESOURCE_EXHAUSTED, EXHAUSTED",
        "INTERNAL,           UNCERTAIN",
        "UNKNOWN,            UNCERTAIN",
        "ABORTED,            UNCERTAIN",
        "DEADLINE_EXCEEDED,  UNCERTAIN",
        "INVALID_ARGUMENT,   FINAL"
    })
    void aRefusalMeansWhatTheTableSays(Status.Code code, FailureKind expected) {
        world.driver.failing(ControllerGrpc.getCreateVolumeMethod(), code.toStatus());
        VolumeException failure =
                catchThrowableOfType(VolumeException.class, () -> provision(Given.provision(Map.of())));
        assertThat(failure.kind()).isEqualTo(expected);
        assertThat(failure.advice()).isNotEmpty();
        assertThat(failure.provesAbsent()).isFalse();
    }

    private ProvisionResult provisionedWithSecret(CsiPlugin plugin) {
        creates(Given.GIB);
        deletes();
        world.secret(SECRET, "tops3cret-array");
        return plugin.provisioner(Given.storageClass(WITH_SECRET))
                .orElseThrow()
                .provision(Given.provision(WITH_SECRET), context);
    }

    private void delete(CsiPlugin plugin, ProvisionResult made) {
        plugin.deleter(Given.spec())
                .orElseThrow()
                .delete(new DeleteRequest("pvc-u1", made.source(), made.annotations()), context);
    }

    @Test
    void theSecretForDeletionIsRememberedByNameOnTheVolumeItself() {
        CsiPlugin plugin = world.plugin();
        ProvisionResult made = provisionedWithSecret(plugin);
        delete(plugin, made);
        assertThat(world.calls.last(DeleteVolumeRequest.class).getSecretsMap())
                .containsExactly(Map.entry("password", "tops3cret-array"));
        assertThat(made.annotations().toString()).doesNotContain("tops3cret-array");
    }

    @Test
    void aVolumeWhoseSecretIsGoneIsDeletedWithoutIt() {
        CsiPlugin plugin = world.plugin();
        ProvisionResult made = provisionedWithSecret(plugin);
        world.secrets.remove(SECRET);
        delete(plugin, made);
        assertThat(world.calls.last(DeleteVolumeRequest.class).getSecretsMap()).isEmpty();
    }

    @Test
    void aDeleteThatFindsNothingIsDoneOnlyIfTheDriverDeniesTheVolumeWhenAskedForIt() {
        world.driver.failing(ControllerGrpc.getDeleteVolumeMethod(), Status.NOT_FOUND);
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeMethod(),
                request -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                        .build());
        CsiPlugin plugin = world.plugin();
        DeleteRequest request = new DeleteRequest("pv-1", Given.source());
        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> plugin.deleter(Given.spec()).orElseThrow().delete(request, context));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);

        world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.NOT_FOUND);
        plugin.deleter(Given.spec()).orElseThrow().delete(request, context);
    }

    @Test
    void capacityIsAskedForAPlaceWithTheDriversOwnParametersOnly() {
        world.calls.on(
                ControllerGrpc.getGetCapacityMethod(),
                request -> GetCapacityResponse.newBuilder()
                        .setAvailableCapacity(100)
                        .setMaximumVolumeSize(com.google.protobuf.Int64Value.of(40))
                        .build());
        Capacity capacity = world.plugin()
                .capacity()
                .orElseThrow()
                .capacity(new CapacityRequest(Given.storageClass(WITH_SECRET), Map.of("zone", "a")), context);
        assertThat(capacity).isEqualTo(new Capacity(100, 40));
        GetCapacityRequest sent = world.calls.last(GetCapacityRequest.class);
        assertThat(sent.getParametersMap()).isEmpty();
        assertThat(sent.getAccessibleTopology().getSegmentsMap()).containsExactly(Map.entry("zone", "a"));
    }

    /** The question has no secrets; without an answer the scheduler places no pod. */
    @Test
    void capacityIsAskedForAClassWhoseSecretsBelongToItsClaims() {
        world.calls.on(
                ControllerGrpc.getGetCapacityMethod(),
                request -> GetCapacityResponse.newBuilder()
                        .setAvailableCapacity(100)
                        .build());
        Map<String, String> parameters = Map.of(
                "type", "ssd",
                "csi.storage.k8s.io/fstype", "xfs",
                "csi.storage.k8s.io/secret-name", "${pvc.name}",
                "csi.storage.k8s.io/secret-namespace", "${pvc.namespace}",
                "csi.storage.k8s.io/node-publish-secret-name", "${pvc.name}-key",
                "csi.storage.k8s.io/node-publish-secret-namespace", "${pvc.namespace}");
        assertThat(world.plugin()
                        .capacity()
                        .orElseThrow()
                        .capacity(new CapacityRequest(Given.storageClass(parameters), Map.of()), context))
                .isEqualTo(new Capacity(100, 0));
        assertThat(world.calls.last(GetCapacityRequest.class).getParametersMap())
                .containsExactly(Map.entry("type", "ssd"));
    }

    /** Zero is no missing limit: the scheduler would send pods where no volume can be made. */
    @Test
    void aDriverThatCanMakeNoVolumeHasNoCapacityWhateverIsLeftInParts() {
        world.calls.on(
                ControllerGrpc.getGetCapacityMethod(),
                request -> GetCapacityResponse.newBuilder()
                        .setAvailableCapacity(100)
                        .setMaximumVolumeSize(com.google.protobuf.Int64Value.of(0))
                        .build());
        assertThat(world.plugin()
                        .capacity()
                        .orElseThrow()
                        .capacity(new CapacityRequest(Given.storageClass(Map.of()), Map.of()), context))
                .isEqualTo(new Capacity(0, 0));
    }

    @Test
    void listsWhatTheDriverHolds() {
        world.calls.on(
                ControllerGrpc.getListVolumesMethod(),
                request -> io.volume4j.csi.internal.proto.ListVolumesResponse.newBuilder()
                        .addEntries(io.volume4j.csi.internal.proto.ListVolumesResponse.Entry.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId("a").setCapacityBytes(5)))
                        .build());
        assertThat(world.plugin().inventory().orElseThrow().list(context).volumes())
                .containsExactly(new Held("a", 5));
    }

    @Test
    void listsNoInlineVolumesBecauseANodeMakesAndDeletesThem() {
        String inline = "csi-" + "0f".repeat(32);
        world.calls.on(
                ControllerGrpc.getListVolumesMethod(),
                request -> io.volume4j.csi.internal.proto.ListVolumesResponse.newBuilder()
                        .addEntries(io.volume4j.csi.internal.proto.ListVolumesResponse.Entry.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId(inline)))
                        .addEntries(io.volume4j.csi.internal.proto.ListVolumesResponse.Entry.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId("csi-0f")))
                        .build());
        assertThat(world.plugin().inventory().orElseThrow().list(context).volumes())
                .containsExactly(new Held("csi-0f", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "csi.storage.k8s.io/unheard-of, x",
        "csi.storage.k8s.io/provisioner-secret-name, only-half",
        "csi.storage.k8s.io/secret-name, only-half",
    })
    void aClassWithAParameterOfOursThatMakesNoSenseIsRefusedBeforeAnythingIsMade(String key, String value) {
        VolumeException failure =
                catchThrowableOfType(VolumeException.class, () -> provision(Given.provision(Map.of(key, value))));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(world.driver.calls("CreateVolume")).isZero();
    }

    /** As with external-provisioner, which leaves this key to the driver too. */
    @ParameterizedTest
    @ValueSource(strings = {"fstype", "fsType", "FSType"})
    void theOldKeyNamesTheFilesystemInAnySpelling(String key) {
        creates(Given.GIB);

        CsiSource source =
                (CsiSource) provision(Given.provision(Map.of(key, "xfs"))).source();

        CreateVolumeRequest sent = world.calls.last(CreateVolumeRequest.class);
        assertThat(sent.getVolumeCapabilities(0).getMount().getFsType()).isEqualTo("xfs");
        assertThat(sent.getParametersMap()).containsExactly(Map.entry(key, "xfs"));
        assertThat(source.fsType()).isEqualTo("xfs");
        VolumeException twice = catchThrowableOfType(
                VolumeException.class,
                () -> provision(Given.provision(Map.of(key, "xfs", "csi.storage.k8s.io/fstype", "xfs"))));
        assertThat(twice).hasMessageContaining("twice");
    }

    /** The user of the claim chooses its name and annotations, and must not reach secrets in other namespaces with them. */
    @ParameterizedTest
    @ValueSource(strings = {"${pvc.name}", "${pvc.annotations['team']}"})
    void theUserOfAClaimDoesNotChooseTheNamespaceOfASecret(String namespace) {
        VolumeException failure = catchThrowableOfType(
                VolumeException.class,
                () -> provision(Given.provision(Map.of(
                        "csi.storage.k8s.io/node-stage-secret-name",
                        "key",
                        "csi.storage.k8s.io/node-stage-secret-namespace",
                        namespace))));

        assertThat(failure).hasMessageContaining(namespace);
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(world.driver.calls("CreateVolume")).isZero();
    }

    @Test
    void theDefaultSecretIsForEveryCallThatHasNoneOfItsOwn() {
        creates(Given.GIB);
        world.secret(SECRET, "tops3cret-array");
        Map<String, String> parameters = Map.of(
                "csi.storage.k8s.io/secret-name", "array",
                "csi.storage.k8s.io/secret-namespace", "kube-system",
                "csi.storage.k8s.io/node-stage-secret-name", "${pvc.name}-key",
                "csi.storage.k8s.io/node-stage-secret-namespace", "${pvc.namespace}");

        CsiSource source = (CsiSource) provision(Given.provision(parameters)).source();

        CreateVolumeRequest sent = world.calls.last(CreateVolumeRequest.class);
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-array"));
        assertThat(sent.getParametersMap()).isEmpty();
        assertThat(source.nodeStageSecretRef()).isEqualTo(new SecretRef("shop", "db-key"));
        assertThat(List.of(
                        Objects.requireNonNull(source.controllerPublishSecretRef()),
                        Objects.requireNonNull(source.nodePublishSecretRef()),
                        Objects.requireNonNull(source.controllerExpandSecretRef()),
                        Objects.requireNonNull(source.nodeExpandSecretRef())))
                .containsOnly(SECRET);
    }

    private void creates(long bytes) {
        world.calls.on(
                ControllerGrpc.getCreateVolumeMethod(),
                request -> CreateVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder()
                                .setVolumeId("vol-" + request.getName())
                                .setCapacityBytes(bytes)
                                .putVolumeContext("pool", "p1"))
                        .build());
    }

    private void deletes() {
        world.calls.on(ControllerGrpc.getDeleteVolumeMethod(), request -> DeleteVolumeResponse.getDefaultInstance());
    }

    private ProvisionResult provision(ProvisionRequest request) {
        return world.plugin().provisioner(request.storageClass()).orElseThrow().provision(request, context);
    }
}
