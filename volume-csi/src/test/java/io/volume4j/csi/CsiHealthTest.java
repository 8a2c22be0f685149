package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerGetVolumeResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthResponse;
import io.volume4j.csi.internal.proto.NodeGetVolumeStatsResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.StorageHealthErrorType;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.proto.VolumeCapability;
import io.volume4j.csi.internal.proto.VolumeCondition;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Finding;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.HealthReporter.HealthListing;
import io.volume4j.spi.plugin.HealthReporter.HealthRequest;
import io.volume4j.spi.plugin.HealthReporter.Kind;
import io.volume4j.spi.plugin.HealthReporter.SeenBy;
import io.volume4j.spi.plugin.HealthReporter.StorageFinding;
import io.volume4j.spi.plugin.HealthReporter.StorageHealth;
import io.volume4j.spi.plugin.HealthReporter.StorageKind;
import io.volume4j.spi.plugin.HealthReporter.Use;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How volumes and storage are, from drivers of CSI 1.13 and of 1.12. */
@Timeout(120)
class CsiHealthTest {
    private static final VolumeSpec SPEC = Given.spec(AccessMode.READ_WRITE_ONCE);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final TestContext context = TestContext.patient();

    @Nested
    class Of113 {
        @Test
        void controllerAndNodeAreKeptApart() {
            controllerSays(entry(1, "Rebuilding", "two of three"));
            nodeSays(entry(2, "NoPath", ""));
            assertThat(health())
                    .isEqualTo(new Health(
                            true,
                            List.of(
                                    new Finding(Kind.DEGRADED, SeenBy.CONTROLLER, "Rebuilding", "two of three"),
                                    new Finding(Kind.INACCESSIBLE, SeenBy.NODE, "NoPath", ""))));
            assertThat(health().message())
                    .isEqualTo("controller: degraded (Rebuilding): two of three; node: inaccessible (NoPath)");
        }

        @Test
        void theNodeIsAskedWithItsPathsAndOnlyWhereTheVolumeIs() {
            controllerSays();
            nodeSays();
            assertThat(health()).isEqualTo(Health.well());
            NodeGetVolumeHealthRequest asked = world.calls.last(NodeGetVolumeHealthRequest.class);
            assertThat(asked.getVolumePublishPath())
                    .isEqualTo(Given.TARGET.absolute().toString());
            assertThat(asked.getStagingTargetPath())
                    .isEqualTo(Given.STAGING.absolute().toString());

            world.plugin().health().orElseThrow().health(Given.VOLUME, context);
            assertThat(world.driver.calls("NodeGetVolumeHealth")).isEqualTo(1);
        }

        @Test
        void noStagingPathIsSentToADriverThatDoesNotStage() {
            world.node(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH);
            controllerSays();
            nodeSays();
            health();
            assertThat(world.calls.last(NodeGetVolumeHealthRequest.class).getStagingTargetPath())
                    .isEmpty();
        }

        @Test
        void newStatusesAreShownAndTakeNothingFromTheOthersAndPairsAreToldOnce() {
            controllerSays(
                    entry(1, "Slow", "first"),
                    entry(99, "Newer", "m"),
                    entry(1, "Slow", "again"),
                    entry(1, "Old", ""),
                    entry(0, "Zero", ""),
                    entry(3, "x".repeat(500), "y".repeat(5000)));
            nodeSays();
            List<Finding> findings = health().findings();
            assertThat(findings)
                    .extracting(Finding::kind)
                    .containsExactly(Kind.DEGRADED, Kind.OTHER, Kind.DEGRADED, Kind.OTHER, Kind.DATA_LOSS);
            assertThat(findings.get(0).message()).isEqualTo("first");
            assertThat(findings.get(1).text()).isEqualTo("controller: abnormal (Newer): m");
            assertThat(findings.get(4).reason()).hasSize(128);
            assertThat(findings.get(4).message()).hasSize(1024);
        }

        /** No object of the cluster can contain half of a character. */
        @Test
        void aTextIsNotCutWithinACharacter() {
            String wide = "\uD83D\uDD25";
            controllerSays(entry(1, "x".repeat(126) + wide.repeat(9), "y".repeat(1022) + wide.repeat(9)));
            nodeSays();
            Finding finding = health().findings().get(0);
            assertThat(finding.reason()).isEqualTo("x".repeat(126) + "…");
            assertThat(finding.message()).isEqualTo("y".repeat(1022) + "…");
        }

        @ParameterizedTest
        @EnumSource(
                value = Status.Code.class,
                names = {"INTERNAL", "UNAVAILABLE", "UNIMPLEMENTED", "NOT_FOUND", "ABORTED"})
        void whoDoesNotAnswerSaysNothing(Status.Code code) {
            world.driver.failing(ControllerGrpc.getControllerGetVolumeHealthMethod(), code.toStatus());
            world.driver.failing(NodeGrpc.getNodeGetVolumeHealthMethod(), code.toStatus());
            assertThat(health()).isEqualTo(Health.notReported());
        }

        @Test
        void anAnswerWithoutHealthSaysNothing() {
            world.driver.answeringEverything();
            assertThat(health()).isEqualTo(Health.notReported());
        }

        @Test
        void oneSideIsEnough() {
            world.driver.failing(ControllerGrpc.getControllerGetVolumeHealthMethod(), Status.INTERNAL);
            nodeSays();
            assertThat(health()).isEqualTo(Health.well());
        }

        @Test
        void aDriverThatOnlyListsIsAskedForOneVolume() {
            world.controller(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH);
            world.node();
            controllerSays(entry(1, "Slow", ""));
            assertThat(health().abnormal()).isTrue();
        }

        /** CSI obliges it to know that call, too. */
        @Test
        void aDriverThatOnlyListsAndDoesNotKnowTheCallIsAskedOnceInEachProcess() {
            world.controller(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH);
            world.node();
            world.driver.failing(ControllerGrpc.getControllerGetVolumeHealthMethod(), Status.UNIMPLEMENTED);
            HealthReporter reporter = reporter();
            for (int i = 0; i < 3; i++) {
                assertThat(health(reporter)).isEqualTo(Health.notReported());
            }
            assertThat(world.driver.calls("ControllerGetVolumeHealth")).isEqualTo(1);

            world.driver.kill();
            controllerSays(entry(1, "Slow", ""));
            world.driver.start();
            assertThat(health(reporter).abnormal()).isTrue();
        }

        @Test
        void whoSpeaksTheNewWordsIsNotHeardInTheOldOnes() {
            controllerSays();
            nodeSays();
            oldController(true, "old");
            assertThat(health()).isEqualTo(Health.well());
            assertThat(world.driver.calls("ControllerGetVolume")).isZero();
        }

        @Test
        void aNewControllerAndAnOldNodeAreHeardEachInItsWords() {
            world.node(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
            controllerSays(entry(1, "Slow", ""));
            oldNode(true, "n");
            assertThat(health().message()).isEqualTo("controller: degraded (Slow); node: n");
        }

        @Test
        void figuresComeWithWhatTheNodeSays() {
            nodeSays(entry(2, "NoPath", ""));
            world.calls.on(
                    NodeGrpc.getNodeGetVolumeStatsMethod(),
                    request -> NodeGetVolumeStatsResponse.newBuilder()
                            .setVolumeCondition(condition(true, "old"))
                            .build());
            assertThat(stats().condition())
                    .isEqualTo(new Health(true, List.of(new Finding(Kind.INACCESSIBLE, SeenBy.NODE, "NoPath", ""))));
        }

        @Test
        void figuresComeAlsoFromANodeThatDoesNotSayHowTheVolumeIs() {
            world.driver.failing(NodeGrpc.getNodeGetVolumeHealthMethod(), Status.INTERNAL);
            world.calls.on(
                    NodeGrpc.getNodeGetVolumeStatsMethod(), request -> NodeGetVolumeStatsResponse.getDefaultInstance());
            assertThat(stats().condition()).isNull();
        }
    }

    @Nested
    class Listed {
        @Test
        void volumesAreToldByTheirNamesAndDuplicatesOnce() {
            listSays(health("a", entry(1, "Slow", "")), health("b"), health("a", entry(2, "Gone", "")));
            assertThat(list())
                    .isEqualTo(new HealthListing(
                            Map.of(
                                    "a",
                                    new Health(
                                            true,
                                            List.of(new Finding(Kind.INACCESSIBLE, SeenBy.CONTROLLER, "Gone", ""))),
                                    "b",
                                    Health.well()),
                            true));
        }

        @Test
        void aListThatDoesNotEndIsNotComplete() {
            world.calls.on(
                    ControllerGrpc.getControllerListVolumeHealthMethod(),
                    request -> ControllerListVolumeHealthResponse.newBuilder()
                            .addEntries(health("a", entry(1, "Slow", "")))
                            .setNextToken("again")
                            .build());
            assertThat(list()).returns(false, HealthListing::complete);
            assertThat(list().volumes()).containsKey("a");
        }

        @Test
        void anErrorIsNoReading() {
            world.driver.failing(ControllerGrpc.getControllerListVolumeHealthMethod(), Status.INTERNAL);
            assertThatExceptionOfType(VolumeException.class).isThrownBy(CsiHealthTest.this::list);
        }

        @Test
        void aDriverThatAnswersForSingleVolumesOnlyIsNotAskedForAList() {
            world.controller(
                    ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH,
                    ControllerServiceCapability.RPC.Type.LIST_VOLUMES,
                    ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
            assertThat(reporter().lists()).isFalse();
            assertThat(list()).isEqualTo(new HealthListing(Map.of(), false));
            assertThat(world.driver.calls("ListVolumes")).isZero();
        }

        @Test
        void conditionsOf112AreReadFromTheListOfVolumes() {
            world.of112();
            world.calls.on(
                    ControllerGrpc.getListVolumesMethod(),
                    request -> ListVolumesResponse.newBuilder()
                            .addEntries(listed("a", condition(true, "bad")))
                            .addEntries(listed("b", condition(false, "good")))
                            .addEntries(ListVolumesResponse.Entry.newBuilder()
                                    .setVolume(Volume.newBuilder().setVolumeId("silent")))
                            .build());
            assertThat(reporter().lists()).isTrue();
            assertThat(list())
                    .isEqualTo(new HealthListing(
                            Map.of(
                                    "a",
                                    new Health(true, List.of(new Finding(Kind.OTHER, SeenBy.CONTROLLER, "", "bad"))),
                                    "b",
                                    Health.well()),
                            false));
        }
    }

    @Nested
    class WithSecrets {
        private static final SecretRef REFERENCE = new SecretRef("storage", "health");

        WithSecrets() {
            world.secret(REFERENCE, "hush");
            world.with(builder -> builder.policy(
                    CsiDriverPolicy.builder().healthSecret(REFERENCE).build()));
        }

        @Test
        void eachQuestionThatTakesSecretsGetsThoseOfThePolicy() {
            controllerSays();
            nodeSays();
            listSays();
            storageSays();
            health();
            list();
            storage();

            Map<String, String> sent = Map.of("password", "hush");
            assertThat(world.calls.last(ControllerGetVolumeHealthRequest.class).getSecretsMap())
                    .isEqualTo(sent);
            assertThat(world.calls.last(ControllerListVolumeHealthRequest.class).getSecretsMap())
                    .isEqualTo(sent);
            assertThat(world.calls.last(NodeGetStorageHealthRequest.class).getSecretsMap())
                    .isEqualTo(sent);
        }

        /** What is told becomes an event and a condition of the claim, which many may read. */
        @Test
        void aDriverThatRepeatsTheSecretInItsReportsDoesNotGetItAnywhere() {
            controllerSays(entry(1, "Degraded", "login -p tops3cret-health failed"));
            nodeSays();
            listSays(health("a", entry(2, "tops3cret-health", "")));
            storageSays(backend(2, "NoPath")
                    .setMessage("mount -o pass=tops3cret-health")
                    .build());
            world.secret(REFERENCE, "tops3cret-health");
            CsiPlugin plugin = world.plugin();
            var reporter = plugin.health().orElseThrow();
            assertThat(List.of(
                            reporter.health(Given.VOLUME, context).message(),
                            reporter.list(context).toString(),
                            reporter.storage(context).toString()))
                    .allSatisfy(text -> assertThat(text).contains("***").doesNotContain("tops3cret-health"));
        }

        @Test
        void aSecretThatIsNotThereIsNoReading() {
            world.secrets.remove(REFERENCE);
            assertThat(reporter().health(Given.VOLUME, context)).isEqualTo(Health.notReported());
            assertThatExceptionOfType(VolumeException.class).isThrownBy(CsiHealthTest.this::list);
            assertThat(world.driver.calls("ControllerGetVolumeHealth")).isZero();
        }
    }

    @Test
    void noQuestionCarriesSecretsWithoutThePolicy() {
        controllerSays();
        nodeSays();
        health();
        assertThat(world.calls.last(ControllerGetVolumeHealthRequest.class).getSecretsCount())
                .isZero();
    }

    @Nested
    class OfStorage {
        @Test
        void eachConditionIsToldOnceForEachUse() {
            VolumeCapability block = VolumeCapability.newBuilder()
                    .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                    .build();
            storageSays(
                    backend(2, "Lost").build(),
                    backend(2, "Lost").build(),
                    backend(2, "Lost").setVolumeCapability(block).build(),
                    backend(2, "Lost")
                            .setVolumeCapability(VolumeCapability.getDefaultInstance())
                            .build(),
                    backend(7, "Newer").build());
            assertThat(storage())
                    .isEqualTo(new StorageHealth(
                            true,
                            List.of(
                                    new StorageFinding(StorageKind.UNREACHABLE, Use.ANY, "Lost", ""),
                                    new StorageFinding(StorageKind.UNREACHABLE, Use.BLOCK, "Lost", ""),
                                    new StorageFinding(StorageKind.OTHER, Use.ANY, "Newer", ""))));
        }

        @Test
        void nothingSaidMeansThatNoProblemIsKnown() {
            storageSays();
            assertThat(storage()).isEqualTo(new StorageHealth(true, List.of()));
        }

        @Test
        void aDriverThatCannotTellReportsNothing() {
            world.of112();
            assertThat(storage()).isEqualTo(StorageHealth.notReported());
        }

        @Test
        void anErrorIsNoReading() {
            world.driver.failing(NodeGrpc.getNodeGetStorageHealthMethod(), Status.INTERNAL);
            assertThatExceptionOfType(VolumeException.class).isThrownBy(CsiHealthTest.this::storage);
        }
    }

    @Nested
    class Of112 {
        @ParameterizedTest
        @CsvSource({
            "false, false, false, ''",
            "true,  false, true,  controller: c",
            "false, true,  true,  node: n",
            "true,  true,  true,  controller: c; node: n",
        })
        void bothSidesAreHeard(boolean controller, boolean node, boolean expected, String message) {
            world.of112();
            oldController(controller, "c");
            oldNode(node, "n");
            assertThat(health())
                    .returns(true, Health::reported)
                    .returns(expected, Health::abnormal)
                    .returns(message, Health::message);
            assertThat(health().findings()).allMatch(finding -> finding.kind() == Kind.OTHER);
        }

        @ParameterizedTest
        @EnumSource(
                value = Status.Code.class,
                names = {"INTERNAL", "UNAVAILABLE", "UNIMPLEMENTED"})
        void whoDoesNotAnswerSaysNothing(Status.Code code) {
            world.of112();
            world.driver.failing(ControllerGrpc.getControllerGetVolumeMethod(), code.toStatus());
            world.driver.failing(NodeGrpc.getNodeGetVolumeStatsMethod(), code.toStatus());
            assertThat(health()).isEqualTo(Health.notReported());
        }

        @Test
        void aMissingConditionSaysNothing() {
            world.of112();
            world.calls.on(
                    ControllerGrpc.getControllerGetVolumeMethod(),
                    request -> ControllerGetVolumeResponse.newBuilder()
                            .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                            .build());
            world.calls.on(
                    NodeGrpc.getNodeGetVolumeStatsMethod(), request -> NodeGetVolumeStatsResponse.getDefaultInstance());
            assertThat(health()).isEqualTo(Health.notReported());
        }

        @Test
        void aConditionOfTheNodeIsAskedForAlsoOfADriverWithoutFigures() {
            world.controller();
            world.node(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
            oldNode(true, "");
            assertThat(health().message()).isEqualTo("node: abnormal");
        }

        @ParameterizedTest
        @CsvSource({"true, volume is read-only", "false, ''"})
        void figuresComeWithTheCondition(boolean abnormal, String message) {
            world.of112();
            oldNode(abnormal, message);
            assertThat(stats()).isEqualTo(new Stats(-1, -1, -1, -1, -1, -1, new Health(abnormal, message)));
        }
    }

    /** The first question after the change is answered already: the next one may be a minute away. */
    @Nested
    class AVersionThatChangesWhileThePluginRuns {
        private final HealthReporter reporter;

        AVersionThatChangesWhileThePluginRuns() {
            controllerSays(entry(1, "Slow", ""));
            nodeSays(entry(2, "NoPath", ""));
            listSays(health("a", entry(2, "Gone", "")));
            storageSays(backend(2, "OnePath").build());
            oldController(true, "old");
            oldNode(true, "n");
            world.calls.on(
                    ControllerGrpc.getListVolumesMethod(),
                    request -> ListVolumesResponse.newBuilder()
                            .addEntries(listed("a", condition(true, "bad")))
                            .build());
            Capabilities.named(world.of112().driver, Given.DRIVER, "1.12");
            reporter = reporter();
        }

        @Test
        void ofAVolume() {
            assertThat(health(reporter).message()).isEqualTo("controller: old; node: n");
            upgrade();
            assertThat(health(reporter).message())
                    .isEqualTo("controller: degraded (Slow); node: inaccessible (NoPath)");
            rollBack();
            assertThat(health(reporter).message()).isEqualTo("controller: old; node: n");
        }

        @Test
        void ofAllVolumes() {
            assertThat(listedOne()).isEqualTo("controller: bad");
            upgrade();
            assertThat(listedOne()).isEqualTo("controller: inaccessible (Gone)");
            rollBack();
            assertThat(listedOne()).isEqualTo("controller: bad");
        }

        @Test
        void ofTheStorage() {
            assertThat(reporter.storage(context)).isEqualTo(StorageHealth.notReported());
            upgrade();
            assertThat(reporter.storage(context).findings())
                    .extracting(StorageFinding::reason)
                    .containsExactly("OnePath");
            rollBack();
            assertThat(reporter.storage(context)).isEqualTo(StorageHealth.notReported());
        }

        private String listedOne() {
            Health health = reporter.list(context).volumes().get("a");
            return health == null ? "not listed" : health.message();
        }

        private void upgrade() {
            world.driver.kill();
            Capabilities.named(Capabilities.all(world.driver), Given.DRIVER, "1.13")
                    .start();
        }

        private void rollBack() {
            world.driver.kill();
            Capabilities.named(world.of112().driver, Given.DRIVER, "1.12").start();
        }
    }

    @Test
    void aDriverThatSaysNothingOfHealthReportsNone() {
        world.controller(ControllerServiceCapability.RPC.Type.GET_VOLUME);
        world.node(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
        assertThat(world.plugin().health()).isEmpty();
    }

    private Health health() {
        return health(reporter());
    }

    private Health health(HealthReporter reporter) {
        return reporter.health(
                new HealthRequest(Given.VOLUME, Given.TARGET.absolute(), Given.STAGING.absolute()), context);
    }

    private HealthReporter reporter() {
        return world.plugin().health().orElseThrow();
    }

    private HealthListing list() {
        return reporter().list(context);
    }

    private void listSays(VolumeHealth... entries) {
        world.calls.on(
                ControllerGrpc.getControllerListVolumeHealthMethod(),
                request -> ControllerListVolumeHealthResponse.newBuilder()
                        .addAllEntries(List.of(entries))
                        .build());
    }

    private static ListVolumesResponse.Entry listed(String id, VolumeCondition condition) {
        return ListVolumesResponse.Entry.newBuilder()
                .setVolume(Volume.newBuilder().setVolumeId(id))
                .setStatus(ListVolumesResponse.VolumeStatus.newBuilder().setVolumeCondition(condition))
                .build();
    }

    private StorageHealth storage() {
        return world.plugin().health().orElseThrow().storage(context);
    }

    private Stats stats() {
        return world.plugin()
                .stats(SPEC)
                .orElseThrow()
                .stats(new StatsRequest(Given.VOLUME, Given.TARGET.absolute()), context);
    }

    private void controllerSays(VolumeHealthEntry... entries) {
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeHealthMethod(),
                request -> ControllerGetVolumeHealthResponse.newBuilder()
                        .setVolumeHealth(health(request.getVolumeId(), entries))
                        .build());
    }

    private void nodeSays(VolumeHealthEntry... entries) {
        world.calls.on(
                NodeGrpc.getNodeGetVolumeHealthMethod(),
                request -> NodeGetVolumeHealthResponse.newBuilder()
                        .setVolumeHealth(health(request.getVolumeId(), entries))
                        .build());
    }

    private void storageSays(StorageBackendHealth... entries) {
        world.calls.on(
                NodeGrpc.getNodeGetStorageHealthMethod(),
                request -> NodeGetStorageHealthResponse.newBuilder()
                        .addAllBackendHealth(List.of(entries))
                        .build());
    }

    private void oldController(boolean abnormal, String message) {
        world.calls.on(
                ControllerGrpc.getControllerGetVolumeMethod(),
                request -> ControllerGetVolumeResponse.newBuilder()
                        .setVolume(Volume.newBuilder().setVolumeId(request.getVolumeId()))
                        .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                .setVolumeCondition(condition(abnormal, message)))
                        .build());
    }

    private void oldNode(boolean abnormal, String message) {
        world.calls.on(
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                request -> NodeGetVolumeStatsResponse.newBuilder()
                        .setVolumeCondition(condition(abnormal, message))
                        .build());
    }

    private static VolumeHealth health(String volume, VolumeHealthEntry... entries) {
        return VolumeHealth.newBuilder()
                .setVolumeId(volume)
                .addAllHealthStatuses(List.of(entries))
                .build();
    }

    private static VolumeHealthEntry entry(int status, String reason, String message) {
        return VolumeHealthEntry.newBuilder()
                .setStatusValue(status)
                .setReason(reason)
                .setMessage(message)
                .build();
    }

    private static StorageBackendHealth.Builder backend(int status, String reason) {
        return StorageBackendHealth.newBuilder()
                .setStatus(
                        status == 7
                                ? StorageHealthErrorType.UNKNOWN_STORAGE_HEALTH_ERROR_TYPE
                                : StorageHealthErrorType.STORAGE_UNREACHABLE)
                .setReason(reason);
    }

    private static VolumeCondition condition(boolean abnormal, String message) {
        return VolumeCondition.newBuilder()
                .setAbnormal(abnormal)
                .setMessage(message)
                .build();
    }
}
