package io.volume4j.core.plugins.hostpath;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HeldPath;
import io.volume4j.spi.mount.HostFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allowed directories and files: volumes must be at or below one of them. They are resolved once at the start, and
 * identified by inode afterwards. So pods that rename files later cannot make another directory allowed. Immutable.
 */
public final class AllowedPaths {
    private static final AllowedPaths ANY = new AllowedPaths(null);

    private final @Nullable List<HeldPath> prefixes;

    private AllowedPaths(@Nullable List<HeldPath> prefixes) {
        this.prefixes = prefixes;
    }

    public static AllowedPaths any() {
        return ANY;
    }

    /**
     * Resolves the allowed paths.
     *
     * @param written absolute; empty to allow any path
     * @throws VolumeException final, if a path does not exist, is below another one, or could be replaced by other
     *     users
     */
    public static AllowedPaths below(List<Path> written, HostFiles files) {
        if (written.isEmpty()) {
            return ANY;
        }
        List<HeldPath> found = new ArrayList<>();
        for (Path prefix : written) {
            HeldPath held = files.hold(prefix)
                    .orElseThrow(() -> refused(prefix, "it does not exist", "make it, or leave it out"));
            held.exposure().ifPresent(reason -> {
                throw refused(
                        prefix,
                        "other users could put something else in its place: " + reason,
                        "let only root own and write the directories above it");
            });
            found.add(held);
        }
        for (HeldPath inner : found) {
            for (HeldPath outer : found) {
                if (!inner.path().equals(outer.path()) && inner.path().startsWith(outer.path())) {
                    throw refused(
                            inner.path(),
                            "pods could put something else in its place, because it lies below the allowed "
                                    + outer.path(),
                            "leave it out: " + outer.path() + " allows it already");
                }
            }
        }
        return new AllowedPaths(Collections.unmodifiableList(found));
    }

    /**
     * Refuses a path that is not allowed.
     *
     * @param place resolved: without links
     * @param subject the field that names the path, for messages
     */
    void require(Path place, String subject) {
        if (prefixes == null) {
            return;
        }
        for (HeldPath prefix : prefixes) {
            if (place.startsWith(prefix.path())) {
                if (!prefix.inPlace()) {
                    throw VolumeException.transientFailure(subject + " cannot be used: " + prefix.path()
                                    + " is no longer the same file or directory as at the start of this process")
                            .withAdvice("put it back or unmount what covers it; or restart this process, which allows"
                                    + " what is there then");
                }
                return;
            }
        }
        throw VolumeException.finalFailure(subject + " is not allowed on this machine; allowed is what lies below "
                + prefixes.stream().map(HeldPath::path).toList());
    }

    private static VolumeException refused(Path prefix, String reason, String advice) {
        return VolumeException.finalFailure("paths below " + MessageText.text(prefix.toString())
                        + " cannot be allowed: " + reason + "; " + advice)
                .withAdvice(advice);
    }
}
