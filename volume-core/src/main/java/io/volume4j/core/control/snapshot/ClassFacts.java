package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.VolumeGroupSnapshotClass;
import io.volume4j.spi.model.VolumeSnapshotClass;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A class of snapshots or of group snapshots. */
public record ClassFacts(
        String name, String driver, DeletionPolicy policy, Map<String, String> parameters, boolean isDefault) {
    public ClassFacts {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Null if the object is not a snapshot class. */
    public static @Nullable ClassFacts ofAny(ApiObject object) {
        if (object instanceof VolumeSnapshotClass type) {
            return new ClassFacts(
                    type.metadata().name(),
                    type.driver(),
                    type.deletionPolicy(),
                    type.parameters(),
                    marked(type, SnapshotWords.SINGLE));
        }
        if (object instanceof VolumeGroupSnapshotClass type) {
            return new ClassFacts(
                    type.metadata().name(),
                    type.driver(),
                    type.deletionPolicy(),
                    type.parameters(),
                    marked(type, SnapshotWords.GROUP));
        }
        return null;
    }

    /** All default classes of the driver. The default is valid only if there is exactly one. */
    public static List<ClassFacts> defaults(Collection<ApiObject> classes, String driver) {
        return classes.stream()
                .map(ClassFacts::ofAny)
                .filter(Objects::nonNull)
                .filter(type -> type.isDefault() && type.driver().equals(driver))
                .toList();
    }

    private static boolean marked(ApiObject type, SnapshotWords words) {
        return type.metadata().annotation(words.isDefault()).equals("true");
    }
}
