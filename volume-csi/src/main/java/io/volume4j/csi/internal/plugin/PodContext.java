package io.volume4j.csi.internal.plugin;

import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.ConfigResolver.Token;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** The pod's data in NodePublishVolume, under the keys of Kubernetes. */
final class PodContext {
    static final String PREFIX = "csi.storage.k8s.io/";
    /** The value is secret. */
    static final String TOKENS = PREFIX + "serviceAccount.tokens";

    private static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

    private PodContext() {}

    /** The volume's own context, and the pod's data if the driver asks for it. Without tokens. */
    static Map<String, String> context(
            CsiDriver.Spec settings, Map<String, String> attributes, Pod pod, boolean ephemeral) {
        Map<String, String> context = new TreeMap<>(attributes);
        if (settings.podInfoOnMount()) {
            context.put(PREFIX + "pod.name", pod.metadata().name());
            context.put(PREFIX + "pod.namespace", pod.metadata().namespace());
            context.put(PREFIX + "pod.uid", pod.metadata().uid());
            context.put(PREFIX + "serviceAccount.name", pod.spec().serviceAccountName());
        }
        if (settings.podInfoOnMount() || ephemeral) {
            context.put(PREFIX + "ephemeral", Boolean.toString(ephemeral));
        }
        return context;
    }

    /** The pod's tokens as one JSON object by audience; empty if the driver asks for none. */
    static Map<String, String> tokens(CsiDriver.Spec settings, Pod pod, ConfigResolver configs) {
        if (settings.tokenRequests().isEmpty()) {
            return Map.of();
        }
        StringBuilder json = new StringBuilder("{");
        String separator = "";
        for (CsiDriver.TokenRequest wanted : settings.tokenRequests()) {
            Long lifetime = wanted.expirationSeconds();
            Token token = configs.token(new TokenRequest(
                    pod.metadata().namespace(),
                    pod.metadata().uid(),
                    pod.spec().serviceAccountName(),
                    wanted.audience(),
                    lifetime == null ? DEFAULT_LIFETIME.toSeconds() : lifetime));
            json.append(separator);
            quote(json, wanted.audience());
            json.append(":{\"token\":");
            quote(json, token.value());
            json.append(",\"expirationTimestamp\":");
            quote(json, token.expires().toString());
            json.append('}');
            separator = ",";
        }
        return Map.of(TOKENS, json.append('}').toString());
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < 0x20) {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
