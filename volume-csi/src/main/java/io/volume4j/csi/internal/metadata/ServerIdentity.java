package io.volume4j.csi.internal.metadata;

import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
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
            manager.updateIdentityCredentials(certificate.toFile(), key.toFile());
            readCertificate = certificateNow;
            readKey = keyNow;
        }
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
