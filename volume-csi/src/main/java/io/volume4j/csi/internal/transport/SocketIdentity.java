package io.volume4j.csi.internal.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/**
 * Identity of the socket at a path. The inode is not enough: a filesystem reuses the number of a removed file. So the
 * time of creation is part of the identity (a socket's modification time never changes).
 */
record SocketIdentity(Object file, FileTime created) {

    static SocketIdentity of(Path socket) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(socket, BasicFileAttributes.class);
        return new SocketIdentity(
                Objects.requireNonNull(attributes.fileKey(), "file key"), attributes.lastModifiedTime());
    }
}
