package io.volume4j.core.node.desired;

import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Pod.SeLinuxOptions;

/** The SELinux context of a pod as text, for comparing and for mount options; no SELinux is needed for it. Pure. */
public final class SeLinuxLabel {
    private SeLinuxLabel() {}

    /**
     * The context of a pod that gives a level, the part that keeps pods apart; the rest defaults to what container runtimes
     * use. {@code ""} for a pod without one, whose files the runtime labels.
     */
    public static String of(Pod pod) {
        SeLinuxOptions options = pod.spec().securityContext().seLinuxOptions();
        if (options == null || options.level().isEmpty()) {
            return "";
        }
        return orElse(options.user(), "system_u") + ":" + orElse(options.role(), "object_r") + ":"
                + orElse(options.type(), "container_file_t") + ":" + options.level();
    }

    /** Whether it has no other characters than contexts have: it becomes a mount option, in which a quote would begin others. */
    static boolean isOne(String label) {
        return label.chars()
                .allMatch(c -> (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || "_.,:-".indexOf(c) >= 0);
    }

    private static String orElse(String text, String fallback) {
        return text.isEmpty() ? fallback : text;
    }
}
