package io.volume4j.csi.internal.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/**
 * Which socket a path leads to. The inode alone would not do: a filesystem gives the number of a removed file to the next
 * one, so the time of creation belongs to it (a socket's modification time never changes).
 */
record SocketIdentity(Object file, FileTime created) {

    static SocketIdentity of(Path socket) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(socket, BasicFileAttributes.class);
        return new SocketIdentity(
                Objects.requireNonNull(attributes.fileKey(), "file key"), attributes.lastModifiedTime());
    }
}
