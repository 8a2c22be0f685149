package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeMode;

/** Properties that must be equal in a claim and a volume before any other comparison. Both indexes are divided by them. */
record BinKey(VolumeMode volumeMode, String className, String attributesClass) {
    static BinKey of(PersistentVolume volume) {
        return new BinKey(
                volume.spec().volumeMode(), volume.className(), volume.spec().volumeAttributesClassName());
    }

    static BinKey of(ClaimNeeds needs) {
        return new BinKey(needs.volumeMode(), needs.className(), needs.attributesClass());
    }

    /** Uses only the names: they differ, and strings cache their hashes. */
    @Override
    public int hashCode() {
        return 31 * className.hashCode() + attributesClass.hashCode();
    }
}
