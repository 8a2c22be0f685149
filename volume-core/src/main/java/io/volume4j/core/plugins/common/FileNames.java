package io.volume4j.core.plugins.common;

import io.volume4j.spi.VolumeException;
import java.util.regex.Pattern;

/** Names from manifests that become names of files: never a path, never an option, never hidden. Pure. */
public final class FileNames {
    private static final int LONGEST = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private FileNames() {}

    /**
     * The name itself.
     *
     * @param subject what it is the name of, for the message
     * @throws VolumeException final, if it is none
     */
    public static String checked(String subject, String name) {
        if (name.length() > LONGEST
                || name.contains("..")
                || !NAME.matcher(name).matches()) {
            throw VolumeException.finalFailure(subject + " " + MessageText.text(name) + " cannot be the name of a file")
                    .withAdvice("use at most " + LONGEST
                            + " letters, digits, '-', '_' and single '.', beginning and ending with a letter or digit");
        }
        return name;
    }
}
