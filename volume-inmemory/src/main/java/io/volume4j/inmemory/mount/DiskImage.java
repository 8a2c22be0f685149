package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.DeviceContent;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The content of a disk, as signatures show it, and the filesystem if there is one. Guarded by the machine. */
final class DiskImage {
    private State state = State.BLANK;
    private String type = "";
    private @Nullable Filesystem filesystem;
    /** Whether reads fail. */
    boolean unreadable;
    /** Whether a probe has shown the current content. */
    boolean seen;
    /** Whether the filesystem has errors that a check cannot repair. */
    boolean damaged;

    private enum State {
        BLANK,
        HALF_FORMATTED,
        FILESYSTEM,
        FOREIGN,
        /** Data outside of the places for signatures. */
        HIDDEN
    }

    /** A copy with the same content. */
    DiskImage copy(Supplier<String> numbers) {
        DiskImage copy = new DiskImage();
        copy.state = state;
        copy.type = type;
        copy.filesystem = filesystem == null ? null : filesystem.copy(numbers);
        copy.unreadable = unreadable;
        copy.seen = seen;
        copy.damaged = damaged;
        return copy;
    }

    @Nullable
    Filesystem filesystem() {
        return filesystem;
    }

    /** Whether a format would destroy possible data of a user. */
    boolean holdsData() {
        return state == State.FILESYSTEM || state == State.FOREIGN || state == State.HIDDEN;
    }

    void becomeForeign(String foreignType) {
        state = State.FOREIGN;
        type = foreignType;
        filesystem = null;
    }

    void becomeHidden() {
        state = State.HIDDEN;
        type = "";
        filesystem = null;
    }

    void becomeBlank() {
        state = State.BLANK;
        type = "";
        filesystem = null;
    }

    void becomeHalfFormatted() {
        state = State.HALF_FORMATTED;
        type = "";
        filesystem = null;
    }

    void becomeFilesystem(Filesystem made) {
        state = State.FILESYSTEM;
        type = made.fsType;
        filesystem = made;
    }

    /**
     * The result of a probe.
     *
     * @param whole whether the probe reads every byte, and not only the places for signatures
     */
    DeviceContent content(boolean whole) {
        return !whole && (state == State.BLANK || state == State.HIDDEN)
                ? new DeviceContent(DeviceContent.Kind.UNPROVED, "", "every signature region is zero")
                : content();
    }

    DeviceContent content() {
        return switch (state) {
            case BLANK -> new DeviceContent(DeviceContent.Kind.BLANK, "", "all zero");
            case HIDDEN ->
                new DeviceContent(
                        DeviceContent.Kind.FOREIGN, "", "data of no known kind between the signature regions");
            case FILESYSTEM -> new DeviceContent(DeviceContent.Kind.FILESYSTEM, type, "superblock of " + type);
            case FOREIGN ->
                new DeviceContent(
                        DeviceContent.Kind.FOREIGN,
                        type,
                        type.isEmpty() ? "data of no known kind" : "header of " + type);
            case HALF_FORMATTED ->
                new DeviceContent(DeviceContent.Kind.FOREIGN, "", "data of no known kind where superblocks would be");
        };
    }
}
