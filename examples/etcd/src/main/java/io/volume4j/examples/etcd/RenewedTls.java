package io.volume4j.examples.etcd;

import io.grpc.netty.GrpcSslContexts;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS by certificates that another program renews in place. Compares the files before each connection. After a change, the connection
 * and the later ones use the new content, without the TLS sessions of the earlier one. While the new content cannot be used (a file is
 * half written, or a certificate is renewed before its key), the earlier one stays. Thread-safe.
 */
final class RenewedTls extends SslContext {
    private static final Logger LOG = LoggerFactory.getLogger(RenewedTls.class);
    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ");
    private static final Pattern END = Pattern.compile("-----END [^-]+-----");

    private final @Nullable Path authorities;
    private final @Nullable Path certificate;
    private final @Nullable Path key;

    private Map<Path, String> content;
    private SslContext current;
    private boolean failing;

    /**
     * @param authorities trusted authorities, null for Java's; {@code certificate} and {@code key} are null for no certificate
     * @throws IOException or another exception if the files cannot be used; no message repeats their content
     */
    RenewedTls(@Nullable Path authorities, @Nullable Path certificate, @Nullable Path key)
            throws IOException, GeneralSecurityException {
        this.authorities = authorities;
        this.certificate = certificate;
        this.key = key;
        content = read();
        current = open(content);
    }

    /** For the next connection. */
    synchronized SslContext current() {
        try {
            Map<Path, String> now = read();
            if (!now.equals(content)) {
                current = open(now);
                content = now;
            }
            failing = false;
        } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
            if (!failing) {
                LOG.atWarn()
                        .addKeyValue("files", content.keySet())
                        .addKeyValue("reason", unusable.toString())
                        .log("renewed certificate cannot be used; the earlier one stays, and the files are read again");
            }
            failing = true;
        }
        return current;
    }

    private Map<Path, String> read() throws IOException {
        Map<Path, String> read = new HashMap<>();
        for (Path file : new Path[] {authorities, certificate, key}) {
            if (file != null) {
                try {
                    read.put(file, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
                } catch (IOException unreadable) {
                    throw new IOException(file + " cannot be read: " + unreadable, unreadable);
                }
            }
        }
        return read;
    }

    private SslContext open(Map<Path, String> files) throws IOException, GeneralSecurityException {
        SslContextBuilder tls = GrpcSslContexts.forClient();
        if (authorities != null) {
            tls.trustManager(certificates(files, authorities));
        }
        if (certificate != null && key != null) {
            X509Certificate[] chain = certificates(files, certificate);
            PublicKey certified = chain[0].getPublicKey();
            PrivateKey own = privateKey(files, key, certified.getAlgorithm());
            if (!belongs(own, certified)) {
                throw new GeneralSecurityException("the key in " + key + " is not that of " + certificate);
            }
            tls.keyManager(own, chain);
        }
        return tls.build();
    }

    private static X509Certificate[] certificates(Map<Path, String> files, Path file) throws IOException {
        try {
            return toX509Certificates(whole(files, file));
        } catch (CertificateException | RuntimeException none) {
            throw new IOException(file + " holds no certificates (PEM) that can be read", none);
        }
    }

    private static PrivateKey privateKey(Map<Path, String> files, Path file, String algorithm) throws IOException {
        try {
            PrivateKey read = toPrivateKey(whole(files, file), null);
            // Netty reads it by Bouncy Castle where that is there, and Java's TLS cannot use that provider's elliptic
            // keys
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(read.getEncoded()));
        } catch (GeneralSecurityException | RuntimeException none) {
            throw new IOException(
                    file + " holds no private key (PEM, without a password) of " + algorithm + " that can be read",
                    none);
        }
    }

    /** Of a half-written file, the parser would take the certificates before the last. */
    private static InputStream whole(Map<Path, String> files, Path file) throws IOException {
        String text = files.getOrDefault(file, "");
        if (BEGIN.matcher(text).results().count() != END.matcher(text).results().count()) {
            throw new IOException(file + " is half written");
        }
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static boolean belongs(PrivateKey own, PublicKey certified) throws GeneralSecurityException {
        String algorithm = certified.getAlgorithm();
        if (!algorithm.equals("EC") && !algorithm.equals("RSA")) {
            return true;
        }
        Signature signature = Signature.getInstance(algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
        byte[] text = "volume4j".getBytes(StandardCharsets.US_ASCII);
        signature.initSign(own);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(text);
        return signature.verify(signed);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator buffers) {
        return current().newEngine(buffers);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator buffers, String host, int port) {
        return current().newEngine(buffers, host, port);
    }

    @Override
    public boolean isClient() {
        return true;
    }

    @Override
    public synchronized List<String> cipherSuites() {
        return current.cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // Netty still requires the method
    public synchronized ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return current.applicationProtocolNegotiator();
    }

    @Override
    public synchronized SSLSessionContext sessionContext() {
        return current.sessionContext();
    }
}
