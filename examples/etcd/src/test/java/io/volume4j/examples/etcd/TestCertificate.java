package io.volume4j.examples.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate that signs itself, for the loopback addresses, with its key, made by the JDK's keytool.
 *
 * @param chain the certificate as PEM, which is also the authority to trust
 * @param key the private key as PEM (PKCS #8)
 */
record TestCertificate(Path chain, Path key) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    static TestCertificate make(Path folder, String name) throws IOException, GeneralSecurityException {
        Path store = Files.createDirectories(folder).resolve(name + ".p12");
        run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2"));
        KeyStore read = KeyStore.getInstance("PKCS12");
        try (InputStream from = Files.newInputStream(store)) {
            read.load(from, PASSWORD);
        }
        Key key = read.getKey(name, PASSWORD);
        return new TestCertificate(
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        read.getCertificate(name).getEncoded()),
                pem(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded()));
    }

    /** Writes this certificate and its key into the files of an earlier one. */
    void replace(TestCertificate earlier) throws IOException {
        Files.copy(chain, earlier.chain, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(key, earlier.key, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path pem(Path file, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("keytool failed: " + command);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        } finally {
            process.destroyForcibly();
        }
    }
}
