package io.volume4j.core.codec;

import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ReferenceGrant;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumePopulator;

/** {@code VolumePopulator} and {@code ReferenceGrant}. */
final class DataSourceShapes {
    private DataSourceShapes() {}

    static VolumePopulator readPopulator(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        Fields source = document.object("sourceKind");
        return new VolumePopulator(
                metadata,
                source.text("group"),
                source.requiredText("kind", "write the kind of objects that volumes are filled from"),
                unmodeled);
    }

    static Written write(VolumePopulator populator) {
        return Written.part()
                .object(
                        "sourceKind",
                        Written.part()
                                .meaningfulText("group", populator.sourceGroup())
                                .text("kind", populator.sourceKind()));
    }

    static ReferenceGrant.Spec readGrant(Fields spec) {
        return new ReferenceGrant.Spec(
                spec.objects("from").stream()
                        .map(from -> new ReferenceGrant.From(
                                from.text("group"),
                                from.requiredText("kind", "write the kind of objects that may refer"),
                                from.requiredText("namespace", "write the namespace of objects that may refer")))
                        .toList(),
                spec.objects("to").stream()
                        .map(to -> new ReferenceGrant.To(
                                to.text("group"),
                                to.requiredText("kind", "write the kind of objects that may be referred to"),
                                to.text("name")))
                        .toList());
    }

    static Written write(ReferenceGrant grant) {
        return Written.part()
                .object(
                        "spec",
                        Written.part()
                                .objects(
                                        "from",
                                        grant.spec().from(),
                                        from -> Written.whole()
                                                .meaningfulText("group", from.group())
                                                .text("kind", from.kind())
                                                .text("namespace", from.namespace()))
                                .objects(
                                        "to",
                                        grant.spec().to(),
                                        to -> Written.whole()
                                                .meaningfulText("group", to.group())
                                                .text("kind", to.kind())
                                                .text("name", to.name())));
    }
}
