package io.volume4j.spi.plugin;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;

/** An SELinux context as a mount option. Pure: nothing is looked up on the machine. */
final class SeLinuxOption {
    private SeLinuxOption() {}

    /**
     * The option {@code context="…"}, {@code ""} for no context; see mount(8).
     *
     * @throws VolumeException final, if the context has characters that no context has: a quote would end the option, and what
     *     follows it would be options that a pod's author chose
     */
    static String of(String context) {
        if (!context.chars().allMatch(SeLinuxOption::isOfContexts)) {
            throw VolumeException.finalFailure(
                            "the pod's SELinux context is none: " + context.replaceAll("[^A-Za-z0-9_.,:-]", "?"))
                    .withAdvice("correct seLinuxOptions of the pod's security context");
        }
        return context.isEmpty() ? "" : "context=\"" + context + "\"";
    }

    /** The options and behind them that of the context. */
    static List<String> behind(List<String> options, String context) {
        if (context.isEmpty()) {
            return options;
        }
        List<String> all = new ArrayList<>(options);
        all.add(of(context));
        return List.copyOf(all);
    }

    private static boolean isOfContexts(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "_.,:-".indexOf(character) >= 0;
    }
}
