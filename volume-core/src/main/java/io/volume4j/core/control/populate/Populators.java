package io.volume4j.core.control.populate;

import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.plugin.Populator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The populators of this process.
 *
 * @param namespace the namespace for prime claims
 * @param all one populator for each kind of source
 */
public record Populators(String namespace, List<Populator> all) {
    public Populators {
        all = Collections.unmodifiableList(new ArrayList<>(all));
    }

    public static Populators none() {
        return new Populators("", List.of());
    }

    public Optional<Populator> of(TypedReference source) {
        return all.stream()
                .filter(populator -> populator.sourceGroup().equals(source.apiGroup())
                        && populator.sourceKind().equals(source.kind()))
                .findFirst();
    }

    /** The data source of the claim, if a populator of this process handles it. */
    public Optional<TypedReference> source(PersistentVolumeClaim claim) {
        return DataSource.reference(claim).filter(source -> of(source).isPresent());
    }
}
