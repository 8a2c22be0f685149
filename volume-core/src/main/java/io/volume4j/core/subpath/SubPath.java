package io.volume4j.core.subpath;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The subPath of one container's volume mount.
 * @param inside the path inside the volume
 * @param target the path of its bind mount on this machine
 */
public record SubPath(Path inside, RootedPath target, BindOptions options) {
    /** {@code PATH_MAX} without its final zero. */
    private static final int LONGEST = 4095;

    /** The problem of the text, {@code ""} if it is valid. */
    public static String problem(String subPath) {
        if (subPath.isEmpty()) {
            return "";
        }
        if (subPath.startsWith("/")) {
            return "subPath must be relative: " + subPath;
        }
        if (subPath.length() > LONGEST) {
            return "subPath is longer than a path can be";
        }
        if (subPath.indexOf('\0') >= 0) {
            return "subPath must not contain the character NUL";
        }
        for (String name : subPath.split("/", -1)) {
            if (name.equals("..")) {
                return "subPath must not contain '..': " + subPath;
            }
        }
        return isPath(subPath)
                ? ""
                : "subPath has letters that file names of this process cannot have without a UTF-8 locale, such as"
                        + " LC_ALL=C.UTF-8: " + subPath;
    }

    /**
     * Whether Java can represent such a file name: it accepts no unpaired surrogate, and with the locale "C" only
     * ASCII.
     */
    public static boolean isPath(String text) {
        try {
            var unused = Path.of(text);
            return true;
        } catch (InvalidPathException unmappable) {
            return false;
        }
    }

    /**
     * The text as a path inside a volume.
     *
     * @throws VolumeException final, if it is not valid
     */
    public static Path inside(String subPath) {
        String problem = problem(subPath);
        if (!problem.isEmpty()) {
            throw VolumeException.finalFailure(problem);
        }
        return Path.of(subPath);
    }

    /** Whether the text names the volume itself, as {@code ""} and {@code .} do. */
    public static boolean isWhole(String subPath) {
        if (subPath.isEmpty()) {
            return true;
        }
        for (String name : subPath.split("/", -1)) {
            if (!name.isEmpty() && !name.equals(".")) {
                return false;
            }
        }
        return true;
    }
}
