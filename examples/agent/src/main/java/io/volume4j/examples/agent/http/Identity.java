package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.jspecify.annotations.Nullable;

/**
 * The user's certificate and its private key: PKCS#8, PKCS#1 or SEC 1, in one file, as kubelets keep them, or in two. The client
 * library supports only two files, and elliptic keys only with an option.
 */
final class Identity {
    private static final char[] NO_PASSWORD = {};

    private Identity() {}

    /**
     * Null if the user has no certificate.
     *
     * @throws IOException with the unusable file, but without its content
     */
    static KeyManager @Nullable [] of(Config config) throws IOException {
        Pem certificate = Pem.of("client-certificate", config.getClientCertData(), config.getClientCertFile());
        Pem key = Pem.of("client-key", config.getClientKeyData(), config.getClientKeyFile());
        if (certificate == null || key == null) {
            return null;
        }
        List<X509Certificate> chain = certificate.certificates();
        PrivateKey secret = key.privateKey();
        String algorithm = chain.get(0).getPublicKey().getAlgorithm();
        if (!secret.getAlgorithm().equals(algorithm)) {
            throw new IOException(key.where() + ": it is of " + secret.getAlgorithm() + ", and the certificate in "
                    + certificate.where() + " of " + algorithm);
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("user", secret, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException unusable) {
            throw new IOException(certificate.where() + ": no TLS with it: " + unusable.getMessage(), unusable);
        }
    }

    /**
     * A text in PEM.
     *
     * @param where its file, or the field of a kubeconfig
     */
    private record Pem(String where, String text) {
        static @Nullable Pem of(String field, @Nullable String data, @Nullable String file) throws IOException {
            if (data != null && data.contains("-----BEGIN")) {
                // A kubeconfig contains base64; exec plugins print PEM.
                return new Pem(field + "-data", data);
            }
            if (data != null && !data.isEmpty()) {
                try {
                    byte[] decoded = Base64.getMimeDecoder().decode(data);
                    return new Pem(field + "-data", new String(decoded, StandardCharsets.ISO_8859_1));
                } catch (IllegalArgumentException noBase64) {
                    throw new IOException(field + "-data: it is no base64");
                }
            }
            return file == null || file.isEmpty() ? null : new Pem(file, SmallFile.read(Path.of(file)));
        }

        List<X509Certificate> certificates() throws IOException {
            List<X509Certificate> all = new ArrayList<>();
            for (Object part : parts()) {
                if (part instanceof X509CertificateHolder holder) {
                    try {
                        all.add(new JcaX509CertificateConverter().getCertificate(holder));
                    } catch (GeneralSecurityException unreadable) {
                        throw new IOException(where + ": a certificate in it cannot be read");
                    }
                }
            }
            if (all.isEmpty()) {
                throw new IOException(where + ": no certificates (PEM) in it");
            }
            return all;
        }

        PrivateKey privateKey() throws IOException {
            for (Object part : parts()) {
                if (part instanceof PKCS8EncryptedPrivateKeyInfo || part instanceof PEMEncryptedKeyPair) {
                    throw new IOException(where + ": its private key has a password: give one without");
                }
                PrivateKeyInfo found = part instanceof PEMKeyPair pair
                        ? pair.getPrivateKeyInfo()
                        : part instanceof PrivateKeyInfo info ? info : null;
                if (found != null) {
                    try {
                        return new JcaPEMKeyConverter().getPrivateKey(found);
                    } catch (PEMException unusable) {
                        throw new IOException(where + ": its private key cannot be read");
                    }
                }
            }
            throw new IOException(where + ": no private key (PEM) in it");
        }

        private List<Object> parts() throws IOException {
            List<Object> parts = new ArrayList<>();
            try (PEMParser parser = new PEMParser(new StringReader(text))) {
                for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
                    parts.add(part);
                }
                return parts;
            } catch (IOException | RuntimeException unreadable) {
                // Without the cause, whose message may contain parts of the file.
                throw new IOException(where + ": what is in it cannot be read as PEM");
            }
        }

        @Override
        public String toString() {
            return "Pem[" + where + "]";
        }
    }
}
