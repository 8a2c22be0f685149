package io.volume4j.csi.internal.redact;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the secrets of one request out of the driver's answer to it. Drivers repeat the command line of a failed mount,
 * credentials included (CVE-2019-11252); the exact values are known here, so no pattern has to guess them. Found too are
 * the forms in which they are commonly repeated: quoted, base64, percent-encoded, and the lines of a key file.
 */
public final class SecretScrubber {
    private static final String HIDDEN = "***";
    /** The key under which drivers for Kubernetes expect a pod's tokens. */
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");
    /** Lines and flag values shorter than this are words like "END" or "4.1" rather than secrets. */
    private static final int SHORTEST_PART = 8;

    private static final Comparator<String> LONGEST_FIRST =
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

    private final List<String> values;

    private SecretScrubber(Set<String> values) {
        this.values = List.copyOf(values);
    }

    /** For the answers to this request. */
    public static SecretScrubber of(Message request) {
        Set<String> values = new TreeSet<>(LONGEST_FIRST);
        collect(request, values);
        return new SecretScrubber(values);
    }

    /** The text without secrets, on one line, and no longer than a log line should be. */
    public String scrub(String text) {
        String clean = text;
        for (String value : values) {
            clean = clean.replace(value, HIDDEN);
        }
        return SecretRedactor.shorten(SecretRedactor.printable(clean), SecretRedactor.MAX_LENGTH);
    }

    private static void collect(Message message, Set<String> values) {
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            boolean secret = SecretRedactor.secret(field);
            if (secret && field.isMapField()) {
                FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
                for (Object each : (List<?>) entry.getValue()) {
                    addSecret((String) ((Message) each).getField(value), values);
                }
            } else if (secret) {
                for (Object flag : (List<?>) entry.getValue()) {
                    addFlag((String) flag, values);
                }
            } else if (field.isMapField() && field.getName().equals("volume_context")) {
                collectTokens((List<?>) entry.getValue(), values);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
                for (Object each : field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue())) {
                    collect((Message) each, values);
                }
            }
        }
    }

    /** Tokens of a pod travel in a field that the schema does not call secret. */
    private static void collectTokens(List<?> context, Set<String> values) {
        for (Object each : context) {
            Message entry = (Message) each;
            FieldDescriptor key = entry.getDescriptorForType().findFieldByNumber(1);
            if (entry.getField(key).equals(TOKENS)) {
                String tokens =
                        (String) entry.getField(entry.getDescriptorForType().findFieldByNumber(2));
                addSecret(tokens, values);
                Matcher token = TOKEN.matcher(tokens);
                while (token.find()) {
                    addSecret(token.group(1), values);
                }
            }
        }
    }

    private static void addSecret(String secret, Set<String> values) {
        if (secret.isBlank()) {
            return;
        }
        List<String> forms = new ArrayList<>();
        forms.add(secret);
        forms.add(secret.strip());
        secret.lines()
                .map(String::strip)
                .filter(line -> line.length() >= SHORTEST_PART)
                .forEach(forms::add);
        for (String form : forms) {
            values.add(form);
            values.add(quoted(form));
            values.add(URLEncoder.encode(form, StandardCharsets.UTF_8));
            byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
            values.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
            values.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
    }

    private static void addFlag(String flag, Set<String> values) {
        int equals = flag.indexOf('=');
        if (equals >= 0 && flag.length() - equals > SHORTEST_PART) {
            addSecret(flag.substring(equals + 1), values);
        }
    }

    /** As most languages write it between quotes. */
    private static String quoted(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }
}
