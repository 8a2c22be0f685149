package io.volume4j.core.plugins.content;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver.CertificateRequest;
import io.volume4j.spi.host.CertificateResolver.Credential;
import io.volume4j.spi.host.CertificateResolver.KeyType;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/**
 * Verifies a credential against its request, so that no pod starts with a key that does not match its certificate.
 * Pure.
 */
final class IssuedCredential {
    private static final byte[] CHALLENGE = {1, 2, 3, 4, 5, 6, 7, 8};

    private IssuedCredential() {}

    /**
     * The first certificate of the chain.
     *
     * @throws VolumeException transient, if key or chain do not match the request; the message contains no part of
     *     them
     */
    static X509Certificate leaf(CertificateRequest request, Credential credential) {
        try {
            List<X509Certificate> chain = Certificates.read(credential.certificateChain());
            requireMatch(
                    request.keyType(),
                    key(request.keyType(), credential),
                    chain.get(0).getPublicKey());
            return chain.get(0);
        } catch (IllegalArgumentException wrong) {
            throw VolumeException.transientFailure("what signer " + request.signerName() + " issued for pod "
                            + request.namespace() + "/" + request.podName() + " cannot be used: " + wrong.getMessage())
                    .withAdvice("look at the host's certificate resolver and at the signer");
        }
    }

    private static PrivateKey key(KeyType type, Credential credential) {
        List<Pem.Block> blocks = Pem.blocks(credential.privateKey());
        if (blocks.size() != 1 || !blocks.get(0).label().equals(Pem.PRIVATE_KEY)) {
            throw new IllegalArgumentException("the private key is not one block of PKCS#8");
        }
        try {
            return KeyFactory.getInstance(algorithm(type))
                    .generatePrivate(new PKCS8EncodedKeySpec(blocks.get(0).der()));
        } catch (GeneralSecurityException mayShowTheKey) {
            throw new IllegalArgumentException("the private key is no " + type + " key");
        }
    }

    private static void requireMatch(KeyType type, PrivateKey key, PublicKey certified) {
        if (bits(certified) != bits(type) || bits(key) != bits(type)) {
            throw new IllegalArgumentException("the private key is no " + type + " key");
        }
        boolean fits;
        try {
            Signature signature = Signature.getInstance(signature(type));
            signature.initSign(key);
            signature.update(CHALLENGE);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(CHALLENGE);
            fits = signature.verify(signed);
        } catch (GeneralSecurityException mayShowTheKey) {
            fits = false;
        }
        if (!fits) {
            throw new IllegalArgumentException("the first certificate was issued for another key");
        }
    }

    private static String algorithm(KeyType type) {
        return switch (type) {
            case RSA3072, RSA4096 -> "RSA";
            case ECDSAP256, ECDSAP384, ECDSAP521 -> "EC";
            case ED25519 -> "Ed25519";
        };
    }

    private static String signature(KeyType type) {
        return switch (type) {
            case RSA3072, RSA4096 -> "SHA256withRSA";
            case ECDSAP256, ECDSAP384, ECDSAP521 -> "SHA256withECDSA";
            case ED25519 -> "Ed25519";
        };
    }

    private static int bits(KeyType type) {
        return switch (type) {
            case RSA3072 -> 3072;
            case RSA4096 -> 4096;
            case ECDSAP256 -> 256;
            case ECDSAP384 -> 384;
            case ECDSAP521 -> 521;
            case ED25519 -> 0;
        };
    }

    /** The size of the key, 0 if all keys of its kind have the same size. */
    private static int bits(Object key) {
        if (key instanceof RSAKey rsa) {
            return rsa.getModulus().bitLength();
        }
        return key instanceof ECKey elliptic
                ? elliptic.getParams().getCurve().getField().getFieldSize()
                : 0;
    }
}
