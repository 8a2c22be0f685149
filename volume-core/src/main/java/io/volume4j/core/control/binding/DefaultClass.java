package io.volume4j.core.control.binding;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.StorageClass;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The class for claims without a class field: the newest default class; of equally new ones the first by name. */
final class DefaultClass {
    private static final Comparator<StorageClass> NEWEST = Comparator.comparing(
                    DefaultClass::created, Comparator.reverseOrder())
            .thenComparing(storageClass -> storageClass.metadata().name());

    private DefaultClass() {}

    /** Its name, {@code ""} if there is none. */
    static String among(Collection<ApiObject> classes) {
        return classes.stream()
                .filter(StorageClass.class::isInstance)
                .map(StorageClass.class::cast)
                .filter(StorageClass::isDefault)
                .min(NEWEST)
                .map(storageClass -> storageClass.metadata().name())
                .orElse("");
    }

    private static Instant created(StorageClass storageClass) {
        @Nullable Instant created = storageClass.metadata().creationTimestamp();
        return created == null ? Instant.EPOCH : created;
    }
}
