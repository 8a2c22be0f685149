package io.volume4j.core.codec;

import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import org.jspecify.annotations.Nullable;

/** {@code VolumeAttachment}. */
final class VolumeAttachmentShape {
    private VolumeAttachmentShape() {}

    static VolumeAttachment.Spec readSpec(Fields spec) {
        Fields source = spec.object("source");
        Fields inline = source.optionalObject("inlineVolumeSpec");
        String volume = source.name("persistentVolumeName", NameRule.SUBDOMAIN);
        if (volume.isEmpty() && inline == null) {
            throw source.missing("persistentVolumeName", "write the volume's name, or its inlineVolumeSpec");
        }
        if (!volume.isEmpty() && inline != null) {
            throw source.wrong(
                    "inlineVolumeSpec", "is set together with persistentVolumeName: set exactly one of them");
        }
        String attacher = spec.requiredName("attacher", NameRule.QUALIFIED, "write the driver's name");
        String node = spec.requiredName("nodeName", NameRule.SUBDOMAIN, "write the node's name");
        return inline == null
                ? VolumeAttachment.Spec.ofVolume(attacher, node, volume)
                : VolumeAttachment.Spec.ofInline(attacher, node, PersistentVolumeShape.readSpec(inline));
    }

    static VolumeAttachment.Status readStatus(Fields status) {
        return new VolumeAttachment.Status(
                status.flag("attached"),
                status.textMap("attachmentMetadata"),
                readFailure(status.optionalObject("attachError")),
                readFailure(status.optionalObject("detachError")));
    }

    static Written write(VolumeAttachment attachment) {
        VolumeAttachment.Spec spec = attachment.spec();
        VolumeAttachment.Status status = attachment.status();
        PersistentVolume.Spec inline = spec.inlineVolumeSpec();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .text("attacher", spec.attacher())
                                .text("nodeName", spec.nodeName())
                                .object(
                                        "source",
                                        Written.part()
                                                .text("persistentVolumeName", spec.persistentVolumeName())
                                                .object(
                                                        "inlineVolumeSpec",
                                                        inline == null
                                                                ? null
                                                                : PersistentVolumeShape.writeSpec(inline))))
                .object(
                        "status",
                        Written.part()
                                .answer("attached", status.attached())
                                .map("attachmentMetadata", status.attachmentMetadata())
                                .object("attachError", writeFailure(status.attachError()))
                                .object("detachError", writeFailure(status.detachError())));
    }

    private static VolumeAttachment.@Nullable Failure readFailure(@Nullable Fields failure) {
        return failure == null
                ? null
                : new VolumeAttachment.Failure(
                        failure.text("time"), failure.text("message"), code(failure.number("errorCode")));
    }

    /** Code 0 means OK, so it means no code. A code that exceeds an int is not a gRPC code. */
    private static int code(@Nullable Long code) {
        return code == null || code != code.intValue() ? 0 : code.intValue();
    }

    private static @Nullable Written writeFailure(VolumeAttachment.@Nullable Failure failure) {
        return failure == null
                ? null
                : Written.whole()
                        .text("time", failure.time())
                        .text("message", failure.message())
                        .number("errorCode", failure.errorCode() == 0 ? null : (long) failure.errorCode());
    }
}
