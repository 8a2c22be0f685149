package io.volume4j.spi.model;

/**
 * How names must look, by what they name. The rules are Kubernetes' own; they also keep names harmless as parts of a
 * path: none allows {@code ..}, a control character or, but for {@link #QUALIFIED}, a slash.
 *
 * <p>Objects can reach the library from anywhere, not only from a checked manifest: code that builds a path or a command
 * from a name checks it here first.
 *
 * @since 0.1.0
 */
public enum NameRule {
    /** An API object: RFC 1123 subdomain. */
    SUBDOMAIN(
            253,
            "a DNS-1123 subdomain: lower case letters, digits, '-' and '.', each part between dots beginning and ending"
                    + " with a letter or digit, at most 253 characters") {
        @Override
        boolean fits(String name) {
            return inParts(name, part -> isLabel(part, part.length()));
        }
    },
    /** A namespace, or a volume of a pod: RFC 1123 label. */
    LABEL(
            63,
            "a DNS-1123 label: lower case letters, digits and '-', beginning and ending with a letter or digit, at most"
                    + " 63 characters") {
        @Override
        boolean fits(String name) {
            return isLabel(name, 63);
        }
    },
    /** A driver of volumes, as CSI's {@code GetPluginInfo} gives it. */
    DRIVER(
            63,
            "a driver name: letters, digits, '-' and '.', beginning and ending with a letter or digit, at most 63"
                    + " characters") {
        @Override
        boolean fits(String name) {
            return inParts(name, part -> isToken(part, ""));
        }
    },
    /** A plugin or provisioner, with or without a domain before a slash, such as {@code example.com/nfs}. */
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
    /** The UID of a stored object; mostly a UUID, but any host may have its own. */
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

    /** Whether the name keeps the rule. Takes time proportional to the longest name that could, whatever it is given. */
    public boolean allows(String name) {
        return !name.isEmpty() && name.length() <= longest && !name.contains("..") && fits(name);
    }

    /** The rule in one line without an end, to be read after "must be". */
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
