package io.volume4j.core.control.host;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;

/** What two steps must not both have in hand. */
public final class Conflicts {
    private Conflicts() {}

    public static ConflictKey object(ObjectKey key) {
        return ConflictKey.exclusive(ConflictKey.Scope.OBJECT, key);
    }

    public static ConflictKey volume(String name) {
        return ConflictKey.exclusive(ConflictKey.Scope.VOLUME, name);
    }
}
