package io.volume4j.core.plugins.hostpath;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a manifest may say about the kind of file at a hostPath, in the words of the Kubernetes API. */
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

    /** Whether what is missing is made. */
    boolean made() {
        return made;
    }

    /** Links were followed before, so a link that is left leads nowhere and fits no type. */
    boolean accepts(FileStatus.Type actual) {
        return wanted == null ? actual != FileStatus.Type.LINK : wanted == actual;
    }

    /** What a person can do who asked for this and there is nothing. */
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

    /** As the manifest writes it. */
    String word() {
        return word;
    }
}
