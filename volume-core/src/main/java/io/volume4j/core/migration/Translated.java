package io.volume4j.core.migration;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import java.util.Map;

/** A kind of storage for which only names differ. */
final class Translated extends InTree {
    private final String handle;

    Translated(Translation translation) {
        super(translation.plugin(), translation.source(), translation.driver(), translation.topologyKey());
        this.handle = translation.handle();
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String id = Fields.text(source, handle);
        if (id.isEmpty()) {
            throw invalid("of volume " + around.meta().name(), "it names no " + handle);
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
                .text(handle, source.volumeHandle())
                .text("fsType", source.fsType())
                .flag("readOnly", source.readOnly())
                .build();
    }
}
