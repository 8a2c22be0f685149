package io.volume4j.spi.host;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.LabelSelector;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the certificates that pods get as files: trust bundles ({@code clusterTrustBundle}), and private keys with their
 * chains ({@code podCertificate}). Thread-safe, blocking.
 *
 * <p>The resolver makes the key pair, because issuers differ in this: some sign a public key, others give key and chain
 * together. A resolver in the node's process keeps the private key on the node. The library checks that key, type and chain
 * belong together before a pod sees them.
 *
 * @since 0.1.0
 */
public interface CertificateResolver {
    /**
     * The trust bundle of that name: certificates in PEM; empty if it certainly does not exist.
     *
     * @throws VolumeException transient, if it cannot be read
     */
    Optional<String> trustBundle(String name);

    /**
     * All trust bundles of the signer whose labels the selector matches, in any order; empty if there certainly are none.
     *
     * @throws VolumeException transient, if they cannot be read
     */
    List<String> trustBundles(String signerName, LabelSelector selector);

    /**
     * Has the listener run, on any thread and until the process ends, whenever a trust bundle may have changed, come or gone, so
     * that volumes which show one follow at once. It must not block.
     *
     * @return whether this host tells; by default it does not, and such volumes are looked at every one to two minutes
     */
    default boolean tellChanges(Runnable listener) {
        return false;
    }

    /**
     * A new private key for the pod and the chain that its signer issued for it. Returns when it is issued. The library asks
     * again before it expires, and after a restart of the machine.
     *
     * @throws VolumeException transient, if it is not issued yet or the issuer cannot be reached; final, if the issuer refuses
     */
    Credential podCertificate(CertificateRequest request);

    /** The resolver of a host that has neither: trust bundles cannot be read, and certificates are not issued. */
    static CertificateResolver none() {
        return NoCertificates.INSTANCE;
    }

    /** The kinds of key pairs that a pod may ask for, by Kubernetes' names. */
    enum KeyType {
        RSA3072,
        RSA4096,
        ECDSAP256,
        ECDSAP384,
        ECDSAP521,
        ED25519
    }

    /**
     * Whose certificate, from which signer, and for how long at most.
     *
     * @param maxExpirationSeconds from 3600 to 7862400; a signer may issue for less
     * @param userAnnotations what the pod's author tells the signer; not verified
     */
    record CertificateRequest(
            String namespace,
            String podName,
            String podUid,
            String serviceAccount,
            String nodeName,
            String signerName,
            KeyType keyType,
            long maxExpirationSeconds,
            Map<String, String> userAnnotations) {
        public CertificateRequest {
            userAnnotations = Collections.unmodifiableMap(new TreeMap<>(userAnnotations));
        }
    }

    /**
     * A private key and its certificates. The key is never shown.
     *
     * @param privateKey PKCS#8 in PEM, one block {@code PRIVATE KEY}
     * @param certificateChain the leaf and what vouches for it, in PEM
     * @param beginRefreshAt when the issuer wants to be asked again; null for after four fifths of the leaf's life
     */
    record Credential(
            String privateKey,
            String certificateChain,
            @Nullable Instant beginRefreshAt) {
        @Override
        public String toString() {
            return "Credential[beginRefreshAt=" + beginRefreshAt + "]";
        }
    }
}
