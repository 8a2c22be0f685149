package io.volume4j.core.plugins.common;

import io.volume4j.spi.VolumeException;
import java.util.regex.Pattern;

/** Checks names from manifests that become file names: never a path, an option or a hidden file. Pure. */
public final class FileNames {
    private static final int LONGEST = 200;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private FileNames() {}

    /**
     * Returns the name.
     *
     * @param subject what the name belongs to, for the message
     * @throws VolumeException final, if it is not a valid file name
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
