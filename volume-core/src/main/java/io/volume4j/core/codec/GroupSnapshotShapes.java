package io.volume4j.core.codec;

import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotClass;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code VolumeGroupSnapshot}, {@code VolumeGroupSnapshotContent} and {@code VolumeGroupSnapshotClass}. */
final class GroupSnapshotShapes {
    private static final String CLASS = "volumeGroupSnapshotClassName";
    private static final String CONTENT = "volumeGroupSnapshotContentName";
    private static final String HANDLES = "groupSnapshotHandles";
    private static final String GROUP = "volumeGroupSnapshotHandle";
    private static final String READY = "readyToUse";
    private static final String MEMBERS = "volumeSnapshotInfoList";

    /** The same in v1beta1, with fewer fields for each. */
    private static final String PAIRS = "volumeSnapshotHandlePairList";

    private GroupSnapshotShapes() {}

    static VolumeGroupSnapshotClass readClass(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        return new VolumeGroupSnapshotClass(
                metadata,
                SnapshotShapes.driver(document, "makes the group snapshots of this class"),
                SnapshotShapes.policy(document),
                document.textMap("parameters"),
                unmodeled);
    }

    static Written write(VolumeGroupSnapshotClass type) {
        return Written.part()
                .text("driver", type.driver())
                .word("deletionPolicy", type.deletionPolicy())
                .map("parameters", type.parameters());
    }

    static VolumeGroupSnapshot.Spec readSpec(Fields spec) {
        Fields source = spec.object("source");
        @Nullable Fields selector = source.optionalObject("selector");
        String content = source.name(CONTENT, NameRule.SUBDOMAIN);
        boolean one = SnapshotShapes.exactlyOne(source, selector == null, "selector", content.isEmpty(), CONTENT);
        return new VolumeGroupSnapshot.Spec(
                one && selector != null ? SelectorShapes.readLabels(selector) : null,
                one ? content : Fields.NO_NAME,
                spec.name(CLASS, NameRule.SUBDOMAIN));
    }

    static VolumeGroupSnapshot.Status readStatus(Fields status) {
        return new VolumeGroupSnapshot.Status(
                status.name("boundVolumeGroupSnapshotContentName", NameRule.SUBDOMAIN),
                status.flag(READY),
                status.instant("creationTime"),
                SnapshotShapes.readError(status));
    }

    static Written write(VolumeGroupSnapshot group) {
        VolumeGroupSnapshot.Spec spec = group.spec();
        VolumeGroupSnapshot.Status status = group.status();
        @Nullable LabelSelector selector = spec.selector();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .object(
                                        "source",
                                        Written.part()
                                                .object(
                                                        "selector",
                                                        selector == null ? null : SelectorShapes.writeLabels(selector))
                                                .text(CONTENT, spec.contentName()))
                                .text(CLASS, spec.className()))
                .object(
                        "status",
                        Written.part()
                                .text("boundVolumeGroupSnapshotContentName", status.contentName())
                                .flag(READY, status.ready())
                                .instant("creationTime", status.creationTime())
                                .object("error", SnapshotShapes.writeError(status.error())));
    }

    static VolumeGroupSnapshotContent.Spec readContentSpec(Fields spec) {
        Fields source = spec.object("source");
        List<String> volumes = source.texts("volumeHandles");
        @Nullable Fields handles = source.optionalObject(HANDLES);
        boolean one = SnapshotShapes.exactlyOne(source, volumes.isEmpty(), "volumeHandles", handles == null, HANDLES);
        return new VolumeGroupSnapshotContent.Spec(
                SnapshotShapes.readReference(spec, "volumeGroupSnapshotRef"),
                SnapshotShapes.policy(spec),
                SnapshotShapes.driver(spec, "keeps the group snapshot"),
                spec.name(CLASS, NameRule.SUBDOMAIN),
                one ? volumes : List.of(),
                groupHandle(one, handles),
                handles == null ? List.of() : handles.texts("volumeSnapshotHandles"));
    }

    private static String groupHandle(boolean one, @Nullable Fields handles) {
        if (!one) {
            return Fields.NO_NAME;
        }
        return handles == null ? "" : handles.requiredText(GROUP, "write what the backend calls the group");
    }

    static VolumeGroupSnapshotContent.Status readContentStatus(Fields status) {
        return new VolumeGroupSnapshotContent.Status(
                status.text(GROUP),
                status.flag(READY),
                status.instant("creationTime"),
                SnapshotShapes.readError(status),
                status.objects(status.has(MEMBERS) ? MEMBERS : PAIRS).stream()
                        .map(member -> new VolumeGroupSnapshotContent.Member(
                                member.text("volumeHandle"),
                                member.text("snapshotHandle"),
                                member.number("creationTime"),
                                member.number("restoreSize"),
                                member.flag(READY)))
                        .toList());
    }

    static Written write(VolumeGroupSnapshotContent content) {
        VolumeGroupSnapshotContent.Spec spec = content.spec();
        VolumeGroupSnapshotContent.Status status = content.status();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .object("volumeGroupSnapshotRef", SnapshotShapes.writeReference(spec.groupRef()))
                                .word("deletionPolicy", spec.deletionPolicy())
                                .text("driver", spec.driver())
                                .text(CLASS, spec.className())
                                .object("source", source(spec)))
                .object(
                        "status",
                        Written.part()
                                .text(GROUP, status.groupHandle())
                                .flag(READY, status.ready())
                                .instant("creationTime", status.creationTime())
                                .object("error", SnapshotShapes.writeError(status.error()))
                                .objects(
                                        content.tellsPairsOnly() ? PAIRS : MEMBERS,
                                        status.members(),
                                        member -> writeMember(content, member)));
    }

    private static Written writeMember(VolumeGroupSnapshotContent content, VolumeGroupSnapshotContent.Member member) {
        Written pair = Written.whole()
                .text("volumeHandle", member.volumeHandle())
                .text("snapshotHandle", member.snapshotHandle());
        return content.tellsPairsOnly()
                ? pair
                : pair.number("creationTime", member.creationNanos())
                        .number("restoreSize", member.restoreBytes())
                        .flag(READY, member.ready());
    }

    private static Written source(VolumeGroupSnapshotContent.Spec spec) {
        Written source = Written.part().scalars("volumeHandles", spec.volumeHandles());
        return spec.groupHandle().isEmpty()
                ? source
                : source.object(
                        HANDLES,
                        Written.part()
                                .text(GROUP, spec.groupHandle())
                                .scalars("volumeSnapshotHandles", spec.snapshotHandles()));
    }
}
