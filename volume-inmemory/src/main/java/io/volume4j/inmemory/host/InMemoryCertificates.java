package io.volume4j.inmemory.host;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.model.LabelSelector;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Trust bundles of a test, and an issuer of real certificates for its pods. Each chain is a leaf certificate and the
 * certificate of its authority, which {@link #authority} returns. Keys are random. Thread-safe. Only
 * {@link #everyKey()} returns private keys.
 *
 * @since 0.1.0
 */
public final class InMemoryCertificates implements CertificateResolver {
    private final InstantSource clock;
    private final Map<String, Bundle> bundles = new TreeMap<>();
    private final List<CertificateRequest> requests = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Authority> authorities = new LinkedHashMap<>();
    private @Nullable VolumeException failure;

    /** Made once, as each signature is another. */
    private record Authority(PrivateKey key, String certificate) {
        static Authority named(String name) {
            KeyPair pair = pair(KeyType.ECDSAP256);
            Instant until = Instant.parse("2049-12-31T00:00:00Z");
            byte[] own = X509.signed(name, pair.getPrivate(), 1, name, pair.getPublic(), Instant.EPOCH, until);
            return new Authority(pair.getPrivate(), Pem.of("CERTIFICATE", own));
        }
    }

    private record Bundle(String signerName, Map<String, String> labels, String certificates) {}

    public InMemoryCertificates(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Adds the trust bundle or replaces it.
     *
     * @param signerName {@code ""} for one without a signer
     * @param certificates in PEM
     */
    public void put(String name, String signerName, Map<String, String> labels, String certificates) {
        synchronized (this) {
            bundles.put(name, new Bundle(signerName, Collections.unmodifiableMap(new TreeMap<>(labels)), certificates));
        }
        listeners.forEach(Runnable::run);
    }

    public void remove(String name) {
        synchronized (this) {
            bundles.remove(name);
        }
        listeners.forEach(Runnable::run);
    }

    /** Makes all later requests for certificates fail with this failure. Null ends that. */
    public synchronized void refuse(@Nullable VolumeException reason) {
        failure = reason;
    }

    @Override
    public boolean tellChanges(Runnable listener) {
        listeners.add(listener);
        return true;
    }

    @Override
    public synchronized Optional<String> trustBundle(String name) {
        return Optional.ofNullable(bundles.get(name)).map(Bundle::certificates);
    }

    @Override
    public synchronized List<String> trustBundles(String signerName, LabelSelector selector) {
        return bundles.values().stream()
                .filter(bundle -> bundle.signerName().equals(signerName) && selector.matches(bundle.labels()))
                .map(Bundle::certificates)
                .toList();
    }

    /** Issues a certificate for the requested time. It asks for a renewal after nine tenths of that time. */
    @Override
    public synchronized Credential podCertificate(CertificateRequest request) {
        requests.add(request);
        if (failure != null) {
            throw failure;
        }
        Instant now = clock.instant();
        Duration life = Duration.ofSeconds(request.maxExpirationSeconds());
        KeyPair pair = pair(request.keyType());
        String key = Pem.of("PRIVATE KEY", pair.getPrivate().getEncoded());
        keys.add(key);
        Authority authority = authorityOf(request.signerName());
        byte[] leaf = X509.signed(
                request.signerName(),
                authority.key(),
                requests.size(),
                request.namespace() + "/" + request.podName(),
                pair.getPublic(),
                now,
                now.plus(life));
        return new Credential(
                key,
                Pem.of("CERTIFICATE", leaf) + authority.certificate(),
                now.plus(life.multipliedBy(9).dividedBy(10)));
    }

    /** The certificate of the signer's authority, in PEM. The first call creates it. */
    public synchronized String authority(String signerName) {
        return authorityOf(signerName).certificate();
    }

    /** The requests for certificates, in order. */
    public synchronized List<CertificateRequest> requests() {
        return List.copyOf(requests);
    }

    /** Every private key that was ever returned, in PEM. For tests that search for leaked keys. */
    public synchronized List<String> everyKey() {
        return List.copyOf(keys);
    }

    private Authority authorityOf(String signerName) {
        return authorities.computeIfAbsent(signerName, Authority::named);
    }

    private static KeyPair pair(KeyType type) {
        try {
            KeyPairGenerator generator;
            switch (type) {
                case RSA3072, RSA4096 -> {
                    generator = KeyPairGenerator.getInstance("RSA");
                    generator.initialize(type == KeyType.RSA3072 ? 3072 : 4096);
                }
                case ED25519 -> generator = KeyPairGenerator.getInstance("Ed25519");
                default -> {
                    generator = KeyPairGenerator.getInstance("EC");
                    generator.initialize(
                            new ECGenParameterSpec("secp" + type.name().substring("ECDSAP".length()) + "r1"));
                }
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this Java makes no keys of type " + type, impossible);
        }
    }
}
