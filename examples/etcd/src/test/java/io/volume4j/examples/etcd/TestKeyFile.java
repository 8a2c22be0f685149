package io.volume4j.examples.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A key file as a user would make it. */
final class TestKeyFile {
    private TestKeyFile() {}

    static Path write(Path file, String... lines) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, List.of(lines));
    }
}
