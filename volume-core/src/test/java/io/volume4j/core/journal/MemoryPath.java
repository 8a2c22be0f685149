package io.volume4j.core.journal;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/**
 * A file of a {@link MemoryFileSystem}, or for the name {@code ""} its directory.
 *
 * @param name without any slash
 */
record MemoryPath(MemoryFileSystem files, String name) implements Path {
    @Override
    public FileSystem getFileSystem() {
        return files;
    }

    @Override
    public Path resolve(Path other) {
        if (!name.isEmpty()) {
            throw new UnsupportedOperationException("a file has no files below it");
        }
        return other;
    }

    @Override
    public String toString() {
        return "/" + name;
    }

    @Override
    public boolean isAbsolute() {
        return false;
    }

    @Override
    public Path getRoot() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getFileName() {
        return this;
    }

    @Override
    public Path getParent() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getNameCount() {
        return 1;
    }

    @Override
    public Path getName(int index) {
        return this;
    }

    @Override
    public Path subpath(int beginIndex, int endIndex) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean startsWith(Path other) {
        return equals(other);
    }

    @Override
    public boolean endsWith(Path other) {
        return equals(other);
    }

    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path relativize(Path other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public URI toUri() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path toAbsolutePath() {
        return this;
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return this;
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return toString().compareTo(other.toString());
    }
}
