package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the files of a client are taken, and when their earlier content stays. */
class RenewedTlsTest {
    @TempDir
    Path folder;

    private Path authorities;
    private TestCertificate client;
    private TestCertificate next;
    private RenewedTls tls;
    private SslContext first;

    @BeforeEach
    void open() throws IOException, GeneralSecurityException {
        authorities = Files.copy(TestCertificate.make(folder, "member").chain(), folder.resolve("ca.crt"));
        client = TestCertificate.make(folder, "client");
        next = TestCertificate.make(folder.resolve("next"), "client");
        tls = new RenewedTls(authorities, client.chain(), client.key());
        first = tls.current();
    }

    @Test
    void aConnectionWithoutAChangeUsesTheSameSessions() {
        assertThat(tls.current()).isSameAs(first);
    }

    @Test
    void aCertificateIsTakenWhenItsKeyIsThereToo() throws IOException {
        Files.writeString(client.chain(), Files.readString(next.chain()));
        assertThat(tls.current()).as("before its key").isSameAs(first);

        Files.writeString(client.key(), Files.readString(next.key()));
        assertThat(tls.current()).isNotSameAs(first);
    }

    @Test
    void aFileIsTakenWhenItIsWhole() throws IOException {
        String both = Files.readString(authorities) + Files.readString(next.chain());
        for (int written : new int[] {0, 40, both.length() / 2 + 100, both.length() - 10}) {
            Files.writeString(authorities, both.substring(0, written));
            assertThat(tls.current())
                    .as("%s of %s characters", written, both.length())
                    .isSameAs(first);
        }
        Files.delete(authorities);
        assertThat(tls.current()).as("no file").isSameAs(first);

        Files.writeString(authorities, both);
        assertThat(tls.current()).isNotSameAs(first);
    }

    @Test
    void aClientWithFilesThatCannotBeUsedIsRefusedWithTheFile() throws IOException {
        Files.writeString(client.key(), Files.readString(next.key()));
        assertThatIllegalArgumentException()
                .isThrownBy(this::build)
                .withMessageContaining("the key in " + client.key() + " is not that of " + client.chain());
        Files.delete(client.key());
        assertThatIllegalArgumentException().isThrownBy(this::build).withMessageContaining(client.key() + " cannot");
        Files.writeString(client.key(), "");
        assertThatIllegalArgumentException()
                .isThrownBy(this::build)
                .withMessageContaining(client.key() + " holds no private key");
    }

    private void build() {
        EtcdClient.builder()
                .endpoints(List.of(URI.create("https://127.0.0.1:1")))
                .authorities(authorities)
                .certificate(client.chain(), client.key())
                .build()
                .close();
    }
}
