package io.volume4j.core.codec;

import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.SnapshotError;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotClass;
import io.volume4j.spi.model.VolumeSnapshotContent;
import org.jspecify.annotations.Nullable;

/** {@code VolumeSnapshot}, {@code VolumeSnapshotContent} and {@code VolumeSnapshotClass}. */
final class SnapshotShapes {
    private static final String CLASS = "volumeSnapshotClassName";
    private static final String CONTENT = "volumeSnapshotContentName";
    private static final String READY = "readyToUse";
    private static final String ERROR = "error";

    private SnapshotShapes() {}

    static VolumeSnapshotClass readClass(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        return new VolumeSnapshotClass(
                metadata,
                driver(document, "makes the snapshots of this class"),
                policy(document),
                document.textMap("parameters"),
                unmodeled);
    }

    static Written write(VolumeSnapshotClass type) {
        return Written.part()
                .text("driver", type.driver())
                .word("deletionPolicy", type.deletionPolicy())
                .map("parameters", type.parameters());
    }

    static VolumeSnapshot.Spec readSpec(Fields spec) {
        Fields source = spec.object("source");
        String claim = source.name("persistentVolumeClaimName", NameRule.SUBDOMAIN);
        String content = source.name(CONTENT, NameRule.SUBDOMAIN);
        boolean one = exactlyOne(source, claim.isEmpty(), "persistentVolumeClaimName", content.isEmpty(), CONTENT);
        return new VolumeSnapshot.Spec(
                one ? claim : Fields.NO_NAME, one ? content : "", spec.name(CLASS, NameRule.SUBDOMAIN));
    }

    static VolumeSnapshot.Status readStatus(Fields status) {
        return new VolumeSnapshot.Status(
                status.name("boundVolumeSnapshotContentName", NameRule.SUBDOMAIN),
                status.flag(READY),
                status.instant("creationTime"),
                status.amount("restoreSize"),
                readError(status),
                status.text("volumeGroupSnapshotName"));
    }

    static Written write(VolumeSnapshot snapshot) {
        VolumeSnapshot.Spec spec = snapshot.spec();
        VolumeSnapshot.Status status = snapshot.status();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .object(
                                        "source",
                                        Written.part()
                                                .text("persistentVolumeClaimName", spec.claimName())
                                                .text(CONTENT, spec.contentName()))
                                .text(CLASS, spec.className()))
                .object(
                        "status",
                        Written.part()
                                .text("boundVolumeSnapshotContentName", status.contentName())
                                .flag(READY, status.ready())
                                .instant("creationTime", status.creationTime())
                                .amount("restoreSize", status.restoreSize())
                                .object(ERROR, writeError(status.error()))
                                .text("volumeGroupSnapshotName", status.groupName()));
    }

    static VolumeSnapshotContent.Spec readContentSpec(Fields spec) {
        Fields source = spec.object("source");
        String volume = source.text("volumeHandle");
        String snapshot = source.text("snapshotHandle");
        boolean one = exactlyOne(source, volume.isEmpty(), "volumeHandle", snapshot.isEmpty(), "snapshotHandle");
        return new VolumeSnapshotContent.Spec(
                readReference(spec, "volumeSnapshotRef"),
                policy(spec),
                driver(spec, "keeps the snapshot"),
                spec.name(CLASS, NameRule.SUBDOMAIN),
                one ? volume : "",
                one ? snapshot : Fields.NO_NAME,
                spec.text("sourceVolumeMode").isEmpty()
                        ? null
                        : spec.word("sourceVolumeMode", VolumeMode.class, VolumeMode.FILESYSTEM));
    }

    static VolumeSnapshotContent.Status readContentStatus(Fields status) {
        return new VolumeSnapshotContent.Status(
                status.text("snapshotHandle"),
                status.number("creationTime"),
                status.number("restoreSize"),
                status.flag(READY),
                readError(status),
                status.text("volumeGroupSnapshotHandle"));
    }

    static Written write(VolumeSnapshotContent content) {
        VolumeSnapshotContent.Spec spec = content.spec();
        VolumeSnapshotContent.Status status = content.status();
        @Nullable VolumeMode mode = spec.sourceVolumeMode();
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .object("volumeSnapshotRef", writeReference(spec.snapshotRef()))
                                .word("deletionPolicy", spec.deletionPolicy())
                                .text("driver", spec.driver())
                                .text(CLASS, spec.className())
                                .object(
                                        "source",
                                        Written.part()
                                                .text("volumeHandle", spec.volumeHandle())
                                                .text("snapshotHandle", spec.snapshotHandle()))
                                .text("sourceVolumeMode", mode == null ? "" : mode.apiName()))
                .object(
                        "status",
                        Written.part()
                                .text("snapshotHandle", status.snapshotHandle())
                                .number("creationTime", status.creationNanos())
                                .number("restoreSize", status.restoreBytes())
                                .flag(READY, status.ready())
                                .object(ERROR, writeError(status.error()))
                                .text("volumeGroupSnapshotHandle", status.groupHandle()));
    }

    static String driver(Fields fields, String does) {
        return fields.requiredName("driver", NameRule.QUALIFIED, "write the name of the plugin that " + does);
    }

    static DeletionPolicy policy(Fields fields) {
        fields.requiredText("deletionPolicy", "write Delete or Retain");
        return fields.anyWord("deletionPolicy", DeletionPolicy.class, DeletionPolicy.UNKNOWN);
    }

    /** Whether a source names exactly one of two. A manifest must; a stored source that does not names nothing. */
    static boolean exactlyOne(Fields source, boolean noFirst, String first, boolean noSecond, String second) {
        if (noFirst != noSecond) {
            return true;
        }
        if (source.stored()) {
            return false;
        }
        throw noFirst
                ? source.missing(first, "write it, or " + second)
                : source.wrong(second, "is set together with " + first + ": set exactly one of them");
    }

    static ObjectReference readReference(Fields spec, String key) {
        Fields reference = spec.object(key);
        return new ObjectReference(
                reference.text("apiVersion"),
                reference.text("kind"),
                reference.requiredName("namespace", NameRule.LABEL, "write the namespace"),
                reference.requiredName("name", NameRule.SUBDOMAIN, "write the name"),
                reference.uidOfReference(),
                reference.text("resourceVersion"));
    }

    static Written writeReference(ObjectReference reference) {
        return Written.whole()
                .text("apiVersion", reference.apiVersion())
                .text("kind", reference.kind())
                .text("namespace", reference.namespace())
                .text("name", reference.name())
                .text("uid", reference.uid())
                .text("resourceVersion", reference.resourceVersion());
    }

    static @Nullable SnapshotError readError(Fields status) {
        @Nullable Fields error = status.optionalObject(ERROR);
        return error == null ? null : new SnapshotError(error.text("time"), error.text("message"));
    }

    static @Nullable Written writeError(@Nullable SnapshotError error) {
        return error == null ? null : Written.whole().text("time", error.time()).text("message", error.message());
    }
}
