package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.examples.agent.LaterServer.AtFirst;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.EtcdCluster;
import io.volume4j.examples.etcd.EtcdNodeLease;
import io.volume4j.spi.model.ObjectKey;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two node agents with one root, as after a mistake in a unit file. Etcd is real, and so is the machine, where nothing is mounted. */
@Timeout(300)
@ExtendWith(AsRoot.class)
class TwoAgentsTest {
    @TempDir
    Path directory;

    private final Programs programs = new Programs();
    private LaterServer address;
    private Process etcd;
    private EtcdClient client;

    @BeforeAll
    static void etcdIsInstalled() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/etcd")), "etcd is not installed; Debian's package is etcd-server");
    }

    @BeforeEach
    void start() throws Exception {
        address = new LaterServer(AtFirst.NOTHING);
        etcd = Programs.etcd(address.url(), directory);
        client = EtcdClient.builder()
                .endpoints(List.of(URI.create(address.url())))
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        programs.close();
        client.close();
        etcd.destroyForcibly().waitFor();
        address.close();
    }

    /** It would kill the processes that use its volumes. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--node-lease=60"})
    void theSecondIsRefusedAndTheFirstKeepsItsLease(String leased) {
        programs.begin(words("--node-lease=60"));
        EtcdCluster user = EtcdCluster.builder(client).build();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> user.readLive(ObjectKey.node("here")).isPresent());

        Programs.Finished second = Programs.run(words(leased));

        assertThatThrownBy(() -> new EtcdNodeLease(client, "here", "elsewhere", Duration.ofMinutes(1)).forget())
                .as("whose lease it is")
                .hasMessageContaining("has it; stop the agent there");
        assertThat(second.code()).isEqualTo(1);
        assertThat(second.err()).contains("another agent runs on root " + directory.resolve("root"), "--root");
    }

    private String[] words(String option) {
        List<String> words = new ArrayList<>(List.of(
                "node",
                "--etcd",
                address.url(),
                "--attach",
                "controller",
                "--name",
                "here",
                "--root",
                directory.resolve("root").toString()));
        if (!option.isEmpty()) {
            words.add(option);
        }
        return words.toArray(String[]::new);
    }
}
