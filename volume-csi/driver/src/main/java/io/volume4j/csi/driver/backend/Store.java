package io.volume4j.csi.driver.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory that survives the driver's process. It contains the state and the content of volumes. A separate list
 * contains every target path that was ever used, so that a driver without state still finds the mounts.
 */
public final class Store {
    private final Path directory;
    private final boolean temporary;

    private Store(Path directory, boolean temporary) {
        this.directory = directory;
        this.temporary = temporary;
    }

    /** A store in a directory of the user; it stays after close. */
    public static Store in(Path directory) {
        try {
            Files.createDirectories(directory);
            return new Store(directory.toRealPath(), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A store in a new directory; {@link #close} deletes it. */
    public static Store temporary() {
        try {
            return new Store(Files.createTempDirectory("csi-driver").toRealPath(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path contents() {
        return directory.resolve("contents");
    }

    State load() {
        Path file = directory.resolve("state.json");
        try {
            return Files.exists(file) ? StateText.read(Files.readString(file)) : new State();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Survives the end of this process but not a loss of power, which is enough for a test driver. */
    void save(State state) {
        write("state.json", StateText.write(state));
    }

    /** Deletes the state, as for a driver that keeps everything in memory; content and mounts stay. */
    public void loseState() {
        try {
            Files.deleteIfExists(directory.resolve("state.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Path> shown() {
        Path file = directory.resolve("shown");
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(Path::of).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void showing(Path target) {
        List<Path> all = new ArrayList<>(shown());
        if (!all.contains(target)) {
            all.add(target);
            saveShown(all);
        }
    }

    void notShowing(Path target) {
        List<Path> all = new ArrayList<>(shown());
        if (all.remove(target)) {
            saveShown(all);
        }
    }

    private void saveShown(List<Path> all) {
        StringBuilder lines = new StringBuilder();
        all.forEach(each -> lines.append(each).append('\n'));
        write("shown", lines.toString());
    }

    private void write(String name, String text) {
        Path next = directory.resolve(name + ".next");
        try {
            Files.writeString(next, text);
            Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a temporary directory; the caller must have unmounted everything in it. */
    public void close() {
        if (!temporary || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> childrenFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : childrenFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
