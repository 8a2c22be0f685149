package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerPublishVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeResponse;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Attacher.AttachRequest;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.Detacher.DetachRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ControllerPublishVolume, ControllerUnpublishVolume, and what the driver says about them afterwards. */
@Timeout(120)
class CsiAttachingTest {
    private static final SecretRef SECRET = new SecretRef("kube-system", "attach");

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @Test
    void attachesToTheNodeByTheDriversNameForItAndPassesOnWhatTheDriverGave() {
        publishes();
        AttachResult attached = attach(world.plugin(), Given.spec(AccessMode.READ_WRITE_ONCE));
        ControllerPublishVolumeRequest sent = world.calls.last(ControllerPublishVolumeRequest.class);
        assertThat(sent.getNodeId()).isEqualTo(PluginHarness.NODE_ID);
        assertThat(sent.getVolumeId()).isEqualTo("vol-1");
        assertThat(sent.getVolumeContextMap()).containsExactly(Map.entry("tier", "gold"));
        assertThat(attached.metadata()).containsExactly(Map.entry("lun", "3"));
    }

    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
    void isReadOnlyOnlyForAVolumeThatIsSoForEverybodyAndADriverThatCan(
            boolean volume, boolean driverCan, boolean expected) {
        publishes();
        if (!driverCan) {
            world.controller(RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        }
        CsiSource source = new CsiSource(Given.DRIVER, "vol-1", volume, "ext4", Map.of(), null, null, null, null, null);
        attach(world.plugin(), Given.spec(source, VolumeMode.FILESYSTEM, List.of(), AccessMode.READ_WRITE_ONCE));
        assertThat(world.calls.last(ControllerPublishVolumeRequest.class).getReadonly())
                .isEqualTo(expected);
    }

    @Test
    void detachesByWhatTheAttachmentLeftBehindAlthoughTheNodeIsGone() {
        publishes();
        unpublishes();
        world.secret(SECRET, "tops3cret-attach");
        world.with(builder -> builder.nodes(Given.onlyNode(new CsiNodes.CsiNode("n2", "id-of-n2", Map.of(), 0))));
        CsiSource source =
                new CsiSource(Given.DRIVER, "vol-1", false, "ext4", Map.of(), SECRET, null, null, null, null);
        CsiPlugin plugin = world.plugin();
        VolumeSpec spec = Given.spec(source, VolumeMode.FILESYSTEM, List.of(), AccessMode.READ_WRITE_ONCE);
        AttachResult attached = plugin.attacher(spec)
                .orElseThrow()
                .attach(new AttachRequest(spec, Given.VOLUME, "n2", false, PluginState.none()), context);
        assertThat(attached.state().toString()).doesNotContain("tops3cret-attach");

        world.with(builder -> builder);
        detach(world.plugin(), "n2", attached.state());

        ControllerUnpublishVolumeRequest sent = world.calls.last(ControllerUnpublishVolumeRequest.class);
        assertThat(sent.getNodeId()).isEqualTo("id-of-n2");
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-attach"));
    }

    @Test
    void anAttachmentWhoseAnswerWasLostIsDetachedWithItsSecretByTheNextProcess() {
        world.driver.failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.UNAVAILABLE);
        unpublishes();
        world.secret(SECRET, "tops3cret-attach");
        CsiSource source =
                new CsiSource(Given.DRIVER, "vol-1", false, "ext4", Map.of(), SECRET, null, null, null, null);
        VolumeSpec spec = Given.spec(source, VolumeMode.FILESYSTEM, List.of(), AccessMode.READ_WRITE_ONCE);
        CsiPlugin dying = world.plugin();
        assertThat(catchThrowableOfType(VolumeException.class, () -> attach(dying, spec))
                        .kind())
                .isEqualTo(FailureKind.UNCERTAIN);

        detach(world.plugin(), Given.NODE, PluginState.none());

        assertThat(world.calls.last(ControllerUnpublishVolumeRequest.class).getSecretsMap())
                .containsExactly(Map.entry("password", "tops3cret-attach"));
        assertThat(world.machine.leaks(Given.ROOT)).noneMatch(path -> path.contains("attachments"));
    }

    @Test
    void whatIsKnownBeforeTheAttachIsEnoughToDetachAlthoughTheNodeIsGone() {
        unpublishes();
        world.secret(SECRET, "tops3cret-attach");
        PluginState known = beforeAttach(pluginKnowing("n2", "id-of-n2"), spec(SECRET), "n2", PluginState.none());
        assertThat(known.toString()).doesNotContain("tops3cret-attach");
        assertThat(world.driver.calls("ControllerPublishVolume")).isZero();

        world.with(builder -> builder);
        detach(world.plugin(), "n2", known);

        ControllerUnpublishVolumeRequest sent = world.calls.last(ControllerUnpublishVolumeRequest.class);
        assertThat(sent.getNodeId()).isEqualTo("id-of-n2");
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-attach"));
    }

    /** Kubernetes' external-attacher stores only the id, and asks for the secret again. */
    @Test
    void whatAnotherAttacherAttachedIsDetachedByTheIdThatItStoredAlthoughTheNodeIsGone() {
        unpublishes();
        world.secret(SECRET, "tops3cret-attach");
        PluginState stored = new PluginState(0, Map.of(WellKnown.ATTACHED_NODE_ID, "id-of-n2"));
        CsiPlugin plugin = world.plugin();

        detach(plugin, "n2", beforeAttach(plugin, spec(SECRET), "n2", stored));

        ControllerUnpublishVolumeRequest sent = world.calls.last(ControllerUnpublishVolumeRequest.class);
        assertThat(sent.getNodeId()).isEqualTo("id-of-n2");
        assertThat(sent.getSecretsMap()).containsExactly(Map.entry("password", "tops3cret-attach"));
    }

    /** The node was replaced under its name. */
    @ParameterizedTest
    @CsvSource({"new-id", "old-id"})
    void whatAnotherAttacherAttachedIsDetachedIfTheDriverKnowsOneOfTheIds(String unknown) {
        world.calls.on(ControllerGrpc.getControllerUnpublishVolumeMethod(), request -> {
            if (request.getNodeId().equals(unknown)) {
                throw Status.NOT_FOUND.asRuntimeException();
            }
            return ControllerUnpublishVolumeResponse.getDefaultInstance();
        });

        detach(pluginKnowing("n2", "new-id"), "n2", attachedByAnother("old-id"));

        assertThat(world.calls.of(ControllerUnpublishVolumeRequest.class))
                .extracting(ControllerUnpublishVolumeRequest::getNodeId)
                .containsExactly("old-id", "new-id");
    }

    @Test
    void ifTheDriverKnowsNeitherIdTheVolumeMayStillBeAttached() {
        world.driver.failing(ControllerGrpc.getControllerUnpublishVolumeMethod(), Status.NOT_FOUND);
        CsiPlugin plugin = pluginKnowing("n2", "new-id");

        assertThat(catchThrowableOfType(VolumeException.class, () -> detach(plugin, "n2", attachedByAnother("old-id")))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    /** The controller adds the id that the other attacher stored to what this plugin needs. */
    private PluginState attachedByAnother(String nodeId) {
        Map<String, String> values = new HashMap<>(Map.of(WellKnown.ATTACHED_NODE_ID, nodeId));
        PluginState needed =
                beforeAttach(pluginKnowing("n2", "new-id"), spec(null), "n2", new PluginState(0, Map.copyOf(values)));
        values.putAll(needed.values());
        values.put(WellKnown.ATTACHED_NODE_ID, nodeId);
        return new PluginState(needed.version(), values);
    }

    @Test
    void doesNotAttachByAnEarlierIdIfTheNodeIsNotRegistered() {
        CsiPlugin plugin = pluginKnowing("n2", "id-of-n2");
        PluginState known = beforeAttach(plugin, spec(null), "n2", PluginState.none());

        world.with(builder -> builder);
        assertThat(catchThrowableOfType(
                                VolumeException.class, () -> beforeAttach(world.plugin(), spec(null), "n2", known))
                        .kind())
                .isEqualTo(FailureKind.TRANSIENT);
    }

    /** Its external-attacher detaches what this library has attached by that id if the node is gone. */
    @Test
    void theIdOfTheNodeIsUnderKubernetesNameToo() {
        PluginState known = beforeAttach(pluginKnowing("n2", "id-of-n2"), spec(null), "n2", PluginState.none());

        assertThat(known.get(WellKnown.ATTACHED_NODE_ID)).isEqualTo("id-of-n2");
    }

    @Test
    void whatAnotherAttacherAttachedSinceIsDetachedByBothIds() {
        unpublishes();
        CsiPlugin plugin = world.plugin();
        PluginState own = new PluginState(1, Map.of("nodeId", "old-id", WellKnown.ATTACHED_NODE_ID, "new-id"));

        detach(plugin, "n2", own);

        assertThat(world.calls.of(ControllerUnpublishVolumeRequest.class))
                .extracting(ControllerUnpublishVolumeRequest::getNodeId)
                .containsExactly("new-id", "old-id");
    }

    @Test
    void attachesByTheNodeIdThatWasStoredAndDetachesAnEarlierOneToo() {
        publishes();
        unpublishes();
        CsiPlugin plugin = pluginKnowing("n2", "new-id");
        PluginState lost = new PluginState(1, Map.of("nodeId", "old-id"));
        PluginState known = beforeAttach(plugin, spec(null), "n2", lost);
        assertThat(beforeAttach(plugin, spec(null), "n2", known)).isEqualTo(known);

        PluginState attached = plugin.attacher(spec(null))
                .orElseThrow()
                .attach(new AttachRequest(spec(null), Given.VOLUME, "n2", false, known), context)
                .state();
        assertThat(world.calls.last(ControllerPublishVolumeRequest.class).getNodeId())
                .isEqualTo("new-id");

        detach(plugin, "n2", attached);
        assertThat(world.calls.of(ControllerUnpublishVolumeRequest.class))
                .extracting(ControllerUnpublishVolumeRequest::getNodeId)
                .containsExactly("new-id", "old-id");
    }

    @Test
    void anEarlierNodeIdThatTheDriverDoesNotKnowAnyMoreEndsNoDetach() {
        world.calls.on(ControllerGrpc.getControllerUnpublishVolumeMethod(), request -> {
            if (request.getNodeId().equals("old-id")) {
                throw Status.NOT_FOUND.asRuntimeException();
            }
            return ControllerUnpublishVolumeResponse.getDefaultInstance();
        });
        CsiPlugin plugin = pluginKnowing("n2", "new-id");
        PluginState lost = new PluginState(1, Map.of("nodeId", "old-id"));

        detach(plugin, "n2", beforeAttach(plugin, spec(null), "n2", lost));

        assertThat(world.calls.of(ControllerUnpublishVolumeRequest.class))
                .extracting(ControllerUnpublishVolumeRequest::getNodeId)
                .containsExactly("new-id", "old-id");
        assertThat(catchThrowableOfType(VolumeException.class, () -> detach(plugin, "n2", lost))
                        .kind())
                .as("of the only id, not found proves nothing")
                .isEqualTo(FailureKind.FINAL);
    }

    @Test
    void aNodeDetachesWhatItAttachedItselfByTheNodeIdOfTheLostCall() {
        world.driver.failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.UNAVAILABLE);
        unpublishes();
        CsiPlugin dying = world.plugin();
        assertThat(catchThrowableOfType(VolumeException.class, () -> attach(dying, spec(null)))
                        .kind())
                .isEqualTo(FailureKind.UNCERTAIN);

        detach(pluginKnowing(Given.NODE, "new-id"), Given.NODE, PluginState.none());

        assertThat(world.calls.last(ControllerUnpublishVolumeRequest.class).getNodeId())
                .isEqualTo(PluginHarness.NODE_ID);
        assertThat(world.machine.leaks(Given.ROOT)).noneMatch(path -> path.contains("attachments"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1\nnode=%zz\n"})
    void aDamagedNoteOfTheLostCallIsNoNote(String damaged) {
        world.driver.failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.UNAVAILABLE);
        unpublishes();
        CsiPlugin dying = world.plugin();
        assertThat(catchThrowableOfType(VolumeException.class, () -> attach(dying, spec(null)))
                        .kind())
                .isEqualTo(FailureKind.UNCERTAIN);
        HostFiles files = world.machine.files();
        RootedPath notes = new RootedPath(Given.ROOT, Path.of("plugins", Given.DRIVER, "data", "attachments"));
        assertThat(files.list(notes)).hasSize(1);
        files.list(notes)
                .forEach(note ->
                        files.writeAtomically(notes.resolve(note), damaged.getBytes(StandardCharsets.UTF_8), 0600));

        detach(pluginKnowing(Given.NODE, "new-id"), Given.NODE, PluginState.none());

        assertThat(world.calls.last(ControllerUnpublishVolumeRequest.class).getNodeId())
                .isEqualTo("new-id");
        assertThat(world.machine.leaks(Given.ROOT)).noneMatch(path -> path.contains("attachments"));
    }

    @Test
    void neverSendsAnEmptyNodeBecauseThatWouldDetachEverywhere() {
        unpublishes();
        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> detach(world.plugin(), "unheard-of", PluginState.none()));
        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(world.driver.calls("ControllerUnpublishVolume")).isZero();
    }

    /** The old id may be that of another machine by now. */
    @Test
    void attachesByTheNodeIdOfTheProcessThatServesTheSocketNow() {
        publishes();
        CsiPlugin plugin = world.plugin();
        attach(plugin, Given.spec(AccessMode.READ_WRITE_ONCE));
        world.driver.kill();
        world.calls.on(
                NodeGrpc.getNodeGetInfoMethod(),
                request -> NodeGetInfoResponse.newBuilder().setNodeId("i-4711").build());
        world.driver.start();

        attach(plugin, Given.spec(AccessMode.READ_WRITE_ONCE));

        assertThat(world.calls.last(ControllerPublishVolumeRequest.class).getNodeId())
                .isEqualTo("i-4711");
    }

    @Test
    void aNodeThatIsFullHasItsLimitAskedForAgain() {
        world.driver.failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.RESOURCE_EXHAUSTED);
        CsiPlugin plugin = world.plugin();
        VolumeSpec spec = Given.spec(AccessMode.READ_WRITE_ONCE);
        for (int i = 1; i <= 2; i++) {
            VolumeException failure = catchThrowableOfType(VolumeException.class, () -> attach(plugin, spec));
            assertThat(failure.kind()).isEqualTo(FailureKind.EXHAUSTED);
            assertThat(world.calls.of(NodeGetInfoRequest.class)).hasSize(i);
        }
    }

    @Test
    void namesTheNodeThatHoldsAVolumeWhichIsWantedElsewhere() {
        world.driver.failing(ControllerGrpc.getControllerPublishVolumeMethod(), Status.FAILED_PRECONDITION);
        publishedOn("id-of-n2");
        world.with(builder -> builder.nodes(Given.onlyNode(new CsiNodes.CsiNode("n2", "id-of-n2", Map.of(), 0))));
        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> attach(world.plugin(), Given.spec(AccessMode.READ_WRITE_ONCE)));
        assertThat(failure.kind()).isEqualTo(FailureKind.DANGLING);
        assertThat(failure.holder()).isEqualTo("n2");
    }

    @Test
    void aDetachThatFindsNothingIsDoneOnlyIfTheDriverListsTheVolumeWithoutTheNode() {
        world.driver.failing(ControllerGrpc.getControllerUnpublishVolumeMethod(), Status.NOT_FOUND);
        CsiPlugin plugin = world.plugin();
        publishedOn(PluginHarness.NODE_ID);
        assertThat(catchThrowableOfType(VolumeException.class, () -> detach(plugin, Given.NODE, PluginState.none()))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        publishedOn("");
        detach(plugin, Given.NODE, PluginState.none());
    }

    @Test
    void whatWasAttachedIsNotForgottenByADriverThatCannotDetachAnyMore() {
        world.controller(RPC.Type.CREATE_DELETE_VOLUME);
        CsiPlugin plugin = world.plugin();
        detach(plugin, Given.NODE, PluginState.none());
        PluginState attached = new PluginState(1, Map.of("nodeId", "i-1"));
        assertThat(catchThrowableOfType(VolumeException.class, () -> detach(plugin, Given.NODE, attached))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    /** As the refusal advises. */
    @Test
    void aDriverThatCanDetachAgainIsAskedTo() {
        unpublishes();
        CsiPlugin plugin = world.plugin();
        PluginState attached = new PluginState(1, Map.of("nodeId", "i-1"));
        updatedTo(RPC.Type.CREATE_DELETE_VOLUME);
        assertThat(catchThrowableOfType(VolumeException.class, () -> detach(plugin, Given.NODE, attached))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(catchThrowableOfType(VolumeException.class, () -> detach(plugin, Given.NODE, attached))
                        .kind())
                .isEqualTo(FailureKind.FINAL);

        updatedTo(RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        detach(plugin, Given.NODE, attached);

        assertThat(world.driver.calls("ControllerUnpublishVolume")).isEqualTo(1);
    }

    /** The detach needs what is kept before the attach call. */
    @Test
    void aDriverThatCanAttachSinceItWasUpdatedIsAttachedWithWhatTheDetachNeeds() {
        world.controller(RPC.Type.CREATE_DELETE_VOLUME)
                .with(builder -> builder.policy(
                        CsiDriverPolicy.builder().attachRequired(true).build()));
        CsiPlugin plugin = world.plugin();
        Attacher attacher = plugin.attacher(spec(null)).orElseThrow();
        updatedTo(RPC.Type.PUBLISH_UNPUBLISH_VOLUME);

        assertThat(attacher.beforeAttach(
                                new AttachRequest(spec(null), Given.VOLUME, Given.NODE, false, PluginState.none()),
                                context)
                        .get("nodeId"))
                .isEqualTo(PluginHarness.NODE_ID);
    }

    /** Another process serves the socket, with these capabilities. */
    private void updatedTo(RPC.Type... capabilities) {
        world.driver.kill();
        world.controller(capabilities);
        world.driver.start();
    }

    /** As external-attacher does it for such a driver: the node waits for what the object demands. */
    @Test
    void aDriverWithoutAControllerServiceIsAttachedAndDetachedWithoutACall() {
        world.services();
        CsiPlugin plugin = world.plugin();
        AttachResult attached = attach(plugin, attachRequired());
        assertThat(attached.metadata()).isEmpty();
        detach(plugin, Given.NODE, attached.state());
        assertThat(world.driver.calls()).doesNotContain("ControllerPublishVolume", "ControllerUnpublishVolume");
    }

    @Test
    void aHostThatInsistsOnAttachingIsToldThatTheSocketHasNoCallForIt() {
        world.services()
                .with(builder -> builder.policy(
                        CsiDriverPolicy.builder().attachRequired(true).build()));
        CsiPlugin plugin = world.plugin();
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> attach(plugin, attachRequired()));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.getMessage()).contains("ControllerPublishVolume needs PUBLISH_UNPUBLISH_VOLUME");
        PluginState known = beforeAttach(plugin, attachRequired(), Given.NODE, PluginState.none());
        detach(plugin, Given.NODE, known);
        assertThat(world.driver.calls()).doesNotContain("ControllerUnpublishVolume");
        assertThat(world.machine.leaks(Given.ROOT)).noneMatch(path -> path.contains("attachments"));
    }

    @ParameterizedTest
    @CsvSource({
        // what the list shows of the volume, whether it shows it, and whether the driver can be asked for it alone
        "i-0815, true,  PRESENT",
        "'',     true,  ABSENT",
        "other,  true,  ABSENT",
        "i-0815, false, UNKNOWN",
    })
    void aListProvesAbsenceOnlyOfAVolumeThatItShows(String node, boolean listed, Observation expected) {
        world.controller(
                RPC.Type.LIST_VOLUMES, RPC.Type.LIST_VOLUMES_PUBLISHED_NODES, RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        listing(listed ? "vol-1" : "vol-2", node);
        assertThat(observe(Given.VOLUME)).containsExactly(expected);
    }

    @Test
    void aVolumeThatTheListMissesIsAskedForByName() {
        listing("vol-2", "");
        world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.NOT_FOUND);
        assertThat(observe(Given.VOLUME)).containsExactly(Observation.ABSENT);
        world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.INTERNAL);
        assertThat(observe(Given.VOLUME)).containsExactly(Observation.UNKNOWN);
    }

    @Test
    void answersEveryQuestionInTheOrderAskedWithOneList() {
        listing("vol-1", PluginHarness.NODE_ID);
        world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.UNAVAILABLE);
        CsiPlugin plugin = world.plugin();
        assertThat(plugin.observer()
                        .orElseThrow()
                        .attachments(
                                List.of(
                                        new Query(VolumeId.shared(Given.DRIVER, "vol-7"), Given.NODE),
                                        new Query(Given.VOLUME, Given.NODE),
                                        new Query(Given.VOLUME, "unheard-of")),
                                context))
                .containsExactly(Observation.UNKNOWN, Observation.PRESENT, Observation.UNKNOWN);
        assertThat(world.driver.calls("ListVolumes")).isEqualTo(1);
    }

    /** Volumes of the former in-tree type do not name their project. The driver lists them under it. */
    @Test
    void seesVolumesUnderTheHandleWithWhichItAttachesThem() {
        String driver = "pd.csi.storage.gke.io";
        Capabilities.named(world.driver, driver, "1.0");
        world.with(builder -> builder.nodes(
                Given.onlyNode(new CsiNodes.CsiNode("n2", "projects/p1/zones/z1/instances/n2", Map.of(), 0))));
        listing("projects/p1/zones/z1/disks/d", "projects/p1/zones/z1/instances/n2");
        world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), Status.NOT_FOUND);
        VolumeId volume = VolumeId.shared(driver, "projects/UNSPECIFIED/zones/z1/disks/d");

        assertThat(world.plugin().observer().orElseThrow().attachments(List.of(new Query(volume, "n2")), context))
                .containsExactly(Observation.PRESENT);
    }

    /** A driver may name a node otherwise after an update, and list its volumes under either name. */
    @ParameterizedTest
    @CsvSource({"old-id, PRESENT", "new-id, PRESENT", "older-id, PRESENT", "other, ABSENT"})
    void anAttachmentIsThereUnderEachIdThatItsNodeHad(String listed, Observation expected) {
        listing("vol-1", listed);
        CsiPlugin plugin = pluginKnowing("n2", "new-id");
        PluginState attached = new PluginState(1, Map.of("nodeId", "old-id", "earlierNodeId/older-id", ""));

        assertThat(plugin.observer()
                        .orElseThrow()
                        .attachments(List.of(new Query(Given.VOLUME, "n2", attached)), context))
                .containsExactly(expected);
    }

    private static VolumeSpec attachRequired() {
        return Given.spec(AccessMode.READ_WRITE_ONCE)
                .withDriver(CsiDriver.Spec.defaults().toBuilder()
                        .attachRequired(true)
                        .build());
    }

    private List<Observation> observe(VolumeId volume) {
        return world.plugin().observer().orElseThrow().attachments(List.of(new Query(volume, Given.NODE)), context);
    }

    private void listing(String volume, String node) {
        world.calls.on(
                ControllerGrpc.getListVolumesMethod(),
                request -> ListVolumesResponse.newBuilder()
                        .addEntries(ListVolumesResponse.Entry.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId(volume))
                                .setStatus(ListVolumesResponse.VolumeStatus.newBuilder()
                                        .addPublishedNodeIds(node)))
                        .build());
    }

    private void publishedOn(String node) {
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeMethod(),
                request -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                        .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                .addPublishedNodeIds(node))
                        .build());
    }

    private void publishes() {
        world.calls.on(
                ControllerGrpc.getControllerPublishVolumeMethod(),
                request -> ControllerPublishVolumeResponse.newBuilder()
                        .putPublishContext("lun", "3")
                        .build());
    }

    private void unpublishes() {
        world.calls.on(
                ControllerGrpc.getControllerUnpublishVolumeMethod(),
                request -> ControllerUnpublishVolumeResponse.getDefaultInstance());
    }

    private CsiPlugin pluginKnowing(String node, String id) {
        world.with(builder -> builder.nodes(Given.onlyNode(new CsiNodes.CsiNode(node, id, Map.of(), 0))));
        return world.plugin();
    }

    private static VolumeSpec spec(@Nullable SecretRef secret) {
        return Given.spec(
                new CsiSource(Given.DRIVER, "vol-1", false, "ext4", Map.of(), secret, null, null, null, null),
                VolumeMode.FILESYSTEM,
                List.of(),
                AccessMode.READ_WRITE_ONCE);
    }

    private PluginState beforeAttach(CsiPlugin plugin, VolumeSpec spec, String node, PluginState state) {
        return plugin.attacher(spec)
                .orElseThrow()
                .beforeAttach(new AttachRequest(spec, Given.VOLUME, node, false, state), context);
    }

    private AttachResult attach(CsiPlugin plugin, VolumeSpec spec) {
        Attacher attacher = plugin.attacher(spec).orElseThrow();
        AttachRequest request = new AttachRequest(spec, Given.VOLUME, Given.NODE, false, PluginState.none());
        return attacher.attach(request.prepared(attacher.beforeAttach(request, context)), context);
    }

    private void detach(CsiPlugin plugin, String node, PluginState state) {
        plugin.detacher(Given.VOLUME).orElseThrow().detach(new DetachRequest(Given.VOLUME, node, "", state), context);
    }
}
