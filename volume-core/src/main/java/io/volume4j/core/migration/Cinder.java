package io.volume4j.core.migration;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import java.util.Map;

/** OpenStack block storage. */
final class Cinder extends InTree {
    Cinder() {
        super("kubernetes.io/cinder", "cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone");
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String id = Fields.text(source, "volumeID");
        if (id.isEmpty()) {
            throw invalid("of volume " + around.meta().name(), "it names no volumeID");
        }
        return new CsiSource(
                driver(),
                id,
                Fields.flag(source, "readOnly"),
                Fields.text(source, "fsType"),
                Map.of(),
                null,
                null,
                null,
                null,
                null);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        return new Fields.Building(sourceType())
                .text("volumeID", source.volumeHandle())
                .text("fsType", source.fsType())
                .flag("readOnly", source.readOnly())
                .build();
    }
}
