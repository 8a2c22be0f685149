package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.VolumeException;

/** A pod's SELinux label as a mount option. Pure: nothing is looked up on the machine. */
final class SeLinux {
    private SeLinux() {}

    /**
     * The option {@code context="…"}, {@code ""} for none; see mount(8).
     *
     * @throws VolumeException final, if the label has characters that no context has: a quote would end the option, and what
     *     follows it would be options that a pod's author chose
     */
    static String mountFlag(String label) {
        if (!label.chars().allMatch(SeLinux::isOfContexts)) {
            throw VolumeException.finalFailure(
                            "the pod's SELinux context is none: " + label.replaceAll("[^A-Za-z0-9_.,:-]", "?"))
                    .withAdvice("correct seLinuxOptions of the pod's security context");
        }
        return label.isEmpty() ? "" : "context=\"" + label + "\"";
    }

    private static boolean isOfContexts(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "_.,:-".indexOf(character) >= 0;
    }
}
