package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.BreakingProxy;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.http.TestAuthority;
import io.volume4j.examples.agent.store.Gate;
import io.volume4j.examples.agent.store.Gate.Verdict;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Lease;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Controllers whose server, over TLS, throttles, freezes, denies, or loses its connections while claims are under way. */
@Timeout(300)
class TroubledServerTest {
    private static final int CLAIMS = 10;
    private static final String USER = "user.8f3a5c";

    @TempDir
    Path directory;

    private final Programs programs = new Programs();
    private volatile Gate trouble = Gate.open();
    private Store store;
    private BreakingProxy way;
    private HttpCluster user;
    private CsiTestDriver driver;

    @BeforeEach
    void start() throws Exception {
        TestAuthority authority = new TestAuthority("authority");
        Files.writeString(directory.resolve("ca.crt"), authority.pem());
        store = Store.behind(
                authority.serve(authority.server(127, 0, 0, 1), false),
                call -> call.token().equals(USER) ? Verdict.PASS : trouble.judge(call));
        way = new BreakingProxy(store.uri());
        user = HttpCluster.of(Access.to(store.uri())
                .authorities(directory.resolve("ca.crt"))
                .token(Files.writeString(directory.resolve("user"), USER)));
        driver = CsiTestDriver.start(DriverOptions.at(directory.resolve("csi.sock"))
                .name("troubled.csi.test")
                .mounts(MountStyle.LINKS)
                .build());
        programs.begin(
                "controllers",
                "--server",
                "https://127.0.0.1:" + way.uri().getPort(),
                "--ca-file",
                directory.resolve("ca.crt").toString(),
                "--token-file",
                Files.writeString(directory.resolve("agent"), "agent.8f3a5c").toString(),
                "--csi",
                "troubled.csi.test=unix://" + directory.resolve("csi.sock"));
        Programs.await(
                user,
                ObjectKey.lease("kube-system", "volume4j-controllers"),
                each -> ((Lease) each).spec().leaseTransitions() >= 0);
    }

    @AfterEach
    void stop() throws Exception {
        trouble = Gate.open();
        programs.close();
        driver.close();
        user.close();
        way.close();
        store.close();
    }

    private void claims() {
        String text = """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: csi}
                provisioner: troubled.csi.test
                """;
        for (int i = 0; i < CLAIMS; i++) {
            text += """
                    ---
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: c%d, namespace: default}
                    spec:
                      storageClassName: csi
                      accessModes: [ReadWriteOnce]
                      resources: {requests: {storage: 1Mi}}
                    """.formatted(i);
        }
        Manifests.read("test", text).forEach(user::create);
    }

    private void awaitAllBoundOnce() throws Exception {
        Programs.awaitList(
                user,
                Kind.PERSISTENT_VOLUME_CLAIM,
                listing -> listing.objects().stream()
                        .allMatch(
                                each -> ((PersistentVolumeClaim) each).status().phase() == ClaimPhase.BOUND));
        assertThat(user.list(Kind.PERSISTENT_VOLUME, Selection.all()).objects()).hasSize(CLAIMS);
        assertThat(driver.inventory().volumes()).hasSize(CLAIMS);
    }

    /** The client waits as long as the server asks for, and renewals of the lease do not wait with it. */
    @Test
    void throttling() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        trouble = call -> {
            boolean write = !call.verb().equals("watch") && !call.resource().equals("leases");
            if (write && asked.incrementAndGet() % 10 == 0) {
                refused.incrementAndGet();
                return Verdict.TOO_MANY;
            }
            return Verdict.PASS;
        };
        claims();

        awaitAllBoundOnce();

        assertThat(refused.get()).isBetween(1, 60);
        assertThat(((Lease) user.readLive(ObjectKey.lease("kube-system", "volume4j-controllers"))
                                .orElseThrow())
                        .spec()
                        .leaseTransitions())
                .as("the lease was never lost")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void connectionsThatAreCut() throws Exception {
        claims();
        for (int i = 0; i < 5; i++) {
            way.breakAll();
            user.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        }
        awaitAllBoundOnce();
    }

    @Test
    void aServerThatFreezesInTheMiddle() throws Exception {
        CountDownLatch frozen = new CountDownLatch(3);
        CountDownLatch thawed = new CountDownLatch(1);
        trouble = call -> {
            if (call.verb().equals("create") || call.verb().equals("patch")) {
                frozen.countDown();
                thawed.await();
            }
            return Verdict.PASS;
        };
        claims();
        assertThat(frozen.await(1, TimeUnit.MINUTES)).isTrue();
        trouble = Gate.open();
        thawed.countDown();

        awaitAllBoundOnce();
    }

    @Test
    void aPermissionThatComesLater() throws Exception {
        CountDownLatch denied = new CountDownLatch(3);
        trouble = call -> {
            if (call.resource().equals("persistentvolumes") && call.verb().equals("create")) {
                denied.countDown();
                return Verdict.FORBIDDEN;
            }
            return Verdict.PASS;
        };
        claims();
        assertThat(denied.await(1, TimeUnit.MINUTES)).isTrue();
        trouble = Gate.open();

        awaitAllBoundOnce();
    }
}
