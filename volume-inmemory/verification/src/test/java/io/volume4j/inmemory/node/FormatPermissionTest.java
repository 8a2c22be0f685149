package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.mount.DeviceContent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A format that a crash cut short is a permission to format again, as long as no other node can have had the volume. */
class FormatPermissionTest {
    private static final VolumeId DATA = VolumeId.shared("mem", "h-data");
    private static final Path DISK = Path.of("/dev/mem/h-data");

    private final NodeHarness node = NodeHarness.withPlugin(InMemoryPluginBuilder::formats);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);

    /** The node loses its power while it formats the volume of pod a. */
    @BeforeEach
    void aFormatIsCutShort() {
        machine.addDisk(DISK, "serial-data", BoundVolumes.SIZE.bytes());
        machine.faults().add(Fault.on("format").always().as(FaultKind.PARTIAL));
        node.attachMode(AttachMode.CONTROLLER);
        node.nodeObject(Map.of());
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        attached("first");
        node.settle();
        assertThat(machine.content(DISK).kind())
                .as("mkfs began and did not end")
                .isEqualTo(DeviceContent.Kind.FOREIGN);
        node.reboot();
        machine.faults().heal();
    }

    @Test
    void aVolumeThatStayedAttachedIsFormattedAgain() {
        attached("first");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(machine.violations()).isEmpty();
    }

    /** Another node has formatted it and written to it, and lost its power too, before the volume came back. */
    @Test
    void aFilesystemThatFailsItsCheckIsKeptIfTheVolumeWasDetachedInBetween() {
        node.deletePod("a");
        machine.putFilesystem(DISK, "ext4");
        machine.setDamaged(DISK, true);
        node.pod("b", "data");
        attached("second");
        node.start().settle();

        assertThat(machine.content(DISK).kind()).isEqualTo(DeviceContent.Kind.FILESYSTEM);
        assertThat(node.explainPod("b").text()).contains("errors are left");

        machine.setDamaged(DISK, false);
        node.settle();
        assertThat(node.mounted("b").volumes()).hasSize(1);
    }

    /** The control plane has attached the volume and granted it under a VolumeAttachment of that UID. */
    private void attached(String uid) {
        String name = AttachmentName.exclusive("mem", DATA);
        node.storage.attachBehindOurBack("h-data", NodeHarness.NODE);
        node.cluster.remove(ObjectKey.attachment(name));
        node.cluster.apply(new VolumeAttachment(
                ObjectMeta.named("", name).withUid(uid).withAnnotation(GrantKeys.GENERATION, "1"),
                VolumeAttachment.Spec.ofVolume("mem", NodeHarness.NODE, "pv-data"),
                new VolumeAttachment.Status(true, Map.of(), null, null),
                Unmodeled.none()));
        Node now = (Node) node.cluster.get(ObjectKey.node(NodeHarness.NODE)).orElseThrow();
        node.cluster.apply(new Node(
                now.metadata()
                        .withAnnotation(
                                GrantKeys.GRANTS,
                                new GrantList(Map.of(DATA.toString(), new GrantList.Grant(name, uid, "1"))).text()),
                now.spec(),
                new Node.Status(
                        true,
                        now.status().volumesInUse(),
                        List.of(new Node.AttachedVolume(DATA.toString(), DISK.toString())),
                        Map.of()),
                now.unmodeled()));
    }
}
