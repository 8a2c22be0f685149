package io.volume4j.core.codec;

import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeBindingMode;
import java.util.List;

/** {@code StorageClass} and {@code VolumeAttributesClass}. Their fields are at the top level of the document. */
final class StorageClassShape {
    private StorageClassShape() {}

    static StorageClass read(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        return new StorageClass(
                metadata,
                document.requiredName(
                        "provisioner",
                        NameRule.QUALIFIED,
                        "write the name of the plugin that makes the volumes of this class"),
                document.textMap("parameters"),
                document.anyWord("reclaimPolicy", ReclaimPolicy.class, ReclaimPolicy.DELETE),
                document.texts("mountOptions"),
                document.flag("allowVolumeExpansion"),
                document.word("volumeBindingMode", VolumeBindingMode.class, VolumeBindingMode.IMMEDIATE),
                SelectorShapes.readTopologies(document.objects("allowedTopologies")),
                unmodeled);
    }

    static Written write(StorageClass type) {
        NodeSelector topologies = type.allowedTopologies();
        return Written.part()
                .text("provisioner", type.provisioner())
                .map("parameters", type.parameters())
                .word("reclaimPolicy", type.reclaimPolicy())
                .scalars("mountOptions", type.mountOptions())
                .flag("allowVolumeExpansion", type.allowVolumeExpansion())
                .word("volumeBindingMode", type.volumeBindingMode())
                .objects(
                        "allowedTopologies",
                        topologies == null ? List.of() : topologies.terms(),
                        SelectorShapes::writeTopology);
    }

    static VolumeAttributesClass readAttributes(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        return new VolumeAttributesClass(
                metadata,
                document.requiredName(
                        "driverName",
                        NameRule.QUALIFIED,
                        "write the name of the plugin that understands the parameters of this class"),
                document.textMap("parameters"),
                unmodeled);
    }

    static Written write(VolumeAttributesClass type) {
        return Written.part().text("driverName", type.driverName()).map("parameters", type.parameters());
    }
}
