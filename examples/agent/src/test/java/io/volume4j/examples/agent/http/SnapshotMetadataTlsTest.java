package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.volume4j.core.control.SnapshotBlocks;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.SnapshotAccess.Answer;
import io.volume4j.csi.SnapshotMetadataServer;
import io.volume4j.csi.internal.proto.metadata.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.metadata.SnapshotMetadataGrpc;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of backup programs travel over TLS. */
@Timeout(120)
class SnapshotMetadataTlsTest {
    @TempDir
    Path directory;

    private TestAuthority authority;
    private Path certificate;
    private Path key;

    @BeforeEach
    void certify() throws Exception {
        authority = new TestAuthority("authority");
        TestAuthority.Issued issued = authority.server(127, 0, 0, 1);
        certificate = Files.writeString(directory.resolve("tls.crt"), issued.certificatePem());
        key = Files.writeString(directory.resolve("tls.key"), issued.keyPem());
        Files.writeString(directory.resolve("ca.crt"), authority.pem());
    }

    private SnapshotMetadataServer.Builder builder() {
        PluginRegistry plugins =
                PluginRegistry.builder(InMemoryPluginHost.named("n1").build()).build();
        return SnapshotMetadataServer.builder(
                        new SnapshotBlocks(InMemoryCluster.create(), plugins),
                        (token, namespace) -> token.equals("t0ken") ? Answer.allowed() : Answer.unknownToken())
                .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static Status.Code ask(ManagedChannel channel) {
        try {
            SnapshotMetadataGrpc.newBlockingStub(channel)
                    .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                            .setSecurityToken("t0ken")
                            .setNamespace("shop")
                            .setSnapshotName("monday")
                            .build())
                    .forEachRemaining(part -> {});
            return Status.Code.OK;
        } catch (StatusRuntimeException failed) {
            return failed.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aClientThatTrustsTheAuthorityIsAnswered() throws Exception {
        try (SnapshotMetadataServer server = builder().tls(certificate, key).start()) {
            int port = server.address().getPort();
            ManagedChannel trusting = Grpc.newChannelBuilderForAddress(
                            "127.0.0.1",
                            port,
                            TlsChannelCredentials.newBuilder()
                                    .trustManager(directory.resolve("ca.crt").toFile())
                                    .build())
                    .build();
            assertThat(ask(trusting)).as("the token passed").isEqualTo(Status.Code.NOT_FOUND);
            assertThat(ask(Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
                            .build()))
                    .as("not without TLS")
                    .isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    @Test
    void aKeyThatDoesNotFitOrIsNoneIsToldAtOnceAndLeavesNoThread() throws Exception {
        Path none = Files.writeString(directory.resolve("none.key"), "no key");

        assertThatThrownBy(() -> builder().tls(certificate, none).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.crt and key")
                .hasMessageContaining("cannot be used");
        assertThatThrownBy(
                        () -> builder().tls(directory.resolve("gone.crt"), key).start())
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("gone.crt is not there or may not be read by this process");
        assertThat(threads()).isEmpty();
    }

    @Test
    void anAddressThatIsTakenIsToldAndNothingIsLeftAfterTheEnd() throws Exception {
        try (SnapshotMetadataServer server = builder().tls(certificate, key).start()) {
            assertThatThrownBy(() -> builder()
                            .address(server.address())
                            .tls(certificate, key)
                            .start())
                    .isInstanceOf(IOException.class);
        }
        assertThat(threads()).isEmpty();
    }

    private static List<String> threads() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("volume4j-snapshot-blocks")) {
                thread.join(10_000);
            }
        }
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("volume4j-snapshot-blocks"))
                .toList();
    }
}
