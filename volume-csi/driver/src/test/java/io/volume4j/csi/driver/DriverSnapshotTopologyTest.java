package io.volume4j.csi.driver;

import static io.volume4j.csi.driver.DriverClient.code;
import static io.volume4j.csi.driver.SnapshotTopologyCheck.cut;
import static io.volume4j.csi.driver.SnapshotTopologyCheck.zone;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From where snapshots of the driver can be used. */
@Timeout(120)
class DriverSnapshotTopologyTest {
    @Test
    void aSnapshotIsUsableWhereItsVolumeIsAndSaysSoEachTime() {
        try (Fixture fixture = new Fixture()) {
            assertThat(cut(fixture, "pvc-1", "s", "a").getAccessibleTopologyList())
                    .containsExactly(zone("a"));
            assertThat(fixture.client()
                            .controller()
                            .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                            .getEntries(0)
                            .getSnapshot()
                            .getAccessibleTopologyList())
                    .containsExactly(zone("a"));
        }
    }

    @Test
    void aVolumeIsMadeFromASnapshotOnlyWhereThatIsUsable() {
        try (Fixture fixture = new Fixture(options -> options.pools(List.of(
                Pool.parse("topology.volume4j.io/zone=a:10Gi"), Pool.parse("topology.volume4j.io/zone=b:10Gi"))))) {
            Snapshot snapshot = cut(fixture, "pvc-1", "s", "a");
            VolumeContentSource source = VolumeContentSource.newBuilder()
                    .setSnapshot(
                            VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId()))
                    .build();
            assertThat(fixture.client()
                            .controller()
                            .createVolume(Fixture.create("anywhere")
                                    .setVolumeContentSource(source)
                                    .build())
                            .getVolume()
                            .getAccessibleTopologyList())
                    .containsExactly(zone("a"));
            assertThat(code(() -> fixture.client()
                            .controller()
                            .createVolume(Fixture.create("elsewhere")
                                    .setVolumeContentSource(source)
                                    .setAccessibilityRequirements(
                                            TopologyRequirement.newBuilder().addRequisite(zone("b")))
                                    .build())))
                    .isEqualTo(Code.RESOURCE_EXHAUSTED);
        }
    }

    @Test
    void aDriverOf112DoesNotSeeWhereASnapshotIsToBe() {
        try (Fixture fixture = new Fixture(DriverOptions.Builder::of112)) {
            assertThat(cut(fixture, "pvc-1", "s", "elsewhere").getAccessibleTopologyList())
                    .isEmpty();
        }
    }

    @Test
    void aDriverWithoutTheCapabilityTellsNoPlace() {
        try (Fixture fixture = new Fixture(options -> options.without("plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"))) {
            String volume = fixture.volume("pvc-1").getVolumeId();
            assertThat(fixture.client()
                            .controller()
                            .createSnapshot(CreateSnapshotRequest.newBuilder()
                                    .setSourceVolumeId(volume)
                                    .setName("s")
                                    .build())
                            .getSnapshot()
                            .getAccessibleTopologyList())
                    .isEmpty();
        }
    }
}
