package io.volume4j.inmemory.scenario;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.migration.Translation;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The translations of a scenario for migrated storage, in addition to those of the library. */
final class Translations {
    private static final Set<String> KEYS =
            new LinkedHashSet<>(List.of("provisioner", "source", "driver", "handle", "topology"));

    private Translations() {}

    static CsiMigration of(@Nullable Value migration) {
        CsiMigration all = CsiMigration.standard();
        if (migration == null) {
            return all;
        }
        migration.fields(Set.of("translations"));
        for (Value value : migration.require("translations").someItems()) {
            all = with(all, value);
        }
        return all;
    }

    private static CsiMigration with(CsiMigration before, Value value) {
        value.fields(KEYS);
        String provisioner = word(value, "provisioner");
        String source = word(value, "source");
        String driver = word(value, "driver");
        String handle = word(value, "handle");
        KnownFields.check(
                Kind.PERSISTENT_VOLUME, List.of("spec", source), value.require("source"), value.require("source"));
        KnownFields.check(
                Kind.PERSISTENT_VOLUME,
                List.of("spec", source, handle),
                value.require("handle"),
                value.require("handle"));
        if (!isLeftToOthers(source, handle)) {
            throw value.require("source")
                    .error("the library handles the source \"" + source + "\" itself, so that it is never translated");
        }
        taken(value, "provisioner", before.driverFor(provisioner).isPresent());
        taken(
                value,
                "source",
                before.driverFor(new OtherSource(source, Map.of())).isPresent());
        taken(value, "driver", before.inTreeNameFor(driver).isPresent());
        return before.with(new Translation(
                provisioner, source, driver, handle, value.get("topology") == null ? "" : word(value, "topology")));
    }

    private static String word(Value value, String key) {
        Value word = value.require(key);
        if (word.text().isEmpty()) {
            throw word.error("the " + key + " is empty");
        }
        return word.text();
    }

    private static void taken(Value value, String key, boolean taken) {
        if (taken) {
            throw value.require(key)
                    .error("the " + key + " \"" + value.require(key).text() + "\" is translated already");
        }
    }

    /** Whether the library does not translate the source. */
    private static boolean isLeftToOthers(String source, String handle) {
        try {
            return Manifests.fromTree(Map.of(
                                    "apiVersion",
                                    Kind.PERSISTENT_VOLUME.apiVersion(),
                                    "kind",
                                    Kind.PERSISTENT_VOLUME.apiName(),
                                    "metadata",
                                    Map.of("name", "v"),
                                    "spec",
                                    Map.of(source, Map.of(handle, "x"))))
                            instanceof PersistentVolume volume
                    && volume.spec().source() instanceof OtherSource other
                    && other.type().equals(source);
        } catch (ManifestException ofItsOwn) {
            return false;
        }
    }
}
