package io.volume4j.examples.agent.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The trusted certificates of servers. If a configuration names authorities, only those are trusted. The client library
 * would also trust the JDK's authorities, so that every public authority could certify a private cluster.
 */
final class Authorities {
    private Authorities() {}

    /**
     * The authorities of the configuration; the JDK's if it names none.
     *
     * @throws IOException with the file that contains no certificates
     */
    static TrustManager[] of(Config config) throws IOException {
        try {
            if (config.isTrustCerts()) {
                return SSLUtils.trustManagers(config);
            }
            if (given(config.getCaCertData())) {
                return only("certificate-authority-data", decoded(config.getCaCertData()));
            }
            if (given(config.getCaCertFile())) {
                Path file = Path.of(config.getCaCertFile());
                return only(file.toString(), SmallFile.read(file).getBytes(StandardCharsets.ISO_8859_1));
            }
            return factory(null).getTrustManagers();
        } catch (GeneralSecurityException unusable) {
            throw new IOException("no TLS with the configured authorities: " + unusable.getMessage(), unusable);
        }
    }

    private static boolean given(@Nullable String value) {
        return value != null && !value.isEmpty();
    }

    /** A kubeconfig contains base64; the client library also accepts PEM. */
    private static byte[] decoded(String data) throws IOException {
        if (data.contains("-----BEGIN")) {
            return data.getBytes(StandardCharsets.ISO_8859_1);
        }
        try {
            return Base64.getMimeDecoder().decode(data);
        } catch (IllegalArgumentException noBase64) {
            throw new IOException("certificate-authority-data: it is no base64", noBase64);
        }
    }

    private static TrustManager[] only(String where, byte[] pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int number = 0;
        for (Certificate each : certificates(where, pem)) {
            store.setCertificateEntry("authority-" + number++, each);
        }
        return factory(store).getTrustManagers();
    }

    /** @param store null for the JDK's authorities */
    private static TrustManagerFactory factory(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private static Collection<? extends Certificate> certificates(String where, byte[] pem) throws IOException {
        try {
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (!all.isEmpty()) {
                return all;
            }
        } catch (CertificateException unreadable) {
            throw new IOException(where + ": its certificates (PEM) cannot be read", unreadable);
        }
        throw new IOException(where + ": no certificates (PEM) in it");
    }
}
