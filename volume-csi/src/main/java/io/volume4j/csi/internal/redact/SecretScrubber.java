package io.volume4j.csi.internal.redact;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.volume4j.core.redact.SecretMask;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes the secrets of one request from the driver's answer. Drivers repeat the command line of a failed mount,
 * credentials included (CVE-2019-11252). The values come from the request; {@link SecretMask} finds them in any common
 * encoding.
 */
public final class SecretScrubber {
    /** The key under which Kubernetes passes a pod's tokens to drivers. */
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");
    /** A shorter value of a mount flag is rather an option such as "4.1" than a secret. */
    private static final int SHORTEST_FLAG = 8;

    private final SecretMask mask;

    private SecretScrubber(SecretMask mask) {
        this.mask = mask;
    }

    /** A scrubber for the answers to this request. */
    public static SecretScrubber of(Message request) {
        Set<String> values = new LinkedHashSet<>();
        collect(request, values);
        return new SecretScrubber(SecretMask.of(values));
    }

    /** The text without secrets, on one line, and not longer than a log line. */
    public String scrub(String text) {
        return SecretRedactor.shorten(SecretRedactor.printable(mask.hide(text)), SecretRedactor.MAX_LENGTH);
    }

    /** The text without secrets, otherwise unchanged. */
    public String hide(String text) {
        return mask.hide(text);
    }

    private static void collect(Message message, Set<String> values) {
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            boolean secret = SecretRedactor.secret(field);
            if (secret && field.isMapField()) {
                FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
                for (Object each : (List<?>) entry.getValue()) {
                    values.add((String) ((Message) each).getField(value));
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

    /** The schema does not mark the field with a pod's tokens as secret. */
    private static void collectTokens(List<?> context, Set<String> values) {
        for (Object each : context) {
            Message entry = (Message) each;
            FieldDescriptor key = entry.getDescriptorForType().findFieldByNumber(1);
            if (entry.getField(key).equals(TOKENS)) {
                String tokens =
                        (String) entry.getField(entry.getDescriptorForType().findFieldByNumber(2));
                values.add(tokens);
                Matcher token = TOKEN.matcher(tokens);
                while (token.find()) {
                    values.add(token.group(1));
                }
            }
        }
    }

    private static void addFlag(String flag, Set<String> values) {
        int equals = flag.indexOf('=');
        if (equals >= 0 && flag.length() - equals > SHORTEST_FLAG) {
            values.add(flag.substring(equals + 1));
        }
    }
}
