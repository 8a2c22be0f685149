package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthResponse;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the driver says of the health of volumes and storage, as a driver of CSI 1.13 and as one of 1.12. */
@Timeout(120)
class DriverHealthTest {
    @Test
    void eachViewHasItsOwnFindings() {
        with(options -> options, fixture -> {
            String volume = fixture.volume("pvc-1").getVolumeId();
            fixture.driver()
                    .setHealth(
                            volume,
                            "controller",
                            HealthFinding.of("DEGRADED", "Rebuilding", "two of three"),
                            HealthFinding.of("99", "Newer", ""));
            fixture.driver().setHealth(volume, "node-1", HealthFinding.of("INACCESSIBLE", "NoPath", ""));

            assertThat(controller(fixture, volume))
                    .extracting(VolumeHealthEntry::getStatusValue, VolumeHealthEntry::getReason)
                    .containsExactly(tuple(1, "Rebuilding"), tuple(99, "Newer"));
            assertThat(node(fixture, volume))
                    .extracting(VolumeHealthEntry::getStatusValue, VolumeHealthEntry::getReason)
                    .containsExactly(tuple(2, "NoPath"));

            fixture.driver().setHealth(volume, "controller");
            assertThat(controller(fixture, volume)).isEmpty();
            assertThat(node(fixture, volume)).hasSize(1);
        });
    }

    @Test
    void aListHoldsTheUnwellPageByPage() {
        with(options -> options, fixture -> {
            List<String> unwell = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                String volume = fixture.volume("pvc-" + i).getVolumeId();
                if (i % 2 == 0) {
                    fixture.driver().setAbnormal(volume, true);
                    unwell.add(volume);
                }
            }
            List<String> told = new ArrayList<>();
            String token = "";
            do {
                ControllerListVolumeHealthResponse page = list(fixture, token);
                assertThat(page.getEntriesCount()).isEqualTo(1);
                told.add(page.getEntries(0).getVolumeId());
                token = page.getNextToken();
            } while (!token.isEmpty());
            assertThat(told).isEqualTo(unwell);
        });
    }

    @Test
    void aListMayMissAVolumeThatTheSingleQuestionFindsUnwell() {
        with(options -> options.quirk(Quirk.HEALTH_LIST_MISSES), fixture -> {
            String volume = fixture.volume("pvc-1").getVolumeId();
            fixture.driver().setAbnormal(volume, true);
            assertThat(list(fixture, "").getEntriesList()).isEmpty();
            assertThat(controller(fixture, volume)).hasSize(1);
        });
    }

    @Test
    void theHealthOfTheStorageIsANodesOwn() {
        with(options -> options.silentNode("node-2"), fixture -> {
            fixture.driver()
                    .setStorageHealth(
                            "node-1",
                            HealthFinding.of("STORAGE_UNREACHABLE", "Lost", ""),
                            new HealthFinding("STORAGE_DEGRADED", "OnePath", "slow", "block"));
            fixture.driver().setStorageHealth("node-2", HealthFinding.of("STORAGE_DEGRADED", "Other", ""));
            List<StorageBackendHealth> told = fixture.client()
                    .node()
                    .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                    .getBackendHealthList();
            assertThat(told)
                    .extracting(
                            StorageBackendHealth::getReason,
                            each -> each.getVolumeCapability().hasBlock())
                    .containsExactly(tuple("Lost", false), tuple("OnePath", true));
        });
    }

    @Test
    void findingsSurviveACrash() {
        with(options -> options, fixture -> {
            String volume = fixture.volume("pvc-1").getVolumeId();
            fixture.driver().setHealth(volume, "controller", HealthFinding.of("DATA_LOSS", "DisksGone", "both"));
            fixture.driver().crash();
            fixture.driver().revive();
            fixture.reconnect();
            assertThat(controller(fixture, volume))
                    .extracting(VolumeHealthEntry::getReason)
                    .containsExactly("DisksGone");
        });
    }

    @Test
    void aDriverOf112HasConditionsAndNoCallForHealth() {
        with(DriverOptions.Builder::of112, fixture -> {
            String volume = fixture.volume("pvc-1").getVolumeId();
            fixture.driver().setHealth(volume, "controller", HealthFinding.of("DEGRADED", "Slow", "is slow"));

            assertThat(capabilities(fixture))
                    .contains(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION)
                    .doesNotContain(
                            ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH,
                            ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH);
            assertThat(code(() -> controller(fixture, volume))).isEqualTo(Code.UNIMPLEMENTED);
            assertThat(code(() -> list(fixture, ""))).isEqualTo(Code.UNIMPLEMENTED);
            assertThat(code(() -> node(fixture, volume))).isEqualTo(Code.UNIMPLEMENTED);
            assertThat(fixture.client()
                            .controller()
                            .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                                    .setVolumeId(volume)
                                    .build())
                            .getStatus()
                            .getVolumeCondition()
                            .getMessage())
                    .isEqualTo("is slow");
        });
    }

    @Test
    void aDriverOf113HasNoConditions() {
        with(options -> options, fixture -> {
            fixture.driver().setAbnormal(fixture.volume("pvc-1").getVolumeId(), true);
            assertThat(capabilities(fixture)).doesNotContain(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
            assertThat(fixture.client()
                            .controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntries(0)
                            .getStatus()
                            .hasVolumeCondition())
                    .isFalse();
        });
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.groups.Tuple.tuple(values);
    }

    private static void with(UnaryOperator<DriverOptions.Builder> options, java.util.function.Consumer<Fixture> test) {
        try (Fixture fixture = new Fixture(options)) {
            test.accept(fixture);
        }
    }

    private static List<ControllerServiceCapability.RPC.Type> capabilities(Fixture fixture) {
        return fixture
                .client()
                .controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(each -> each.getRpc().getType())
                .toList();
    }

    private static ControllerListVolumeHealthResponse list(Fixture fixture, String token) {
        return fixture.client()
                .controller()
                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.newBuilder()
                        .setMaxEntries(1)
                        .setStartingToken(token)
                        .build());
    }

    private static List<VolumeHealthEntry> controller(Fixture fixture, String volume) {
        VolumeHealth health = fixture.client()
                .controller()
                .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume)
                        .build())
                .getVolumeHealth();
        assertThat(health.getVolumeId()).isEqualTo(volume);
        return health.getHealthStatusesList();
    }

    private static List<VolumeHealthEntry> node(Fixture fixture, String volume) {
        return fixture.client()
                .node()
                .nodeGetVolumeHealth(NodeGetVolumeHealthRequest.newBuilder()
                        .setVolumeId(volume)
                        .build())
                .getVolumeHealth()
                .getHealthStatusesList();
    }
}
