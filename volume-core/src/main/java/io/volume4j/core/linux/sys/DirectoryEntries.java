package io.volume4j.core.linux.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Parses the result of getdents64(2). Pure. */
public final class DirectoryEntries {
    public static final int BUFFER = 32 * 1024;

    // struct linux_dirent64: inode, offset, length of this entry, type, name with its final zero.
    private static final int OFFSET = 8;
    private static final int LENGTH = 16;
    private static final int NAME = 19;

    private DirectoryEntries() {}

    /**
     * A name in a directory.
     *
     * @param next the position after the entry, for lseek(2)
     */
    public record Entry(RawName name, long next) {}

    /** All names except for the directory itself and its parent. */
    public static List<RawName> names(byte[] buffer, int length) {
        return entries(buffer, length).stream().map(Entry::name).toList();
    }

    /** The same with their positions. */
    public static List<Entry> entries(byte[] buffer, int length) {
        ByteBuffer entries = ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());
        List<Entry> found = new ArrayList<>();
        for (int at = 0; at < length; at += Short.toUnsignedInt(entries.getShort(at + LENGTH))) {
            int end = at + NAME;
            while (buffer[end] != 0) {
                end++;
            }
            boolean dots = buffer[at + NAME] == '.'
                    && (end == at + NAME + 1 || (end == at + NAME + 2 && buffer[at + NAME + 1] == '.'));
            if (!dots) {
                found.add(new Entry(RawName.of(buffer, at + NAME, end), entries.getLong(at + OFFSET)));
            }
        }
        return found;
    }
}
