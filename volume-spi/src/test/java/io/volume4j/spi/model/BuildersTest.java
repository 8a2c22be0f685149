package io.volume4j.spi.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A host that builds records needs to name only what it has to say, and copies keep every other part. */
class BuildersTest {
    private static final ObjectMeta META = ObjectMeta.builder("ns", "n")
            .uid("u")
            .resourceVersion("7")
            .generation(3)
            .labels(Map.of("a", "b"))
            .annotations(Map.of("c", "d"))
            .finalizers(List.of("f"))
            .ownerReferences(List.of())
            .creationTimestamp(Instant.EPOCH)
            .deletionTimestamp(Instant.MAX)
            .build();
    private static final CsiSource CSI = CsiSource.builder("d", "h")
            .readOnly(true)
            .fsType("xfs")
            .volumeAttributes(Map.of("a", "b"))
            .controllerPublishSecretRef(new SecretRef("ns", "1"))
            .nodeStageSecretRef(new SecretRef("ns", "2"))
            .nodePublishSecretRef(new SecretRef("ns", "3"))
            .controllerExpandSecretRef(new SecretRef("ns", "4"))
            .nodeExpandSecretRef(new SecretRef("ns", "5"))
            .build();
    private static final VolumeSpec SPEC = new VolumeSpec("v", CSI, null, false);
    private static final VolumeId VOLUME = new VolumeId("p", "v", "");
    private static final RootedPath TARGET = RootedPath.of(Path.of("/r"), "t");
    private static final Pod POD = new Pod(
            META,
            Pod.Spec.builder()
                    .nodeName("here")
                    .serviceAccountName("s")
                    .hostUsers(false)
                    .ephemeralContainers(List.of(new Container("debug", List.of(), List.of(), Map.of(), Map.of())))
                    .build(),
            new Pod.Status(PodPhase.RUNNING, List.of()),
            Unmodeled.none());

    @TestFactory
    Stream<DynamicTest> aCopyIsEqual() {
        PersistentVolume.Spec volume = PersistentVolume.Spec.builder(CSI)
                .capacity(Quantity.parse("1Gi"))
                .accessModes(List.of(AccessMode.READ_WRITE_ONCE))
                .storageClassName("fast")
                .mountOptions(List.of("noatime"))
                .volumeAttributesClassName("gold")
                .build();
        PersistentVolumeClaim.Spec claim = PersistentVolumeClaim.Spec.builder()
                .request(Quantity.parse("1Gi"))
                .storageClassName("fast")
                .volumeName("v")
                .build();
        StorageClass type = StorageClass.builder(META, "loop.volume4j.io")
                .parameters(Map.of("a", "b"))
                .allowVolumeExpansion(true)
                .volumeBindingMode(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)
                .build();
        IscsiSource iscsi =
                IscsiSource.builder("portal", "iqn", 3).initiatorName("i").build();
        MountRequest mount = MountRequest.builder(SPEC, VOLUME, POD, TARGET)
                .outerName("data")
                .devicePath("/dev/x")
                .readOnly(true)
                .sizeLimitBytes(9)
                .build();
        DeviceMountRequest device = DeviceMountRequest.builder(SPEC, VOLUME, TARGET, new NoLedger())
                .fsGroup(5L)
                .seLinuxLabel("l")
                .build();
        NodeExpandRequest expand =
                NodeExpandRequest.builder(SPEC, VOLUME, 10).oldBytes(5).build();
        return Stream.of(
                copied("metadata", META, META.toBuilder().build()),
                copied("CSI source", CSI, CSI.toBuilder().build()),
                copied("iSCSI source", iscsi, iscsi.toBuilder().build()),
                copied("volume", volume, volume.toBuilder().build()),
                copied("claim", claim, claim.toBuilder().build()),
                copied("class", type, type.toBuilder().build()),
                copied("pod", POD.spec(), POD.spec().toBuilder().build()),
                copied("mount", mount, mount.toBuilder().build()),
                copied("device mount", device, device.toBuilder().build()),
                copied("expansion", expand, expand.toBuilder().build()));
    }

    private static DynamicTest copied(String name, Object original, Object copy) {
        return DynamicTest.dynamicTest(name, () -> assertThat(copy).isEqualTo(original));
    }

    @Test
    void whatIsNotNamedHasTheDefaultOfItsKind() {
        assertThat(ObjectMeta.builder("", "n").build()).isEqualTo(ObjectMeta.named("", "n"));
        assertThat(CsiSource.builder("d", "h").build()).isEqualTo(CsiSource.of("d", "h", "", Map.of()));
        assertThat(PersistentVolumeClaim.Spec.builder().build().storageClassName())
                .as("the default class may be given")
                .isNull();
        assertThat(PersistentVolume.Spec.builder(CSI).build().reclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
        assertThat(StorageClass.builder(META, "p").build().reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
    }

    @Test
    void mountAndUnmountKnowThePodByTheSameUid() {
        assertThat(MountRequest.builder(SPEC, VOLUME, POD, TARGET).build().podUid())
                .isEqualTo("u");
        assertThat(MountRequest.builder(SPEC, VOLUME, POD, TARGET).build().state())
                .isEqualTo(PluginState.none());
    }

    private static final class NoLedger implements FormatLedger {
        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {}

        @Override
        public @Nullable OpenFormat open() {
            return null;
        }

        @Override
        public void finish() {}
    }
}
