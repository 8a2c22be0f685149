package io.volume4j.spi.model;

/**
 * The syntax rules for names, by the kind of thing that they name. They are the rules of Kubernetes. Names that
 * follow them are safe as parts of a path: no rule allows {@code ..} or a control character, and only
 * {@link #QUALIFIED} allows a slash.
 *
 * <p>Objects can come from any source, not only from a checked manifest. Code that builds a path or a command from a
 * name must check the name here first.
 *
 * @since 0.1.0
 */
public enum NameRule {
    /** The name of an API object: an RFC 1123 subdomain. */
    SUBDOMAIN(
            253,
            "a DNS-1123 subdomain: lower case letters, digits, '-' and '.', each part between dots beginning and ending"
                    + " with a letter or digit, at most 253 characters") {
        @Override
        boolean fits(String name) {
            return inParts(name, part -> isLabel(part, part.length()));
        }
    },
    /** The name of a namespace, or of a volume of a pod: an RFC 1123 label. */
    LABEL(
            63,
            "a DNS-1123 label: lower case letters, digits and '-', beginning and ending with a letter or digit, at most"
                    + " 63 characters") {
        @Override
        boolean fits(String name) {
            return isLabel(name, 63);
        }
    },
    /** The name of a CSI driver, as {@code GetPluginInfo} returns it. */
    DRIVER(
            63,
            "a driver name: letters, digits, '-' and '.', beginning and ending with a letter or digit, at most 63"
                    + " characters") {
        @Override
        boolean fits(String name) {
            return inParts(name, part -> isToken(part, ""));
        }
    },
    /** The name of a plugin or provisioner, with or without a domain and a slash, such as {@code example.com/nfs}. */
    QUALIFIED(
            317,
            "a qualified name: letters, digits, '-', '_' and '.', beginning and ending with a letter or digit, at most 63"
                    + " characters, after an optional domain and '/'") {
        @Override
        boolean fits(String name) {
            int slash = name.indexOf('/');
            String prefix = slash < 0 ? "" : name.substring(0, slash);
            String rest = name.substring(slash + 1);
            return (slash < 0 || (prefix.length() <= 253 && inParts(prefix, part -> isToken(part, ""))))
                    && rest.length() <= 63
                    && isToken(rest, "._");
        }
    },
    /** The UID of a stored object. Usually a UUID, but a host may use its own form. */
    UID(
            128,
            "a UID: letters, digits, '-', '_' and '.', beginning and ending with a letter or digit, at most 128"
                    + " characters") {
        @Override
        boolean fits(String name) {
            return isToken(name, "._");
        }
    };

    private final int longest;
    private final String description;

    NameRule(int longest, String description) {
        this.longest = longest;
        this.description = description;
    }

    /**
     * Whether the name follows the rule. The time is bounded by the longest permitted name, even for a longer text.
     */
    public boolean allows(String name) {
        return !name.isEmpty() && name.length() <= longest && !name.contains("..") && fits(name);
    }

    /** The rule as a phrase that follows "must be", without a full stop. */
    public String description() {
        return description;
    }

    abstract boolean fits(String name);

    private interface PartTest {
        boolean test(String part);
    }

    private static boolean inParts(String name, PartTest test) {
        int start = 0;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', start)) {
            if (!test.test(name.substring(start, dot))) {
                return false;
            }
            start = dot + 1;
        }
        return test.test(name.substring(start));
    }

    private static boolean isLabel(String text, int longest) {
        if (text.length() > longest || !isToken(text, "")) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 'A' && text.charAt(i) <= 'Z') {
                return false;
            }
        }
        return true;
    }

    /** ASCII letters and digits, with '-' and the other characters inside only. */
    private static boolean isToken(String text, String inside) {
        if (text.isEmpty() || !isAlphanumeric(text.charAt(0)) || !isAlphanumeric(text.charAt(text.length() - 1))) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (!isAlphanumeric(character) && character != '-' && inside.indexOf(character) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlphanumeric(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9');
    }
}
