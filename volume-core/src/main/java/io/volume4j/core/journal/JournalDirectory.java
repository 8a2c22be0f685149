package io.volume4j.core.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The few file-system effects a file journal needs, so that tests can let any of them fail, fall short or be lost in a
 * crash. Names are plain names in one directory.
 */
interface JournalDirectory {

    /**
     * Keeps every other owner out, in this process and in others, until the result is closed.
     *
     * @param owner one line about the owner, shown to those who are refused
     * @throws JournalException {@link JournalException.Kind#LOCKED}
     */
    Closeable lock(String owner) throws IOException;

    /** For messages. */
    String describe(String name);

    boolean exists(String name) throws IOException;

    /** Opens an existing file for reading and writing; never follows a link. */
    JournalFile open(String name) throws IOException;

    /** Makes an empty file, in place of one that may be there. */
    JournalFile create(String name) throws IOException;

    /** Renames in one step, replacing what has the new name; durable only after {@link #sync}. */
    void rename(String from, String to) throws IOException;

    void deleteIfExists(String name) throws IOException;

    /** Makes creations and renames durable. */
    void sync() throws IOException;

    /** A file read and written at explicit offsets. */
    interface JournalFile extends Closeable {

        long size() throws IOException;

        /** Reads at least one byte, or returns -1 at the end of the file. */
        int read(ByteBuffer target, long offset) throws IOException;

        /** Writes what the file system takes, which may be less than there is. */
        int write(ByteBuffer source, long offset) throws IOException;

        /** Makes content and size durable, as fdatasync(2). */
        void sync() throws IOException;
    }
}
