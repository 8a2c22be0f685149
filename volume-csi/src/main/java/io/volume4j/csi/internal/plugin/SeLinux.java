package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Pod.SeLinuxOptions;

/** A pod's SELinux label as a mount option. Pure: nothing is looked up on the machine. */
final class SeLinux {
    private SeLinux() {}

    /** The option {@code context="…"}, {@code ""} for none; see mount(8). */
    static String mountFlag(String label) {
        return label.isEmpty() ? "" : "context=\"" + label + "\"";
    }

    /**
     * The label of a pod that gives a level, the part that keeps pods apart; the rest defaults to what container runtimes
     * use. {@code ""} for a pod without one.
     */
    static String label(Pod pod) {
        SeLinuxOptions options = pod.spec().securityContext().seLinuxOptions();
        if (options == null || options.level().isEmpty()) {
            return "";
        }
        return orElse(options.user(), "system_u") + ":" + orElse(options.role(), "object_r") + ":"
                + orElse(options.type(), "container_file_t") + ":" + options.level();
    }

    private static String orElse(String text, String fallback) {
        return text.isEmpty() ? fallback : text;
    }
}
