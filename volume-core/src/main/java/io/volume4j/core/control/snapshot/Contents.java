package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.List;

/** Creates content objects. */
final class Contents {
    private Contents() {}

    /** A content for a new snapshot or group snapshot. It has its finalizer from the beginning. */
    static ApiObject of(SnapshotFacts snapshot, List<SnapshotView.Source> sources, ClassFacts type) {
        SnapshotWords words = snapshot.words();
        ObjectMeta meta =
                ObjectMeta.named("", words.contentName(snapshot.uid())).withFinalizers(List.of(words.keepsContent()));
        ObjectReference wantedBy = referenceTo(snapshot.object());
        if (words == SnapshotWords.GROUP) {
            return new VolumeGroupSnapshotContent(
                    meta,
                    new VolumeGroupSnapshotContent.Spec(
                            wantedBy,
                            type.policy(),
                            type.driver(),
                            type.name(),
                            sources.stream().map(SnapshotView.Source::handle).toList(),
                            "",
                            List.of()),
                    VolumeGroupSnapshotContent.Status.none(),
                    Unmodeled.none());
        }
        SnapshotView.Source source = sources.get(0);
        return new VolumeSnapshotContent(
                meta,
                new VolumeSnapshotContent.Spec(
                        wantedBy,
                        type.policy(),
                        type.driver(),
                        type.name(),
                        source.handle(),
                        "",
                        source.volume().get().spec().volumeMode()),
                VolumeSnapshotContent.Status.none(),
                Unmodeled.none());
    }

    static ObjectReference referenceTo(ApiObject object) {
        return new ObjectReference(
                object.apiVersion(),
                object.kind().apiName(),
                object.metadata().namespace(),
                object.metadata().name(),
                object.metadata().uid(),
                "");
    }
}
