package io.volume4j.csi.internal.rules;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Looks at single fields and remembers what is wrong with them. What is right costs no memory: this runs before every call,
 * so paths are put together only when there is something to say. Holds no value of a secret. Belongs to one thread.
 */
final class Complaints {
    /** Tokens of a pod, which drivers for Kubernetes look for among the secrets under a key that CSI itself does not allow. */
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    static final int MAX_STRING_BYTES = 128;
    static final int MAX_MAP_BYTES = 4096;

    /** UTF-8 needs no more for a char of Java. */
    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private List<String> found = List.of();

    /** What is wrong, in the order in which it was looked at. */
    List<String> found() {
        return found;
    }

    void required(String field, boolean there) {
        if (!there) {
            add(field, "is required");
        }
    }

    /** A required string that a driver chose: handed back as it came, however long. */
    void id(String field, String value) {
        required(field, !value.isEmpty());
    }

    /** A required list of such strings. */
    void ids(String field, List<String> values) {
        required(field, !values.isEmpty());
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).isEmpty()) {
                add(field + "[" + i + "]", "is empty");
            }
        }
    }

    void requiredPath(String field, String value) {
        required(field, !value.isEmpty());
        path(field, value);
    }

    void path(String field, String value) {
        if (!value.isEmpty() && (value.charAt(0) != '/' || value.indexOf('\0') >= 0)) {
            add(field, "must be an absolute path");
        }
    }

    /** A name that we or our user chose, which is required. */
    void name(String field, String value) {
        required(field, !value.isEmpty());
        chosen(field, value);
    }

    /** A string that we or our user chose ("Size Limits", and the characters that every name may have). */
    void chosen(String field, String value) {
        if (value.length() * MOST_BYTES_OF_A_CHAR > MAX_STRING_BYTES) {
            size(field, bytes(value), MAX_STRING_BYTES);
        }
        for (int i = 0; i < value.length(); i++) {
            if (banned(value.charAt(i))) {
                add(field, "holds a control character");
                return;
            }
        }
    }

    /** Several of them, which are bounded together. */
    void flags(String field, List<String> values) {
        if (!values.isEmpty()) {
            size(field, values.stream().mapToInt(Complaints::bytes).sum(), MAX_MAP_BYTES);
        }
    }

    /** A map that we or our user chose. */
    void map(String field, Map<String, String> values) {
        if (values.isEmpty()) {
            return;
        }
        int most = 0;
        for (Map.Entry<String, String> each : values.entrySet()) {
            most += (each.getKey().length() + each.getValue().length()) * MOST_BYTES_OF_A_CHAR;
        }
        if (most > MAX_MAP_BYTES) {
            int size = 0;
            for (Map.Entry<String, String> each : values.entrySet()) {
                size += bytes(each.getKey()) + bytes(each.getValue());
            }
            size(field, size, MAX_MAP_BYTES);
        }
    }

    /** "Secrets Requirements": keys of letters, digits and three signs. */
    void secrets(Map<String, String> values) {
        if (values.isEmpty()) {
            return;
        }
        for (String key : values.keySet()) {
            if (!secretKey(key) && !key.equals(TOKENS)) {
                add("secrets", "has a key with other characters than letters, digits, '-', '_' and '.'");
            }
        }
        map("secrets", values);
    }

    void number(String field, long value) {
        if (value < 0) {
            add(field, "must not be negative, is " + value);
        }
    }

    /** What is wrong inside of a message, said with the field that holds it; nothing if it is not there. */
    <M> void within(String field, boolean there, M message, BiConsumer<Complaints, M> rules) {
        if (there) {
            int before = found.size();
            rules.accept(this, message);
            for (int i = before; i < found.size(); i++) {
                found.set(i, field + "." + found.get(i));
            }
        }
    }

    <M> void each(String field, List<M> messages, BiConsumer<Complaints, M> rules) {
        for (int i = 0; i < messages.size(); i++) {
            int before = found.size();
            rules.accept(this, messages.get(i));
            for (int at = before; at < found.size(); at++) {
                found.set(at, field + "[" + i + "]." + found.get(at));
            }
        }
    }

    void add(String field, String complaint) {
        if (found.isEmpty()) {
            found = new ArrayList<>();
        }
        found.add(field + " " + complaint);
    }

    private void size(String field, int size, int most) {
        if (size > most) {
            add(field, "has %d bytes, allowed are %d".formatted(size, most));
        }
    }

    private static boolean secretKey(String key) {
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            boolean fine = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_'
                    || c == '.';
            if (!fine) {
                return false;
            }
        }
        return !key.isEmpty();
    }

    /** Control characters other than tab, line feed and carriage return. */
    private static boolean banned(char c) {
        return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0x9f);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
