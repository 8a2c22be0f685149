package io.volume4j.core.control.host;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.List;

/** The conflict keys of steps on the control plane. */
public final class Conflicts {
    private Conflicts() {}

    public static ConflictKey object(ObjectKey key) {
        return ConflictKey.exclusive(ConflictKey.Scope.OBJECT, key);
    }

    /** The storage of the volume with that name. */
    public static ConflictKey volume(String name) {
        return ConflictKey.exclusive(ConflictKey.Scope.VOLUME, name);
    }

    /** The object of the volume and its storage. */
    public static List<ConflictKey> of(PersistentVolume volume) {
        return List.of(object(volume.key()), volume(volume.metadata().name()));
    }

    /** The same, and the claim. */
    public static List<ConflictKey> of(ObjectKey claim, PersistentVolume volume) {
        return List.of(
                object(claim), object(volume.key()), volume(volume.metadata().name()));
    }
}
