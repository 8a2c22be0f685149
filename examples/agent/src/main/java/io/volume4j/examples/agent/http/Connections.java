package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The client that requests go through. Its certificates are compared with their files before each request: others make another
 * client, with connections and TLS sessions of its own, so that nothing goes on as whom we no longer are, or with whom we no
 * longer believe. Thread-safe.
 */
final class Connections {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final char[] NO_PASSWORD = {};

    private final @Nullable Path authorities;
    private final @Nullable Path certificate;
    private final @Nullable Path key;

    private @Nullable Material material;
    private @Nullable HttpClient client;

    Connections(Access access) {
        authorities = access.authorities();
        certificate = access.certificate();
        key = access.key();
    }

    /** What the files hold. */
    private record Material(String authorities, String certificate, String key) {
        @Override
        public String toString() {
            return "Material";
        }
    }

    /**
     * The one that goes with what the files hold now.
     *
     * @throws IOException with the file that cannot be used; never repeats what is in it
     */
    synchronized HttpClient client() throws IOException {
        Material now = new Material(read(authorities), read(certificate), read(key));
        if (client == null || !now.equals(material)) {
            client = newClient(now);
            material = now;
        }
        return client;
    }

    private HttpClient newClient(Material from) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder()
                // Each watch has a connection of its own, which ends with it and takes nothing else along.
                .version(HttpClient.Version.HTTP_1_1)
                // A redirection could send the token, or a write, to somebody else.
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        if (authorities != null || certificate != null) {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(keys(from), trust(from), null);
                builder.sslContext(context);
            } catch (GeneralSecurityException unusable) {
                throw new IOException("no TLS with these certificates: " + unusable.getMessage(), unusable);
            }
        }
        return builder.build();
    }

    /** None: those whom Java believes. */
    private TrustManager @Nullable [] trust(Material from) throws IOException, GeneralSecurityException {
        if (authorities == null) {
            return null;
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (X509Certificate each : PemText.of(authorities, from.authorities).certificates()) {
            store.setCertificateEntry("authority-" + number++, each);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** None: nobody in particular. */
    private KeyManager @Nullable [] keys(Material from) throws IOException, GeneralSecurityException {
        if (certificate == null || key == null) {
            return null;
        }
        List<X509Certificate> chain = PemText.of(certificate, from.certificate).certificates();
        PrivateKey secret = PemText.of(key, from.key).privateKey();
        String algorithm = chain.get(0).getPublicKey().getAlgorithm();
        if (!secret.getAlgorithm().equals(algorithm)) {
            throw new IOException(key + ": it is of " + secret.getAlgorithm() + ", and the certificate in "
                    + certificate + " of " + algorithm);
        }
        KeyStore store = emptyStore();
        store.setKeyEntry("agent", secret, NO_PASSWORD, chain.toArray(new X509Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static String read(@Nullable Path file) throws IOException {
        return file == null ? "" : SmallFile.read(file);
    }
}
