package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.auth.Permission;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may talk to etcd, and what a process is told that may not. */
class EtcdAccessTest {
    @TempDir
    Path folder;

    @Test
    void byTlsOnlyAMemberThatIsTrustedIsAskedAndOnlyAClientWithACertificateIsServed()
            throws IOException, GeneralSecurityException {
        TestCertificate member = TestCertificate.make(folder, "member");
        TestCertificate client = TestCertificate.make(folder, "client");
        TestCertificate stranger = TestCertificate.make(folder, "stranger");
        try (EtcdServer server = EtcdServer.startSecure(
                "--cert-file=" + member.chain(),
                "--key-file=" + member.key(),
                "--client-cert-auth=true",
                "--trusted-ca-file=" + client.chain())) {
            try (EtcdClient trusted = secure(server, member)
                    .certificate(client.chain(), client.key())
                    .build()) {
                EtcdCluster cluster = EtcdCluster.builder(trusted).build();
                ApiObject made = cluster.create(TestObjects.claim("c"));
                assertThat(cluster.readLive(made.key())).contains(made);
            }
            for (EtcdClient.Builder refused : List.of(
                    secure(server, stranger).certificate(client.chain(), client.key()),
                    secure(server, member).certificate(stranger.chain(), stranger.key()),
                    secure(server, member))) {
                try (EtcdClient untrusted =
                        refused.callTimeout(Duration.ofSeconds(1)).build()) {
                    EtcdCluster cluster = EtcdCluster.builder(untrusted).build();
                    assertThatThrownBy(() -> cluster.list(Kind.POD, Selection.all()))
                            .isInstanceOfSatisfying(
                                    ClusterException.class,
                                    refusal -> assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE));
                }
            }
        }
    }

    @Test
    void aCallThatWaitsBecauseNoMemberIsTrustedSaysThatTlsFails() throws IOException, GeneralSecurityException {
        TestCertificate member = TestCertificate.make(folder, "member");
        try (EtcdServer server = EtcdServer.startSecure("--cert-file=" + member.chain(), "--key-file=" + member.key());
                EtcdClient etcd = secure(server, TestCertificate.make(folder, "stranger"))
                        .callTimeout(Duration.ofSeconds(10))
                        .build()) {
            EtcdCluster cluster = EtcdCluster.builder(etcd).build();
            assertThatThrownBy(() -> cluster.list(Kind.POD, Selection.all()))
                    .hasMessageStartingWith("list Pod: no member of etcd could be reached with TLS: ")
                    .hasMessageContaining("check the certificate files");
        }
    }

    /** As another program renews them: other content in the same files. */
    @Test
    void renewedFilesAreUsedAtTheNextConnectionByTheSameClient() throws IOException, GeneralSecurityException {
        TestCertificate member = TestCertificate.make(folder, "member");
        TestCertificate client = TestCertificate.make(folder, "client");
        try (EtcdServer server = EtcdServer.startSecure(
                        "--cert-file=" + member.chain(),
                        "--key-file=" + member.key(),
                        "--client-cert-auth=true",
                        "--trusted-ca-file=" + client.chain());
                EtcdClient etcd = secure(server, member)
                        .certificate(client.chain(), client.key())
                        .callTimeout(Duration.ofMinutes(1))
                        .build()) {
            EtcdCluster cluster = EtcdCluster.builder(etcd).build();
            ApiObject made = cluster.create(TestObjects.claim("c"));

            TestCertificate.make(folder.resolve("next"), "member").replace(member);
            TestCertificate.make(folder.resolve("next"), "client").replace(client);
            server.crashAndRestart();

            assertThat(cluster.readLive(made.key())).contains(made);
        }
    }

    private static EtcdClient.Builder secure(EtcdServer server, TestCertificate trusted) {
        return EtcdClient.builder().endpoints(List.of(server.uri())).authorities(trusted.chain());
    }

    /** The tokens that etcd gives out are forgotten when it starts anew. */
    @Test
    void aUserDoesWhatItsRoleAllowsAlsoAfterEtcdForgotItsToken() throws InterruptedException {
        try (EtcdServer server = EtcdServer.start()) {
            try (EtcdClient root = server.client()) {
                allow(root, "node", "/volume4j/objects/", Permission.Type.READWRITE);
            }
            try (EtcdClient node = as(server, "node", "right")) {
                EtcdCluster cluster = EtcdCluster.builder(node).build();
                ApiObject before = cluster.create(TestObjects.claim("before"));
                Heard heard = new Heard();
                var watch = cluster.watch(
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        Selection.all(),
                        before.metadata().resourceVersion(),
                        heard);
                server.crashAndRestart();
                ApiObject after = cluster.create(TestObjects.claim("after"));
                assertThat(heard.next())
                        .satisfiesAnyOf(
                                event -> assertThat(event).isEqualTo(WatchEvent.changed(after)),
                                event -> assertThat(event).isEqualTo(WatchEvent.expired()));
                watch.close();
                assertThatThrownBy(() -> new EtcdConfigs(node).put("default", "c", java.util.Map.of()))
                        .as("what stands apart is not allowed to it")
                        .isInstanceOfSatisfying(
                                ClusterException.class,
                                refused -> assertThat(refused.reason()).isEqualTo(Reason.FORBIDDEN));
            }
            try (EtcdClient wrong = as(server, "node", "wrong")) {
                EtcdCluster cluster = EtcdCluster.builder(wrong).build();
                assertThatThrownBy(
                                () -> cluster.delete(TestObjects.claim("before").key(), Preconditions.none()))
                        .isInstanceOfSatisfying(ClusterException.class, refused -> {
                            assertThat(refused.reason()).isEqualTo(Reason.FORBIDDEN);
                            assertThat(refused.getMessage()).doesNotContain("wrong");
                        });
            }
        }
    }

    @Test
    void aPasswordThatAnAdministratorChangesIsReadFromItsFileAgain() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "right\n");
        ApiObject claim = TestObjects.claim("c");
        try (EtcdServer server = EtcdServer.start()) {
            try (EtcdClient root = server.client()) {
                allow(root, "node", "/volume4j/objects/", Permission.Type.READWRITE);
            }
            try (EtcdClient node = EtcdClient.builder()
                            .endpoints(List.of(server.uri()))
                            .user("node", file)
                            .build();
                    EtcdClient root = as(server, "root", "r")) {
                EtcdCluster cluster = EtcdCluster.builder(node).build();
                ApiObject made = cluster.create(claim);

                root.await(
                        "change the password",
                        root.client()
                                .getAuthClient()
                                .userChangePassword(EtcdKeys.bytes("node"), EtcdKeys.bytes("next")));
                refused(Reason.FORBIDDEN, "check user, password", () -> cluster.readLive(claim.key()));
                Files.writeString(file, "");
                refused(Reason.FORBIDDEN, "check user, password", () -> cluster.readLive(claim.key()));
                Files.writeString(file, "next\n");
                refused(Reason.UNAVAILABLE, "earlier password", () -> cluster.readLive(claim.key()));

                assertThat(cluster.readLive(claim.key())).contains(made);
            }
        }
    }

    @Test
    void aPasswordFileThatIsMissingOrEmptyIsRefusedAtTheStart() throws IOException {
        Path file = folder.resolve("password");
        EtcdClient.Builder builder = EtcdClient.builder()
                .endpoints(List.of(URI.create("http://127.0.0.1:1")))
                .user("node", file);
        assertThatThrownBy(builder::build).hasMessageContaining(file.toString()).hasMessageContaining("cannot be read");
        Files.writeString(file, "\n");
        assertThatThrownBy(builder::build).hasMessageEndingWith("is empty");
    }

    private static void refused(Reason reason, String said, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ClusterException.class, refusal -> {
            assertThat(refusal.reason()).isEqualTo(reason);
            assertThat(refusal.getMessage()).contains(said);
        });
    }

    /** The lease needs no right, so a process can have one long before it may write its key. */
    @Test
    void aProcessWhoseUserMayWriteOnlyLaterTakesPartInItsElectionThen() throws InterruptedException {
        try (EtcdServer server = EtcdServer.start()) {
            try (EtcdClient root = server.client()) {
                allow(root, "controllers", "/volume4j/objects/", Permission.Type.READWRITE);
            }
            CountDownLatch turns = new CountDownLatch(2);
            CountDownLatch leads = new CountDownLatch(1);
            try (EtcdClient controllers = as(server, "controllers", "right");
                    EtcdElection election = EtcdElection.start(controllers, "e", Duration.ofSeconds(12), () -> {
                        turns.countDown();
                        return System.nanoTime();
                    })) {
                election.addListener(() -> {
                    if (election.leading().isPresent()) {
                        leads.countDown();
                    }
                });
                assertThat(turns.await(1, TimeUnit.MINUTES))
                        .as("the first turn has failed")
                        .isTrue();
                try (EtcdClient root = as(server, "root", "r")) {
                    allowMore(root, "controllers", "/volume4j/", Permission.Type.READWRITE);
                }

                assertThat(leads.await(1, TimeUnit.MINUTES)).isTrue();
            }
        }
    }

    private static EtcdClient as(EtcdServer server, String user, String password) {
        return EtcdClient.builder()
                .endpoints(List.of(server.uri()))
                .user(user, password)
                // etcd may be away for long when it starts again
                .callTimeout(Duration.ofMinutes(1))
                .build();
    }

    /** As an operator does it by etcdctl: a root, a role for a prefix, a user with it, authentication on. */
    private static void allow(EtcdClient etcd, String user, String prefix, Permission.Type what) {
        Auth auth = etcd.client().getAuthClient();
        ByteSequence name = EtcdKeys.bytes(user);
        etcd.await("root", auth.userAdd(EtcdKeys.bytes("root"), EtcdKeys.bytes("r")));
        etcd.await("root", auth.roleAdd(EtcdKeys.bytes("root")));
        etcd.await("root", auth.userGrantRole(EtcdKeys.bytes("root"), EtcdKeys.bytes("root")));
        etcd.await("user", auth.userAdd(name, EtcdKeys.bytes("right")));
        etcd.await("role", auth.roleAdd(name));
        allowMore(etcd, user, prefix, what);
        etcd.await("role", auth.userGrantRole(name, name));
        etcd.await("enable", auth.authEnable());
    }

    private static void allowMore(EtcdClient etcd, String role, String prefix, Permission.Type what) {
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        etcd.await(
                "role",
                etcd.client()
                        .getAuthClient()
                        .roleGrantPermission(EtcdKeys.bytes(role), EtcdKeys.bytes(prefix), EtcdKeys.bytes(end), what));
    }
}
