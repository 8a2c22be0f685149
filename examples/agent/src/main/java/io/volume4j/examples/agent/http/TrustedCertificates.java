package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS that believes the certificates of one file and no others. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /** @throws IllegalArgumentException if there are none in the file */
    static SSLContext of(Path pem) {
        try (InputStream stream = Files.newInputStream(pem)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(stream);
            if (certificates.isEmpty()) {
                throw new IllegalArgumentException(pem + ": no certificates in it");
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each : certificates) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException unusable) {
            throw new IllegalArgumentException(
                    pem + ": no certificates can be read: " + unusable.getMessage(), unusable);
        }
    }
}
