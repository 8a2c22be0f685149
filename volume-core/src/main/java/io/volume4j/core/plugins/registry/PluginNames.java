package io.volume4j.core.plugins.registry;

import io.volume4j.core.plugins.common.MessageText;
import java.util.regex.Pattern;

/**
 * The rule for plugin names: {@code name}, or {@code domain/name} for a vendor's own names.
 *
 * <p>A name must be usable as one directory. The rule is that of Kubernetes for qualified names, and of the CSI
 * specification ({@code GetPluginInfo}) for drivers.
 */
public final class PluginNames {
    public static final String RULE =
            "a name of at most 63 letters, digits, '-', '_' and '.' that begins and ends with a letter"
                    + " or digit, optionally after a lower-case domain and '/', such as loop.volume4j.io or kubernetes.io/nfs";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern DOMAIN =
            Pattern.compile("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)*");
    private static final int LONGEST_DOMAIN = 190;

    private PluginNames() {}

    public static boolean valid(String name) {
        int slash = name.indexOf('/');
        String domain = slash < 0 ? "" : name.substring(0, slash);
        String own = name.substring(slash + 1);
        return NAME.matcher(own).matches()
                && !own.contains("..")
                && (slash < 0
                        || (domain.length() <= LONGEST_DOMAIN
                                && DOMAIN.matcher(domain).matches()));
    }

    /** The name as one directory. No valid name contains {@code ~}, so no two names have the same directory. */
    public static String directory(String name) {
        if (!valid(name)) {
            throw new IllegalArgumentException("not a plugin name: " + MessageText.text(name) + "; it must be " + RULE);
        }
        return name.replace('/', '~');
    }
}
