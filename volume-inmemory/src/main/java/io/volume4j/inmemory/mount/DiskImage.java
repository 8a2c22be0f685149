package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.DeviceContent;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is on a disk, as far as signatures tell, and the filesystem if there is one. Guarded by the machine. */
final class DiskImage {
    private State state = State.BLANK;
    private String type = "";
    private @Nullable Filesystem filesystem;
    /** Reads fail. */
    boolean unreadable;
    /** The last look at it, if there was one, told what is on it. */
    boolean seen;
    /** The filesystem has errors that a check cannot repair. */
    boolean damaged;

    private enum State {
        BLANK,
        HALF_FORMATTED,
        FILESYSTEM,
        FOREIGN,
        /** Data where no mark would be. */
        HIDDEN
    }

    /** Another image that holds the same. */
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

    /** Whether a format would destroy what may be data of a user. */
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
     * What a probe sees.
     *
     * @param whole whether it knows of every byte, and not only of those that would hold marks
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
