package io.volume4j.csi.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server goes on with a renewed certificate, whatever the program does that renews it. */
class ServerIdentityTest {
    @TempDir
    Path directory;

    private ServerIdentity identity;

    @BeforeEach
    void begin() throws Exception {
        write("certificate", text("first.pem"));
        write("key", text("of-first-and-second.key"));
        identity = new ServerIdentity(directory.resolve("certificate"), directory.resolve("key"));
        identity.read();
        assertThat(subject()).isEqualTo("CN=first");
    }

    @Test
    void aCertificateThatIsRenewedWithTheSameKeyIsUsed() throws Exception {
        write("certificate", text("second.pem"));

        identity.readAgain();

        assertThat(subject()).isEqualTo("CN=second");
    }

    /** A client that connects between the two writes must be served, too. */
    @Test
    void aCertificateWhoseKeyHasNotComeYetIsNotUsed() throws Exception {
        write("certificate", text("third.pem"));
        identity.readAgain();
        assertThat(subject()).as("what it had").isEqualTo("CN=first");

        write("key", text("of-third.key"));
        identity.readAgain();

        assertThat(subject()).isEqualTo("CN=third");
    }

    @Test
    void aHalfWrittenKeyEndsNoLaterReading() throws Exception {
        String key = text("of-third.key");
        write("certificate", text("third.pem"));
        write("key", key.substring(0, key.length() / 2));
        identity.readAgain();
        assertThat(subject()).as("what it had").isEqualTo("CN=first");

        write("key", key);
        identity.readAgain();

        assertThat(subject()).isEqualTo("CN=third");
    }

    private String subject() {
        String alias = identity.manager().chooseEngineServerAlias("EC", null, null);
        return identity.manager()
                .getCertificateChain(alias)[0]
                .getSubjectX500Principal()
                .getName();
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text);
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = ServerIdentityTest.class.getResourceAsStream("/identity/" + resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
