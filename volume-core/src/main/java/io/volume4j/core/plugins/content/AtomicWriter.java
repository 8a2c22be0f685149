package io.volume4j.core.plugins.content;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Changes all files of a directory at once. A pod that reads through the directory's names never sees a partial
 * change:
 *
 * <pre>
 *   ..2026_11_21_06_30_00.000000001/   the files themselves, in a directory that never changes once it is named
 *   ..data -> ..2026_11_21_06_30_00.000000001
 *   config -> ..data/config            what the pod sees, one link for each top name
 * </pre>
 *
 * A change writes a new directory, replaces {@code ..data} by a rename, updates the links, then removes old files.
 * Every call updates the links and removes old files, even if the content is the same, because an earlier call may
 * have crashed in between (k8s#121472).
 *
 * <p>Only one call at a time for each directory.
 */
final class AtomicWriter {
    private static final String DATA = "..data";
    private static final int DIRECTORY_MODE = 0755;
    private static final int SET_GROUP = 02000;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern(
                    "'..'uuuu_MM_dd_HH_mm_ss.nnnnnnnnn", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final HostFiles files;
    private final Path directory;

    /** @param directory absolute; the root of its mount, which removals never leave */
    AtomicWriter(HostFiles files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    /**
     * Replaces the contents of the directory by exactly these files.
     *
     * @param group the group of all files, null for none
     * @param now for the name of the new directory
     */
    void write(Payload payload, @Nullable Long group, Instant now, CallContext context) {
        String current = current();
        if (current.isEmpty() || !holds(named(current), payload)) {
            String next = freeName(STAMP.format(now));
            fill(named(next), payload, group);
            files.linkAtomically(named(DATA), next);
            current = next;
        }
        SortedSet<String> names = payload.topNames();
        for (String name : names) {
            link(name);
        }
        sweep(current, names, context);
    }

    /** A file as the pod sees it; empty if it does not exist. */
    Optional<byte[]> read(String path, int maxBytes) {
        String current = current();
        return current.isEmpty() ? Optional.empty() : files.read(at(named(current), path), maxBytes);
    }

    /** The present target of {@code ..data}, {@code ""} for none. */
    private String current() {
        String shown = files.readLink(named(DATA)).orElse("");
        boolean ours = shown.startsWith("..") && shown.indexOf('/') < 0 && shown.length() > 2 && !shown.equals(DATA);
        return ours && isDirectory(named(shown)) ? shown : "";
    }

    private RootedPath named(String name) {
        return RootedPath.of(directory, name);
    }

    private boolean isDirectory(RootedPath path) {
        return files.status(path)
                .filter(status -> status.type() == FileStatus.Type.DIRECTORY)
                .isPresent();
    }

    private boolean holds(RootedPath there, Payload payload) {
        SortedSet<String> paths = new TreeSet<>();
        collect(there, "", paths);
        if (!paths.equals(payload.files().keySet())) {
            return false;
        }
        // This process created the directory, so the directory has its user.
        long self = files.status(there).map(FileStatus::user).orElse(0L);
        for (Map.Entry<String, Payload.File> each : payload.files().entrySet()) {
            RootedPath file = at(there, each.getKey());
            int length = each.getValue().length();
            Long user = each.getValue().user();
            long owner = user == null ? self : user;
            boolean same = files.status(file)
                    .filter(status -> status.type() == FileStatus.Type.FILE && status.bytes() == length)
                    .filter(status -> status.user() == owner)
                    .filter(status ->
                            each.getValue().same(files.read(file, length).orElse(new byte[0]), status.mode()))
                    .isPresent();
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private void collect(RootedPath there, String prefix, SortedSet<String> paths) {
        for (String name : files.list(there)) {
            RootedPath child = there.resolve(name);
            if (isDirectory(child)) {
                collect(child, prefix + name + "/", paths);
            } else {
                paths.add(prefix + name);
            }
        }
    }

    /** A free directory name. The clock may stand still, and a crash may have left a directory of that name. */
    private String freeName(String stamp) {
        String name = stamp;
        for (int i = 1; files.status(named(name)).isPresent(); i++) {
            name = stamp + "-" + i;
        }
        return name;
    }

    private void fill(RootedPath there, Payload payload, @Nullable Long group) {
        makeDirectory(there, group);
        SortedSet<String> made = new TreeSet<>();
        payload.files().forEach((path, file) -> {
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                if (made.add(path.substring(0, slash))) {
                    makeDirectory(at(there, path.substring(0, slash)), group);
                }
            }
            RootedPath place = at(there, path);
            files.writeUnsynced(place, file.content(), file.mode());
            Long user = file.user();
            if (user != null) {
                files.changeUser(place, user, file.mode());
            }
            if (group != null) {
                files.changeGroup(place, group, file.mode());
            }
        });
    }

    private void makeDirectory(RootedPath place, @Nullable Long group) {
        files.createDirectory(place, DIRECTORY_MODE);
        if (group != null) {
            files.changeGroup(place, group, DIRECTORY_MODE | SET_GROUP);
        }
    }

    private void link(String name) {
        RootedPath place = named(name);
        String text = DATA + "/" + name;
        boolean right = files.status(place)
                .filter(status -> status.type() == FileStatus.Type.LINK)
                .flatMap(status -> files.readLink(place))
                .filter(text::equals)
                .isPresent();
        if (!right) {
            files.linkAtomically(place, text);
        }
    }

    /** Removes everything that is not in use: links to removed files, and directories that a crash left. */
    private void sweep(String current, SortedSet<String> names, CallContext context) {
        for (String name : files.listRoot(directory)) {
            if (name.equals(current) || name.equals(DATA) || names.contains(name)) {
                continue;
            }
            RootedPath place = named(name);
            if (isDirectory(place)) {
                files.removeTree(place, context);
            } else {
                files.removeFile(place);
            }
        }
    }

    private static RootedPath at(RootedPath from, String path) {
        RootedPath place = from;
        for (String name : path.split("/")) {
            place = place.resolve(name);
        }
        return place;
    }
}
