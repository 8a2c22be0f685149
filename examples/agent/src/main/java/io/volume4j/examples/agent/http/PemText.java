package io.volume4j.examples.agent.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and keys as text (RFC 7468). What is wrong is told with the file's name and without anything of what is in it.
 *
 * @param blocks in their order
 */
record PemText(Path file, List<Block> blocks) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);

    /** @param label what it says that it is, such as {@code CERTIFICATE} */
    record Block(String label, ByteBuffer der) {}

    /** @throws IOException if that is no such text */
    static PemText of(Path file, String content) throws IOException {
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(content);
        while (block.find()) {
            try {
                blocks.add(new Block(
                        block.group(1), ByteBuffer.wrap(Base64.getMimeDecoder().decode(block.group(2)))));
            } catch (IllegalArgumentException noBase64) {
                // Without the cause, which repeats what it does not like.
                throw new IOException(file + ": what stands in it is no base64");
            }
        }
        return new PemText(file, blocks);
    }

    /**
     * All of them; at least one.
     *
     * @throws IOException with the file and what is wrong with it
     */
    List<X509Certificate> certificates() throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks) {
                if (block.label().equals("CERTIFICATE")) {
                    InputStream der = new ByteArrayInputStream(block.der().array());
                    found.add((X509Certificate) factory.generateCertificate(der));
                }
            }
        } catch (GeneralSecurityException broken) {
            throw new IOException(file + ": a certificate in it cannot be read", broken);
        }
        if (found.isEmpty()) {
            throw new IOException(file + ": no certificates (PEM) in it");
        }
        return found;
    }

    /**
     * The first of them.
     *
     * @throws IOException with the file and what is wrong with it
     */
    PrivateKey privateKey() throws IOException {
        try {
            for (Block block : blocks) {
                switch (block.label()) {
                    case "PRIVATE KEY" -> {
                        return PrivateKeys.ofPkcs8(block.der().array());
                    }
                    case "RSA PRIVATE KEY" -> {
                        return PrivateKeys.ofPkcs1(block.der().array());
                    }
                    case "EC PRIVATE KEY" -> {
                        return PrivateKeys.ofSec1(block.der().array());
                    }
                    case "ENCRYPTED PRIVATE KEY" ->
                        throw new IOException(file + ": its private key has a password, which nobody could type here");
                    default -> {
                        // A certificate beside the key.
                    }
                }
            }
        } catch (GeneralSecurityException broken) {
            // Without the cause, which might say what is in the key.
            throw new IOException(file + ": its private key cannot be read");
        }
        throw new IOException(file + ": no private key (PEM) in it");
    }
}
