package io.volume4j.core.control.binding;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;

/** What two steps must not both have in hand. */
final class Conflicts {
    private Conflicts() {}

    static ConflictKey object(ObjectKey key) {
        return ConflictKey.exclusive(ConflictKey.Scope.OBJECT, key);
    }

    static ConflictKey volume(String name) {
        return ConflictKey.exclusive(ConflictKey.Scope.VOLUME, name);
    }
}
