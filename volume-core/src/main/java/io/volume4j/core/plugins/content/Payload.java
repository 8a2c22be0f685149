package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PlainPath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The files for a content volume, by their paths in it. Never prints their contents. Not thread-safe. */
final class Payload {
    /** {@code PATH_MAX} and {@code NAME_MAX} of Linux. */
    private static final int LONGEST_PATH = 4096;

    private static final int LONGEST_NAME = 255;

    private final SortedMap<String, File> files = new TreeMap<>();
    private final Set<String> directories = new TreeSet<>();

    /** One file. */
    static final class File {
        private final byte[] content;
        private final int mode;
        private final @Nullable Long user;

        private File(byte[] content, int mode, @Nullable Long user) {
            this.content = content.clone();
            this.mode = mode;
            this.user = user;
        }

        byte[] content() {
            return content.clone();
        }

        int mode() {
            return mode;
        }

        /** Its owner, null for the user of this process. */
        @Nullable
        Long user() {
            return user;
        }

        int length() {
            return content.length;
        }

        boolean same(byte[] otherContent, int otherMode) {
            return mode == otherMode && Arrays.equals(content, otherContent);
        }

        /** Omits the content, which may be secret. */
        @Override
        public String toString() {
            return content.length + " bytes, mode " + Integer.toOctalString(mode);
        }
    }

    /**
     * Adds a file.
     *
     * @param from the position of the path in the manifest, for the message
     * @param user its owner, null for the user of this process
     * @throws VolumeException final, if the path leaves the volume, has a name that {@link AtomicWriter} uses, or is
     *     another file's
     */
    void add(String from, String path, byte[] content, int mode, @Nullable Long user) {
        check(from, path);
        if (directories.contains(path) || files.containsKey(path)) {
            throw VolumeException.finalFailure(
                    from + ": the path " + MessageText.text(path) + " is taken by another file");
        }
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            String above = path.substring(0, slash);
            if (files.containsKey(above)) {
                throw VolumeException.finalFailure(from + ": " + MessageText.text(path) + " lies below "
                        + MessageText.text(above) + ", which is a file");
            }
            directories.add(above);
        }
        files.put(path, new File(content, mode, user));
    }

    SortedMap<String, File> files() {
        return Collections.unmodifiableSortedMap(files);
    }

    /** The first names of all paths: the entries that a pod sees at the top. */
    SortedSet<String> topNames() {
        SortedSet<String> names = new TreeSet<>();
        files.keySet().forEach(path -> names.add(path.split("/", 2)[0]));
        return names;
    }

    @Override
    public String toString() {
        return files.toString();
    }

    private static void check(String from, String path) {
        String wrong = "";
        if (path.isEmpty() || path.startsWith("/")) {
            wrong = "must be relative and not empty";
        } else if (path.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
            wrong = "must have at most " + LONGEST_PATH + " bytes";
        } else if (path.startsWith("..")) {
            wrong = "must not begin with \"..\"";
        } else if (path.codePoints().anyMatch(Character::isISOControl)) {
            wrong = "must not have control characters";
        } else {
            for (String name : path.split("/", -1)) {
                if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                    wrong = "must have plain names between its slashes";
                } else if (name.startsWith(HostFiles.UNFINISHED)) {
                    wrong = "must not have a name that begins with \"" + HostFiles.UNFINISHED
                            + "\", as unfinished files have";
                } else if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
                    wrong = "must have names of at most " + LONGEST_NAME + " bytes";
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw VolumeException.finalFailure(from + ": the path " + MessageText.text(path) + " " + wrong);
        }
        var unused = PlainPath.named(from + ": the path " + MessageText.text(path), path);
    }
}
