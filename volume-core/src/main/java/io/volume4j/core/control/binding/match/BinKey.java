package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeMode;

/** What must be equal in a claim and a volume before anything else is compared: both indexes are divided by it. */
record BinKey(VolumeMode volumeMode, String className, String attributesClass) {
    static BinKey of(PersistentVolume volume) {
        return new BinKey(
                volume.spec().volumeMode(), volume.className(), volume.spec().volumeAttributesClassName());
    }

    static BinKey of(ClaimNeeds needs) {
        return new BinKey(needs.volumeMode(), needs.className(), needs.attributesClass());
    }

    /** By the names alone, which differ, and whose hashes are kept with them. */
    @Override
    public int hashCode() {
        return 31 * className.hashCode() + attributesClass.hashCode();
    }
}
