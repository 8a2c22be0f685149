package io.volume4j.csi.internal.rules;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Checks single fields and collects their violations. Valid fields cost no memory: the checks run before every call, so the
 * text for a field is built only for a violation. The text contains no value of a secret. Belongs to one thread.
 */
final class Complaints {
    /** Tokens of a pod. Kubernetes passes them among the secrets under a key that CSI itself does not allow. */
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    static final int MAX_STRING_BYTES = 128;
    static final int MAX_MAP_BYTES = 4096;

    /** The most bytes of a Java char in UTF-8. */
    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private List<String> found = List.of();

    /** The violations, in the order of the checks. */
    List<String> found() {
        return found;
    }

    void required(String field, boolean there) {
        if (!there) {
            add(field, "is required");
        }
    }

    /** A required string that a driver chose. The library passes it back unchanged, whatever its length. */
    void id(String field, String value) {
        required(field, !value.isEmpty());
    }

    /** A required list of strings that a driver chose. */
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

    /** A required name that the library or a user chose. */
    void name(String field, String value) {
        required(field, !value.isEmpty());
        chosen(field, value);
    }

    /** A string that the library or a user chose ("Size Limits", and the characters that every name may have). */
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

    /** A list of such strings; the limit is for all together. */
    void flags(String field, List<String> values) {
        if (!values.isEmpty()) {
            size(field, values.stream().mapToInt(Complaints::bytes).sum(), MAX_MAP_BYTES);
        }
    }

    /** A map that the library or a user chose. */
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

    /**
     * "Secrets Requirements": keys of letters, digits, '-', '_' and '.'. The tokens do not count for the size: their number is
     * the driver's choice and their length the cluster's, and a pod could do nothing about it.
     */
    void secrets(Map<String, String> values) {
        if (values.isEmpty()) {
            return;
        }
        for (String key : values.keySet()) {
            if (!secretKey(key) && !key.equals(TOKENS)) {
                add("secrets", "has a key with other characters than letters, digits, '-', '_' and '.'");
            }
        }
        if (values.containsKey(TOKENS)) {
            Map<String, String> chosen = new HashMap<>(values);
            chosen.remove(TOKENS);
            map("secrets", chosen);
        } else {
            map("secrets", values);
        }
    }

    void number(String field, long value) {
        if (value < 0) {
            add(field, "must not be negative, is " + value);
        }
    }

    /** Checks a nested message and prefixes its violations with the field; does nothing if the message is absent. */
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
