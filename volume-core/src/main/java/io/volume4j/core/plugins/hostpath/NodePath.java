package io.volume4j.core.plugins.hostpath;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PlainPath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A path of the machine in a manifest, and whether it is allowed.
 *
 * <p>{@link HostFiles#resolve} follows its links once. The result is checked against {@link AllowedPaths}, and later
 * calls follow no links. So a pod that can write below an allowed directory cannot redirect its next volume to another
 * directory.
 */
public final class NodePath {
    private static final Path ROOT = Path.of("/");

    private final MountBackend backend;
    private final String subject;
    private final Path written;

    private NodePath(MountBackend backend, String subject, Path written) {
        this.backend = backend;
        this.subject = subject;
        this.written = written;
    }

    /**
     * Parses the path.
     *
     * @param subject the field that names the path, for messages: {@code hostPath}
     * @throws VolumeException final, if it is not absolute or is ambiguous
     */
    static NodePath of(MountBackend backend, String subject, String path) {
        return new NodePath(backend, subject, checked(subject, path));
    }

    public static Path checked(String subject, String path) {
        if (path.codePoints().anyMatch(Character::isISOControl)) {
            throw VolumeException.finalFailure(subject + " " + MessageText.text(path) + " has control characters");
        }
        if (!path.startsWith("/")) {
            throw VolumeException.finalFailure(subject + " " + MessageText.text(path) + " is not an absolute path");
        }
        for (String name : path.split("/")) {
            if (name.equals("..")) {
                throw VolumeException.finalFailure(subject + " " + MessageText.text(path) + " must not contain \"..\"");
            }
        }
        return PlainPath.named(subject + " " + MessageText.text(path), path).normalize();
    }

    /** The resolved path; empty if it does not exist. */
    Optional<Path> resolve(AllowedPaths allowed) {
        Optional<Path> real = backend.files().resolve(written);
        real.ifPresent(place -> requireAllowed(place, allowed));
        return real;
    }

    /** The resolved path of a file that may not exist yet: the existing part resolved, the rest unchanged. */
    Path resolveToMake(AllowedPaths allowed) {
        List<Path> missing = new ArrayList<>();
        Path there = written;
        Optional<Path> real = backend.files().resolve(there);
        while (real.isEmpty() && there.getParent() != null) {
            missing.add(there.getFileName());
            there = there.getParent();
            real = backend.files().resolve(there);
        }
        Path place = real.orElse(ROOT);
        Collections.reverse(missing);
        for (Path name : missing) {
            place = place.resolve(name);
        }
        requireAllowed(place, allowed);
        return place;
    }

    /** The type of the file at a resolved path. A link there was created later, or has no target. */
    Optional<FileStatus.Type> typeOf(Path place) {
        return place.equals(ROOT)
                ? Optional.of(FileStatus.Type.DIRECTORY)
                : backend.files().status(rooted(place)).map(FileStatus::type);
    }

    /** The resolved path for access without following links. It must not be the root directory. */
    static RootedPath rooted(Path place) {
        return new RootedPath(ROOT, ROOT.relativize(place));
    }

    static boolean isRoot(Path place) {
        return place.equals(ROOT);
    }

    @Override
    public String toString() {
        return subject + " " + MessageText.text(written.toString());
    }

    private void requireAllowed(Path place, AllowedPaths allowed) {
        String leads = place.equals(written) ? "" : ", which leads to " + MessageText.text(place.toString()) + ",";
        allowed.require(place, this + leads);
    }
}
