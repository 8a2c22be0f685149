package io.volume4j.core.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The file-system operations of a file journal, so that tests can make each of them fail, be partial or be lost in a
 * crash. Names are plain names in one directory.
 */
interface JournalDirectory {

    /**
     * Locks out every other owner, in this process and in others, until the result is closed.
     *
     * @param owner one line about the owner, for the error message of others
     * @throws JournalException {@link JournalException.Kind#LOCKED}
     */
    Closeable lock(String owner) throws IOException;

    /** The path, for messages. */
    String describe(String name);

    boolean exists(String name) throws IOException;

    /** Opens an existing file for reading and writing. Never follows a link. */
    JournalFile open(String name) throws IOException;

    /** Creates an empty file. Replaces an existing one. */
    JournalFile create(String name) throws IOException;

    /** Renames atomically and replaces an existing file; durable only after {@link #sync}. */
    void rename(String from, String to) throws IOException;

    void deleteIfExists(String name) throws IOException;

    /** Makes creations and renames durable. */
    void sync() throws IOException;

    /** A file with reads and writes at explicit offsets. */
    interface JournalFile extends Closeable {

        long size() throws IOException;

        /** Reads at least one byte, or returns -1 at the end of the file. */
        int read(ByteBuffer target, long offset) throws IOException;

        /** Writes as many bytes as the file system accepts, which may be fewer than given. */
        int write(ByteBuffer source, long offset) throws IOException;

        /** Makes content and size durable, like fdatasync(2). */
        void sync() throws IOException;
    }
}
