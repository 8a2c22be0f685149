package io.volume4j.core.plugins.common;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The access mode among mount options, as {@code /etc/fstab} writes them. Pure. */
public final class AccessOptions {
    /**
     * A comma in quotes belongs to a value, as in {@code context="system_u:object_r:t:s0:c1,c2"}. Possessive: otherwise the
     * matching recurs for each character, and long options overflow the stack.
     */
    private static final Pattern OPTION = Pattern.compile("(?:[^,\"]++|\"[^\"]*+(?:\"|$))++");

    private AccessOptions() {}

    /** Whether they make a mount read-only: the last of {@code ro} and {@code rw} counts. */
    public static boolean onlyRead(List<String> options) {
        boolean onlyRead = false;
        for (String each : options) {
            Matcher words = OPTION.matcher(each);
            while (words.find()) {
                String word = words.group().strip();
                onlyRead = word.equals("ro") || (onlyRead && !word.equals("rw"));
            }
        }
        return onlyRead;
    }
}
