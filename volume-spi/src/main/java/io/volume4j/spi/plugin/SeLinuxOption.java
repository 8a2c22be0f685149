package io.volume4j.spi.plugin;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;

/**
 * An SELinux context as a mount option. Pure: it reads nothing from the machine. Plugins get the option from their
 * request.
 *
 * @since 0.1.0
 */
public final class SeLinuxOption {
    private SeLinuxOption() {}

    /**
     * The option {@code context="…"}, {@code ""} for no context; see mount(8).
     *
     * @throws VolumeException final, if the context has characters that are not valid in a context. A quote, for
     *     example, would end the option, so that a pod's author could add other mount options
     */
    static String of(String context) {
        if (!isContext(context)) {
            throw VolumeException.finalFailure(
                            "the pod's SELinux context is not valid: " + context.replaceAll("[^A-Za-z0-9_.,:-]", "?"))
                    .withAdvice("correct seLinuxOptions of the pod's security context");
        }
        return context.isEmpty() ? "" : "context=\"" + context + "\"";
    }

    /** The options, followed by the option for the context. */
    static List<String> behind(List<String> options, String context) {
        if (context.isEmpty()) {
            return options;
        }
        List<String> all = new ArrayList<>(options);
        all.add(of(context));
        return List.copyOf(all);
    }

    /** Whether the text has only characters that are valid in a context. True for the empty text. */
    public static boolean isContext(String text) {
        return text.chars()
                .allMatch(character -> (character >= 'a' && character <= 'z')
                        || (character >= 'A' && character <= 'Z')
                        || (character >= '0' && character <= '9')
                        || "_.,:-".indexOf(character) >= 0);
    }
}
