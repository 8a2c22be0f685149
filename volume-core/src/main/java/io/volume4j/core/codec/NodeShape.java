package io.volume4j.core.codec;

import io.volume4j.spi.model.Node;
import java.util.List;

/** {@code Node}. Of its conditions, only {@code Ready} is modeled. */
final class NodeShape {
    private static final String READY = "Ready";

    private NodeShape() {}

    static Node.Spec readSpec(Fields spec) {
        return new Node.Spec(spec.objects("taints").stream()
                .map(taint -> new Node.Taint(
                        taint.requiredText("key", "write the taint's key"), taint.text("value"), taint.text("effect")))
                .toList());
    }

    static Node.Status readStatus(Fields status) {
        return new Node.Status(
                status.objects("conditions").stream()
                        .anyMatch(condition -> condition.text("type").equals(READY)
                                && condition.text("status").equals("True")),
                status.texts("volumesInUse"),
                status.objects("volumesAttached").stream()
                        .map(attached -> new Node.AttachedVolume(
                                attached.requiredText("name", "write the volume's unique name"),
                                attached.text("devicePath")))
                        .toList(),
                status.amounts("allocatable"));
    }

    static Written write(Node node) {
        Node.Status status = node.status();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .objects(
                                        "taints",
                                        node.spec().taints(),
                                        taint -> Written.whole()
                                                .text("key", taint.key())
                                                .text("value", taint.value())
                                                .text("effect", taint.effect())))
                .object(
                        "status",
                        Written.part()
                                .objects(
                                        "conditions",
                                        List.of(status.ready()),
                                        ready -> Written.whole()
                                                .text("type", READY)
                                                .text("status", ready ? "True" : "False"))
                                .scalars("volumesInUse", status.volumesInUse())
                                .objects(
                                        "volumesAttached",
                                        status.volumesAttached(),
                                        attached -> Written.whole()
                                                .text("name", attached.name())
                                                .meaningfulText("devicePath", attached.devicePath()))
                                .amounts("allocatable", status.allocatable()));
    }
}
