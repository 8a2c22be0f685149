package io.volume4j.core.plugins.hostpath;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The file types of a hostPath in the Kubernetes API. */
public enum HostPathType {
    UNCHECKED("", null, false),
    DIRECTORY_OR_CREATE("DirectoryOrCreate", FileStatus.Type.DIRECTORY, true),
    DIRECTORY("Directory", FileStatus.Type.DIRECTORY, false),
    FILE_OR_CREATE("FileOrCreate", FileStatus.Type.FILE, true),
    FILE("File", FileStatus.Type.FILE, false),
    SOCKET("Socket", FileStatus.Type.SOCKET, false),
    CHAR_DEVICE("CharDevice", FileStatus.Type.CHARACTER_DEVICE, false),
    BLOCK_DEVICE("BlockDevice", FileStatus.Type.BLOCK_DEVICE, false);

    private final String word;
    private final FileStatus.@Nullable Type wanted;
    private final boolean made;

    HostPathType(String word, FileStatus.@Nullable Type wanted, boolean made) {
        this.word = word;
        this.wanted = wanted;
        this.made = made;
    }

    public static HostPathType of(HostPathSource source) {
        return Arrays.stream(values())
                .filter(type -> type.word.equals(source.pathType()))
                .findFirst()
                .orElseThrow(
                        () -> VolumeException.finalFailure("hostPath " + MessageText.text(source.path()) + " has type "
                                + MessageText.text(source.pathType()) + "; known are "
                                + Arrays.stream(values())
                                        .map(type -> "\"" + type.word + "\"")
                                        .toList()));
    }

    /** Whether a missing file or directory is created. */
    boolean made() {
        return made;
    }

    /** Whether the type fits. Links are already resolved, so a remaining link has no target and fits no type. */
    boolean accepts(FileStatus.Type actual) {
        return wanted == null ? actual != FileStatus.Type.LINK : wanted == actual;
    }

    /** The advice to a user if the path does not exist. */
    String adviceIfMissing() {
        return switch (this) {
            case UNCHECKED, DIRECTORY, DIRECTORY_OR_CREATE ->
                "make it, use type DirectoryOrCreate, or correct the volume's path";
            case FILE, FILE_OR_CREATE -> "make it, use type FileOrCreate, or correct the volume's path";
            case SOCKET -> "start the program that listens there, or correct the volume's path";
            case CHAR_DEVICE, BLOCK_DEVICE ->
                "see whether the device is attached and its driver loaded, or correct the volume's path";
        };
    }

    /** The type as in the manifest. */
    String word() {
        return word;
    }
}
