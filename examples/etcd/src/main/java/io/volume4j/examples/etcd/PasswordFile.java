package io.volume4j.examples.etcd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with a password, which an administrator may change. Not thread-safe. {@code toString} does not show the password. */
final class PasswordFile {
    private final Path file;
    private String used;

    /** @throws IllegalArgumentException if the file cannot be read, or is empty */
    PasswordFile(Path file) {
        this.file = file;
        try {
            used = content();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the password file " + file + " cannot be read: " + unreadable, unreadable);
        }
        if (used.isEmpty()) {
            throw new IllegalArgumentException("the password file " + file + " is empty");
        }
    }

    /** The password in the file; while the file cannot be read or is empty, the one in use. */
    String read() {
        try {
            String now = content();
            return now.isEmpty() ? used : now;
        } catch (IOException unreadable) {
            return used;
        }
    }

    /** Notes the password of the present connection. */
    void use(String password) {
        used = password;
    }

    /** Whether the file holds another password than that in use. */
    boolean changed() {
        return !read().equals(used);
    }

    private String content() throws IOException {
        return Files.readString(file).strip();
    }
}
