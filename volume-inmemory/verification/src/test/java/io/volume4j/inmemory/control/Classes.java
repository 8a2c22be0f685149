package io.volume4j.inmemory.control;

import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Map;

/** Storage classes as tests want them. */
final class Classes {
    private Classes() {}

    static StorageClass storageClass(String name, String provisioner) {
        return storageClass(name, provisioner, ReclaimPolicy.DELETE, VolumeBindingMode.IMMEDIATE);
    }

    static StorageClass storageClass(
            String name, String provisioner, ReclaimPolicy policy, VolumeBindingMode bindingMode) {
        return new StorageClass(
                ObjectMeta.named("", name).withUid("uid-" + name),
                provisioner,
                Map.of(),
                policy,
                List.of(),
                true,
                bindingMode,
                null,
                Unmodeled.none());
    }

    static StorageClass defaultClass(String name, String provisioner) {
        StorageClass plain = storageClass(name, provisioner);
        return new StorageClass(
                plain.metadata().withAnnotation(WellKnown.DEFAULT_CLASS, "true"),
                provisioner,
                Map.of(),
                plain.reclaimPolicy(),
                List.of(),
                true,
                plain.volumeBindingMode(),
                null,
                Unmodeled.none());
    }
}
