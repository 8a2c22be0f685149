package io.volume4j.core.plugins.san;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.SecretValues;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names and passwords of one CHAP exchange, as settings of an open-iscsi record. Kept only for the duration of a call,
 * and never printed. The keys of the secret are those of Kubernetes manifests.
 */
final class IscsiCredentials {
    private static final int LONGEST = 255;

    private final Map<String, String> settings;

    private IscsiCredentials(Map<String, String> settings) {
        this.settings = Collections.unmodifiableMap(settings);
    }

    static IscsiCredentials ofDiscovery(SecretValues secret) {
        return of("discovery.sendtargets.auth.", secret);
    }

    static IscsiCredentials ofSession(SecretValues secret) {
        return of("node.session.auth.", secret);
    }

    private static IscsiCredentials of(String prefix, SecretValues secret) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(prefix + "authmethod", "CHAP");
        for (String name : List.of("username", "password")) {
            String key = prefix + name;
            String value = secret.values().get(key);
            if (value == null || value.isEmpty()) {
                throw VolumeException.finalFailure("the volume's secret has no value for " + key)
                        .withAdvice("CHAP needs " + prefix + "username and " + prefix + "password");
            }
            settings.put(key, checked(key, value));
        }
        for (String name : List.of("username_in", "password_in")) {
            String key = prefix + name;
            String value = secret.values().getOrDefault(key, "");
            if (!value.isEmpty()) {
                settings.put(key, checked(key, value));
            }
        }
        return new IscsiCredentials(settings);
    }

    /** A record has one setting per line, and ignores spaces around a value. */
    private static String checked(String key, String value) {
        if (value.length() > LONGEST
                || !value.equals(value.strip())
                || value.codePoints().anyMatch(Character::isISOControl)) {
            throw VolumeException.finalFailure("the secret's value for " + key + " is longer than " + LONGEST
                    + " characters, has control characters, or begins or ends with a space");
        }
        return value;
    }

    /** The record's text with these settings instead of its own. */
    String writtenInto(String record) {
        StringBuilder text = new StringBuilder();
        boolean written = false;
        for (String line : record.split("\n", -1)) {
            if (line.startsWith("# END RECORD")) {
                settings.forEach((key, value) ->
                        text.append(key).append(" = ").append(value).append('\n'));
                written = true;
            }
            int equals = line.indexOf('=');
            if (equals < 0 || !settings.containsKey(line.substring(0, equals).strip())) {
                text.append(line).append('\n');
            }
        }
        if (!written) {
            throw VolumeException.finalFailure("a record of open-iscsi does not end as its records do");
        }
        // The last line ended with a line break, so the split added an empty one.
        text.setLength(text.length() - 1);
        return text.toString();
    }

    @Override
    public String toString() {
        return "IscsiCredentials" + settings.keySet();
    }
}
