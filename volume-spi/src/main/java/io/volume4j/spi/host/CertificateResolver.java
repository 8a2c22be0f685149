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
 * Provides the certificates that pods get as files: trust bundles ({@code clusterTrustBundle}), and private keys with
 * their chains ({@code podCertificate}). Implementations are thread-safe and may block.
 *
 * <p>The resolver makes the key pair, because issuers differ: some sign a public key, others return key and chain
 * together. If the resolver runs in the node's process, the private key stays on the node. Before a pod gets the
 * files, the library checks that key, type and chain belong together.
 *
 * @since 0.1.0
 */
public interface CertificateResolver {
    /**
     * The trust bundle of that name, as certificates in PEM. Empty if it certainly does not exist.
     *
     * @throws VolumeException transient, if it cannot be read
     */
    Optional<String> trustBundle(String name);

    /**
     * All trust bundles of the signer whose labels match the selector, in any order. Empty if there are certainly
     * none.
     *
     * @throws VolumeException transient, if they cannot be read
     */
    List<String> trustBundles(String signerName, LabelSelector selector);

    /**
     * Registers a listener for changes of trust bundles. The host runs it whenever a trust bundle may have been
     * added, changed or removed, until the process ends. The library then updates the volumes that contain a trust
     * bundle. Any thread may run the listener; it does not block. This method must not block.
     *
     * @return whether this host reports changes; false by default, and then the library checks such volumes every one
     *     to two minutes
     */
    default boolean tellChanges(Runnable listener) {
        return false;
    }

    /**
     * A new private key for the pod, with the chain that its signer issued for the key. Returns when the signer has
     * issued it. The library asks again before the certificate expires, and after a restart of the machine.
     *
     * @throws VolumeException transient, if the certificate is not issued yet or the resolver cannot reach the
     *     issuer; final, if the issuer refuses
     */
    Credential podCertificate(CertificateRequest request);

    /**
     * The default resolver of a host without certificates. Every call fails: it reads no trust bundle and issues no
     * certificate.
     */
    static CertificateResolver none() {
        return NoCertificates.INSTANCE;
    }

    /** The kinds of key pairs that a pod may request, with the names that Kubernetes uses. */
    enum KeyType {
        RSA3072,
        RSA4096,
        ECDSAP256,
        ECDSAP384,
        ECDSAP521,
        ED25519
    }

    /**
     * Describes the certificate that a pod requests: for which pod, from which signer, and for how long at most.
     *
     * @param maxExpirationSeconds from 3600 to 7862400; a signer may issue for less
     * @param userAnnotations what the pod's author tells the signer; the library does not verify it
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
     * A private key and its certificates. {@link #toString()} does not contain the key.
     *
     * @param privateKey PKCS#8 in PEM, one block {@code PRIVATE KEY}
     * @param certificateChain the leaf certificate, then the intermediate certificates that sign it, in PEM
     * @param beginRefreshAt when the library should ask the issuer again; null for after four fifths of the leaf
     *     certificate's lifetime
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
