package io.volume4j.core.plugins.content;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Parses certificates in PEM. Pure. */
final class Certificates {
    private Certificates() {}

    /**
     * All certificates of the text, at least one.
     *
     * @throws IllegalArgumentException if the text has no certificates, other contents or invalid ones; the message
     *     contains no part of the text
     */
    static List<X509Certificate> read(String pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Pem.Block block : Pem.blocks(pem)) {
            if (!block.label().equals(Pem.CERTIFICATE)) {
                throw new IllegalArgumentException("a block is no certificate");
            }
            certificates.add(read(block.der()));
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("it holds no certificate");
        }
        return certificates;
    }

    private static X509Certificate read(byte[] der) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException mayShowContent) {
            throw new IllegalArgumentException("a block is no certificate of X.509");
        }
    }

    static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateException impossible) {
            throw new IllegalStateException("a certificate that was read has no bytes", impossible);
        }
    }
}
