package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.SelectorRequirement;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The trust bundles of a {@code clusterTrustBundle} projection: one by name, or those of a signer that a selector
 * matches. Immutable.
 */
final class TrustBundles {
    private static final List<String> WITH_VALUES = List.of("In", "NotIn");
    private static final List<String> WITHOUT_VALUES = List.of("Exists", "DoesNotExist");

    private final String place;
    private final String name;
    private final String signer;
    private final Optional<LabelSelector> selector;
    private final boolean optional;

    private TrustBundles(String place, String name, String signer, Optional<LabelSelector> selector, boolean optional) {
        this.place = place;
        this.name = name;
        this.signer = signer;
        this.selector = selector;
        this.optional = optional;
    }

    /** @throws VolumeException final, if the manifest has none or both of the two forms */
    static TrustBundles of(SourceFields source) {
        String name = source.text("name");
        String signer = source.text("signerName");
        if (name.isEmpty() == signer.isEmpty()) {
            throw VolumeException.finalFailure(source.place() + " must have exactly one of name and signerName");
        }
        if (!name.isEmpty() && source.has("labelSelector")) {
            throw source.wrong("labelSelector", "goes with signerName, not with name");
        }
        if (!name.isEmpty() && !NameRule.SUBDOMAIN.allows(name.replace(':', '-'))) {
            throw source.wrong("name", "must be the name of a trust bundle, not " + MessageText.text(name));
        }
        if (!signer.isEmpty()) {
            requireSigner(source, signer);
        }
        Optional<LabelSelector> selector = source.object("labelSelector").map(TrustBundles::selector);
        return new TrustBundles(source.place(), name, signer, selector, source.flag("optional"));
    }

    /** Fails unless the name is a domain, a slash and a path, as signers' names are. */
    static void requireSigner(SourceFields source, String signer) {
        int slash = signer.indexOf('/');
        boolean right = slash > 0
                && slash < signer.length() - 1
                && NameRule.SUBDOMAIN.allows(signer.substring(0, slash))
                && signer.codePoints().noneMatch(point -> Character.isISOControl(point) || point == ' ');
        if (!right) {
            throw source.wrong("signerName", "must be a domain, '/' and a name, not " + MessageText.text(signer));
        }
    }

    private static LabelSelector selector(SourceFields fields) {
        List<SelectorRequirement> requirements = new ArrayList<>();
        for (SourceFields each : fields.objects("matchExpressions")) {
            SelectorRequirement requirement = new SelectorRequirement(
                    each.requiredText("key"), each.requiredText("operator"), each.texts("values"));
            boolean none = requirement.values().isEmpty();
            if (!(none ? WITHOUT_VALUES : WITH_VALUES).contains(requirement.operator())) {
                throw each.wrong(
                        "operator",
                        "must be one of " + WITH_VALUES + " with values or " + WITHOUT_VALUES + " without, not "
                                + MessageText.text(requirement.operator()));
            }
            requirements.add(requirement);
        }
        return new LabelSelector(fields.textMap("matchLabels"), requirements);
    }

    /**
     * The certificates of all selected bundles, each once. They are sorted by their SHA-256: equal sets make equal
     * files, a new certificate does not reorder the others, and a program cannot rely on the first one as the newest.
     *
     * @throws VolumeException transient, if there are none and the projection is not optional, or if a bundle has
     *     other contents
     */
    byte[] anchors(CertificateResolver resolver) {
        List<String> bundles = bundles(resolver);
        if (bundles.isEmpty() && !optional) {
            throw VolumeException.transientFailure(what() + " does not exist, which " + place + " names")
                    .withAdvice("create it, or mark the projection as optional");
        }
        SortedMap<String, byte[]> anchors = new TreeMap<>();
        for (String bundle : bundles) {
            try {
                for (X509Certificate certificate : Certificates.read(bundle)) {
                    byte[] der = Certificates.encoded(certificate);
                    anchors.put(sha256(der), der);
                }
            } catch (IllegalArgumentException broken) {
                throw VolumeException.transientFailure(what() + ", which " + place
                                + " names, is no list of certificates: " + broken.getMessage())
                        .withAdvice("put certificates of X.509 in PEM into it, and nothing else");
            }
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        anchors.values().forEach(der -> file.writeBytes(Pem.block(Pem.CERTIFICATE, der)));
        return file.toByteArray();
    }

    /** As in Kubernetes, a signer without a selector selects nothing, and an empty selector selects all. */
    private List<String> bundles(CertificateResolver resolver) {
        return name.isEmpty()
                ? selector.map(labels -> resolver.trustBundles(signer, labels)).orElse(List.of())
                : resolver.trustBundle(name).stream().toList();
    }

    private String what() {
        if (!name.isEmpty()) {
            return "trust bundle " + name;
        }
        return "a trust bundle of signer " + signer
                + (selector.isEmpty() ? " (without a labelSelector none is chosen)" : " with these labels");
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
