package io.volume4j.spi.plugin;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;

/**
 * An SELinux context as a mount option. Pure: nothing is looked up on the machine. Plugins have the option of a request from it.
 *
 * @since 0.1.0
 */
public final class SeLinuxOption {
    private SeLinuxOption() {}

    /**
     * The option {@code context="…"}, {@code ""} for no context; see mount(8).
     *
     * @throws VolumeException final, if the context has characters that no context has: a quote would end the option, and what
     *     follows it would be options that a pod's author chose
     */
    static String of(String context) {
        if (!isContext(context)) {
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

    /** Whether the text has no other characters than contexts have; the empty one has none. */
    public static boolean isContext(String text) {
        return text.chars()
                .allMatch(character -> (character >= 'a' && character <= 'z')
                        || (character >= 'A' && character <= 'Z')
                        || (character >= '0' && character <= '9')
                        || "_.,:-".indexOf(character) >= 0);
    }
}
