package io.volume4j.csi.internal.metadata;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key of a server, in two files that another program renews. Reads them again when the content of either changed: a
 * certificate may be renewed with the same key, and a file may be half written. Not thread-safe; one task calls it.
 */
final class ServerIdentity {
    private static final Logger LOG = LoggerFactory.getLogger(ServerIdentity.class);

    private final Path certificate;
    private final Path key;
    private final AdvancedTlsX509KeyManager manager = new AdvancedTlsX509KeyManager();
    private byte[] readCertificate = {};
    private byte[] readKey = {};
    private boolean failing;

    ServerIdentity(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** What the server uses. */
    AdvancedTlsX509KeyManager manager() {
        return manager;
    }

    /** Reads the files for the first time, or again. */
    void read() throws IOException, GeneralSecurityException {
        byte[] certificateNow = Files.readAllBytes(certificate);
        byte[] keyNow = Files.readAllBytes(key);
        if (!Arrays.equals(certificateNow, readCertificate) || !Arrays.equals(keyNow, readKey)) {
            X509Certificate[] chain = CertificateUtils.getX509Certificates(new ByteArrayInputStream(certificateNow));
            PrivateKey own = CertificateUtils.getPrivateKey(new ByteArrayInputStream(keyNow));
            if (chain.length == 0 || !belongs(own, chain[0])) {
                throw new GeneralSecurityException("the key is not that of the certificate");
            }
            manager.updateIdentityCredentials(chain, own);
            readCertificate = certificateNow;
            readKey = keyNow;
        }
    }

    /** Between the writes of the two files they do not belong together. */
    private static boolean belongs(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                });
        byte[] text = "volume4j".getBytes(StandardCharsets.US_ASCII);
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(text);
        return signature.verify(signed);
    }

    /** The same. After a failure the server keeps what it has, and the next call tries again. */
    void readAgain() {
        try {
            read();
            failing = false;
        } catch (IOException | GeneralSecurityException | RuntimeException | Error unusable) {
            if (!failing) {
                LOG.atWarn()
                        .addKeyValue("certificate", certificate)
                        .addKeyValue("key", key)
                        .addKeyValue("reason", unusable.toString())
                        .log("renewed certificate cannot be used; the earlier one stays, and the files are read again");
            }
            failing = true;
        }
    }
}
