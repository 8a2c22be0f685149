package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose machine lost its power closes nothing. HTTP/2's pings notice that, whatever the requests wait for. */
@Timeout(120)
class VanishedServerTest {
    private static final String BOOKMARK =
            "{\"type\": \"BOOKMARK\", \"object\": {\"kind\": \"Pod\", \"metadata\": {\"resourceVersion\": \"12\"}}}\n";

    @TempDir
    Path directory;

    @Test
    void aWatchOfAServerThatVanishedIsExpiredWithinSeconds() throws Exception {
        HeldCertificate certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .build();
        Path authorities = Files.writeString(directory.resolve("ca.crt"), certificate.certificatePem());
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(new HandshakeCertificates.Builder()
                    .heldCertificate(certificate)
                    .build()
                    .sslSocketFactory());
            // A bookmark at once, and the next in minutes.
            server.enqueue(new MockResponse.Builder()
                    .code(200)
                    .body(BOOKMARK + BOOKMARK)
                    .throttleBody(BOOKMARK.length(), 5, TimeUnit.MINUTES)
                    .build());
            server.start(InetAddress.getLoopbackAddress(), 0);
            try (BreakingProxy proxy = new BreakingProxy(URI.create("http://127.0.0.1:" + server.getPort()));
                    HttpCluster cluster = HttpCluster.of(Access.to(URI.create(
                                    "https://127.0.0.1:" + proxy.uri().getPort()))
                            .authorities(authorities));
                    Watch watch = cluster.watch(Kind.POD, Selection.all(), "9", events::add)) {
                assertThat(watch).isNotNull();
                assertThat(events.poll(1, TimeUnit.MINUTES)).isEqualTo(WatchEvent.bookmark("12"));
                assertThat(server.takeRequest().getConnectionIndex()).isZero();

                proxy.freeze();
                assertThat(events.poll(30, TimeUnit.SECONDS)).isEqualTo(WatchEvent.expired());
            }
        }
    }
}
