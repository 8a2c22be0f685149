package io.volume4j.ui.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.ui.rows.Row;
import io.volume4j.ui.rows.RowState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Of a volume on a node: each part of the way has the state of the step that leads to it, or what the cluster tells of it. */
class ChainTest {
    private static final ObjectKey VOLUME = ObjectKey.volume("pv-data");
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MOUNTED          |                | 0 | ok",
                "UNCERTAIN        |                | 0 | uncertain",
                "UNCERTAIN        | UNMOUNT        | 0 | working",
                "UNCERTAIN        | MOUNT          | 2 | uncertain",
                "FS_GROUP_PENDING | APPLY_FS_GROUP | 0 | working",
                "FS_GROUP_PENDING | APPLY_FS_GROUP | 1 | failing",
                "IDS_PENDING      | MAP_IDS        | 1 | failing",
                "SUBPATHS_PENDING | BIND_SUBPATHS  | 1 | failing",
                "FS_GROUP_PENDING | TELL_SIZE      | 1 | absent",
            })
    void aMountHasTheStateOfItsStep(String state, String kind, int attempts, String shown) {
        assertThat(shown(row("ATTACHED", "MOUNTED", state), kind, attempts, "Mount"))
                .isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Attachment | ATTACH           | 0 | working",
                "Attachment | CONFIRM_ATTACHED | 3 | failing",
                "Attachment | MOUNT            | 0 | absent",
                "Device     | MOUNT_DEVICE     | 0 | working",
                "Device     | MOUNT_DEVICE     | 1 | failing",
                "Device     | ATTACH           | 1 | absent",
            })
    void attachmentAndDeviceHaveTheStateOfTheirSteps(String part, String kind, int attempts, String shown) {
        assertThat(shown(row("DETACHED", "NONE", "MOUNTED"), kind, attempts, part))
                .isEqualTo(shown);
    }

    @Test
    void claimAndVolumeHaveThePhaseThatTheClusterTells() {
        assertThat(part(boundVolume(), "Claim")).isEqualTo("ok: BOUND");
        assertThat(part(boundVolume(), "PersistentVolume")).isEqualTo("ok: BOUND");
    }

    @Test
    void aClaimThatIsGoneIsAbsent() {
        InMemoryCluster cluster = boundVolume();
        cluster.remove(CLAIM);

        assertThat(part(cluster, "Claim")).isEqualTo("absent: gone");
    }

    @ParameterizedTest
    @EnumSource(
            value = Rejection.class,
            names = {"UNAVAILABLE", "FORBIDDEN"})
    void aClaimThatCannotBeReadIsUnknownWithTheReasonAndNotGone(Rejection rejection) {
        InMemoryCluster cluster = boundVolume();
        cluster.fail(ClusterFault.on(ClusterVerb.READ).of(CLAIM).always().as(rejection));

        assertThat(part(cluster, "Claim")).isEqualTo("unknown: cannot be read: " + reason(cluster, CLAIM));
        assertThat(part(cluster, "PersistentVolume")).isEqualTo("ok: BOUND");
    }

    @ParameterizedTest
    @EnumSource(
            value = Rejection.class,
            names = {"UNAVAILABLE", "FORBIDDEN"})
    void aVolumeThatCannotBeReadIsUnknownWithTheReasonAndItsClaimIsOmitted(Rejection rejection) {
        InMemoryCluster cluster = boundVolume();
        cluster.fail(ClusterFault.on(ClusterVerb.READ).of(VOLUME).always().as(rejection));

        assertThat(part(cluster, "PersistentVolume")).isEqualTo("unknown: cannot be read: " + reason(cluster, VOLUME));
        assertThat(chain(cluster).findValuesAsText("kind")).doesNotContain("Claim");
    }

    @Test
    void aVolumeThatTheClusterDoesNotHaveIsOmittedAsThatOfAnInlineVolume() {
        assertThat(chain(InMemoryCluster.create()).findValuesAsText("kind"))
                .containsExactly("Pod", "Attachment", "Device", "Mount");
    }

    private static InMemoryCluster boundVolume() {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("objects", """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv-data}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  claimRef: {namespace: default, name: data}
                status: {phase: Bound}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {namespace: default, name: data}
                spec: {accessModes: [ReadWriteOnce], volumeName: pv-data}
                status: {phase: Bound}
                """).forEach(cluster::apply);
        return cluster;
    }

    private static String reason(InMemoryCluster cluster, ObjectKey key) {
        return assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> cluster.readLive(key))
                .actual()
                .getMessage();
    }

    private static JsonNode chain(InMemoryCluster cluster) {
        return Chain.of(
                row("ATTACHED", "MOUNTED", "MOUNTED"), new Explanation("volume", true, List.of(), List.of()), cluster);
    }

    /** State and detail of the part. */
    private static String part(InMemoryCluster cluster, String kind) {
        for (JsonNode each : chain(cluster)) {
            if (each.path("kind").asText().equals(kind)) {
                return each.path("state").asText() + ": " + each.path("detail").asText();
            }
        }
        throw new AssertionError("the chain has no " + kind);
    }

    private static Row row(String attach, String device, String mount) {
        return new Row(
                "node",
                "volume",
                "volume",
                "pv-data",
                "",
                "example.org",
                List.of("default/a"),
                attach,
                device,
                "",
                List.of(new Row.Mount("default/a", mount, "/pods/a", false)),
                RowState.WORKING,
                "",
                "",
                0,
                0);
    }

    private static String shown(Row row, @Nullable String kind, int attempts, String part) {
        List<StepState> steps = kind == null
                ? List.of()
                : List.of(new StepState("does it", kind, StepState.Phase.RUNNING, "", attempts, "", Duration.ZERO));
        for (JsonNode each : Chain.of(row, new Explanation("volume", true, steps, List.of()), null)) {
            if (each.path("kind").asText().equals(part)) {
                return each.path("state").asText();
            }
        }
        throw new AssertionError("the chain has no " + part);
    }
}
