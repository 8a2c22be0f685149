package io.volume4j.spi.host;

import io.volume4j.spi.model.ApiObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change of a watched object, or a message about the watch itself.
 *
 * @param object the state after the change, or the last state of a deleted object; null for the other types
 * @param revision the revision of the change, {@code ""} for {@link Type#EXPIRED}
 * @since 0.1.0
 */
public record WatchEvent(Type type, @Nullable ApiObject object, String revision) {
    /** What happened. */
    public enum Type {
        /** The object is new or changed. The source need not know which. */
        CHANGED,
        DELETED,
        /** The source has reported all changes up to this revision. */
        BOOKMARK,
        /** The watch cannot continue. */
        EXPIRED
    }

    public static WatchEvent changed(ApiObject object) {
        return new WatchEvent(Type.CHANGED, object, object.metadata().resourceVersion());
    }

    public static WatchEvent deleted(ApiObject lastState, String revision) {
        return new WatchEvent(Type.DELETED, lastState, revision);
    }

    public static WatchEvent bookmark(String revision) {
        return new WatchEvent(Type.BOOKMARK, null, revision);
    }

    public static WatchEvent expired() {
        return new WatchEvent(Type.EXPIRED, null, "");
    }

    /**
     * The object of a change or deletion.
     *
     * @throws NullPointerException for the other types
     */
    public ApiObject requireObject() {
        return Objects.requireNonNull(object, "event without an object");
    }
}
