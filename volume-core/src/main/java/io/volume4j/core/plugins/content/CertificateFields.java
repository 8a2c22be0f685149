package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver.CertificateRequest;
import io.volume4j.spi.host.CertificateResolver.Credential;
import io.volume4j.spi.host.CertificateResolver.KeyType;
import io.volume4j.spi.model.Pod;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The fields of a {@code podCertificate} projection.
 *
 * @param paths of the files, by field; only those that the projection contains
 */
record CertificateFields(CertificateRequest request, SortedMap<String, String> paths) {
    private static final String BUNDLE = "credentialBundlePath";
    private static final String KEY = "keyPath";
    private static final String CHAIN = "certificateChainPath";

    private static final long DEFAULT_SECONDS = 86_400;
    private static final long SHORTEST_SECONDS = 3_600;
    private static final long LONGEST_SECONDS = 7_862_400;

    /** @throws VolumeException final, if a field is missing or not valid */
    static CertificateFields of(SourceFields source, Pod pod, String serviceAccount, String nodeName) {
        String signer = source.requiredText("signerName");
        TrustBundles.requireSigner(source, signer);
        long seconds = source.number("maxExpirationSeconds", DEFAULT_SECONDS);
        if (seconds < SHORTEST_SECONDS || seconds > LONGEST_SECONDS) {
            throw source.wrong("maxExpirationSeconds", "must be from " + SHORTEST_SECONDS + " to " + LONGEST_SECONDS);
        }
        SortedMap<String, String> paths = new TreeMap<>();
        for (String field : List.of(BUNDLE, KEY, CHAIN)) {
            if (source.has(field)) {
                String path = source.requiredPath(field);
                if (paths.containsValue(path)) {
                    throw source.wrong(field, "is the path " + MessageText.text(path) + " of another file");
                }
                paths.put(field, path);
            }
        }
        if (paths.isEmpty()) {
            throw VolumeException.finalFailure(
                    source.place() + " must have at least one of " + List.of(BUNDLE, KEY, CHAIN));
        }
        CertificateRequest request = new CertificateRequest(
                pod.metadata().namespace(),
                pod.metadata().name(),
                pod.metadata().uid(),
                serviceAccount,
                nodeName,
                signer,
                keyType(source),
                seconds,
                source.textMap("userAnnotations"));
        return new CertificateFields(request, paths);
    }

    private static KeyType keyType(SourceFields source) {
        String wanted = source.requiredText("keyType");
        return Arrays.stream(KeyType.values())
                .filter(type -> type.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> source.wrong(
                        "keyType",
                        "must be one of " + Arrays.toString(KeyType.values()) + ", not " + MessageText.text(wanted)));
    }

    /** The content of the field's file. */
    static byte[] content(String field, Credential credential) {
        String text = switch (field) {
            case KEY -> line(credential.privateKey());
            case CHAIN -> line(credential.certificateChain());
            default -> line(credential.privateKey()) + line(credential.certificateChain());
        };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String line(String text) {
        return text.endsWith("\n") ? text : text + "\n";
    }
}
