package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as a person sees it: its words, its exit codes, and the whole of it at work. */
@Timeout(300)
class AgentTest {
    private static final Path EXAMPLE = Path.of(
            Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"),
            "examples/agent/example.yaml");

    @TempDir
    Path directory;

    private final List<StopSignal> running = new ArrayList<>();
    private final List<CompletableFuture<Integer>> codes = new ArrayList<>();

    @AfterEach
    void stopAll() throws Exception {
        running.forEach(StopSignal::ask);
        for (CompletableFuture<Integer> code : codes) {
            assertThat(code.get(1, TimeUnit.MINUTES)).isZero();
        }
    }

    private record Finished(int code, String out, String err) {}

    private static Finished run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Agent.run(words, stream(out), stream(err), new StopSignal());
        return new Finished(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** Runs until the end of the test. */
    private void begin(PrintStream err, String... words) {
        StopSignal stop = new StopSignal();
        running.add(stop);
        codes.add(CompletableFuture.supplyAsync(
                () -> Agent.run(words, stream(new ByteArrayOutputStream()), err, stop),
                task -> new Thread(task).start()));
    }

    @Test
    void helpTellsAllCommands() {
        assertThat(run("--help").out())
                .contains("node ", "controllers ", "top ", "rbac ", "store ", "apply ", "get ", "delete ", "check ");
        assertThat(run("controllers", "--help").out())
                .contains("--only=ROLE=DRIVER", "snapshotter  creates", "--csi=DRIVER=unix:///PATH", "--lease");
        assertThat(run("node", "--help").out())
                .contains(
                        "--csi-registration",
                        "--host-path",
                        "--once",
                        "--metrics",
                        "--ui",
                        "--ca-file",
                        "--cert-file",
                        "--key-file");
        assertThat(run("node", "--help").code()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                                               | Missing required subcommand
            contollers                                         | did you mean controllers?
            node --sever http://127.0.0.1:1                    | did you mean --server?
            dance                                              | there is no command dance
            controllers                                        | needs --server
            controllers --server                               | '--server'
            controllers --server there                         | a server is http://HOST:PORT
            controllers --server http://10.0.0.1 --token-file x | use https
            controllers --server http://127.0.0.1:1 --root x   | there is no option --root
            controllers --server https://h --key-file x        | --key-file needs --cert-file
            controllers --server https://h --ca-file /no/such  | /no/such: there is no such file
            node --server http://127.0.0.1:1 --name n          | needs --root
            node --server http://127.0.0.1:1 --name Node_1     | a node's name of lower-case letters
            controllers --server http://h --only dancer=d      | --only has no part dancer; there are provisioner, attacher
            controllers --server http://h --only attacher      | --only attacher needs a driver: --only attacher=DRIVER
            controllers --server http://h --only registrar     | for the command node
            controllers --server http://h --only resizer=d     | add --csi d=unix:///PATH
            controllers --server http://h --only resizer=d --only resizer=d | is given twice
            controllers --server http://h --lease foo/Ä        | NAMESPACE/NAME of lower-case letters
            controllers --server http://h --lease a.b/c        | NAMESPACE/NAME of lower-case letters
            controllers --server http://h --lease a/b/c        | NAMESPACE/NAME of lower-case letters
            controllers --server http://h --fencing none       | --fencing is for a cluster in etcd
            controllers --server http://h --csi /run/x.sock    | --csi is DRIVER=unix:///PATH
            controllers --server http://h --csi d=run/x.sock   | --csi d=run/x.sock
            controllers --server http://h --server http://i    | should be specified only once
            controllers --server http://h --csi d=unix:///s --only resizer=d --scheduler | leave it or --only out
            controllers --server http://h --csi d=unix:///s --only resizer=d --no-scheduler | leave it or --only out
            node --server http://127.0.0.1:1 --name n --root /never-made --ui-join a=http://h:1 | need --ui
            node --server http://127.0.0.1:1 --name n --root /never-made --ui 127.0.0.1:0 --ui-join a=http://h:1 | needs --ui-token-file
            node --server http://127.0.0.1:1 --name n --root /never-made --ui 127.0.0.1:0 --ui-token-file /no/such | cannot read /no/such
            node --server http://127.0.0.1:1 --name n --only attacher=d | --only registrar, not attacher=d
            node --server http://127.0.0.1:1 --name n --only registrar  | needs --csi-registration
            node --server http://127.0.0.1:1 --name n --only registrar --csi-registration /no/such/registry | not even /no;
            node --server http://127.0.0.1:1 --name n --root /never-made --in-memory --csi-registration /no/such | create /no, or name
            node --server http://127.0.0.1:1 --name n --root /never-made --csi-registration /no/such | create /no, or name
            node --server http://127.0.0.1:1 --name n --root /never-made --in-memory --once --timeout soon | a number of seconds
            node --server http://127.0.0.1:1 --name n --root /never-made --in-memory --ui 0.0.0.0:0 | --ui-remote
            top                                                | '127.0.0.1:PORT'
            store --listen 8001                                | ADDRESS:PORT
            store --listen 127.0.0.1:70000                     | ADDRESS:PORT
            get --server http://127.0.0.1:1                    | 'KIND'
            get trees --server http://127.0.0.1:1              | there is no kind trees; there are pods,
            delete pod / --server http://127.0.0.1:1           | the object is NAME or NAMESPACE/NAME, not "/"
            delete pod  --server http://127.0.0.1:1            | the object is NAME or NAMESPACE/NAME, not ""
            delete pod a/b/c --server http://127.0.0.1:1       | the object is NAME or NAMESPACE/NAME, not "a/b/c"
            node --server http://127.0.0.1:1 --name n --root / --in-memory | --root is a directory for this node alone
            node --root  --server http://127.0.0.1:1 --name n --in-memory  | --root is empty
            get pods --etcd 127.0.0.1:2379                     | a member is http://HOST:PORT or https://HOST:PORT, not 127.0.0.1:2379 (see
            apply -f /no/such/file --server http://127.0.0.1:1 | -f: cannot read /no/such/file: there is no such file
            apply -f /dev/null --server http://127.0.0.1:1     | there is no object in /dev/null
            node --server http://127.0.0.1:1 --name n --root /never-made --ui-actions | need --ui
            get pods --etcd localhost:2379                     | a member is http://HOST:PORT or https://HOST:PORT, not localhost:2379
            get pods --server http://127.0.0.1:1 --kube-api-qps 0   | more than 0 requests a second
            get pods --server http://127.0.0.1:1 --kube-api-burst 0 | a burst of at least 1
            get pods --etcd http://127.0.0.1:1 --kube-api-qps 9     | leave them out with --etcd
            get pods --etcd http://127.0.0.1:1 --context c          | --etcd excludes
            get pods --etcd http://127.0.0.1:1 --key-file x         | --key-file needs --cert-file
            get pods --etcd http://127.0.0.1:1 --etcd-password-file x | --etcd-password-file needs --etcd-user
            get pods --etcd http://10.0.0.1:1 --ca-file x           | certificates are for members at https://
            get pods --server http://127.0.0.1:1 --secrets-key x    | need --etcd
            get pods --server http://127.0.0.1:1 --etcd-prefix /x   | need --etcd
            get pods --kubeconfig /proc                        | /proc: Is a directory
            top 127.0.0.1:1 --once --token-file /proc/self/status | the token must be one word
            top 127.0.0.1:1 --once --token-file /proc          | --token-file: cannot read /proc: Is a directory
            """)
    void whatIsAskedWronglyIsSaid(String line, String complaint) {
        Finished finished = run(line == null ? new String[0] : line.split(" ", -1));

        assertThat(finished.code()).isEqualTo(2);
        assertThat(finished.err()).startsWith("error: ").contains(complaint).hasLineCount(1);
        assertThat(Path.of("/never-made")).as("the root that lines name").doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get pods --server http://127.0.0.1:1      | cannot be connected to
            store --listen 0.0.0.0:0                  | loopback
            """)
    void whatFailsIsSaid(String line, String complaint) {
        Finished finished = run(line.split(" "));

        assertThat(finished.code()).isEqualTo(1);
        assertThat(finished.err()).startsWith("error: ").contains(complaint);
    }

    @Test
    void aClaimIsBoundAndGoesAgain() throws Exception {
        String server = store();
        begin(System.err, "controllers", "--server", server);
        beginNode(server);
        String file = EXAMPLE.toString();

        assertThat(run("apply", "-f", file, "--server", server).out())
                .isEqualTo(
                        "StorageClass//loop created\nPersistentVolumeClaim/default/data created\nPod/default/writer created\n");

        try (HttpCluster cluster = HttpCluster.of(Access.to(URI.create(server)))) {
            awaitBound(cluster);
            assertThat(run("apply", "-f", file, "--server", server).out()).contains("data applied");
            assertThat(run("get", "persistentvolumeclaims", "--server", server).out())
                    .contains("phase: Bound");

            assertThat(run("delete", "pods", "default/writer", "--server", server)
                            .code())
                    .isZero();
            assertThat(run("delete", "persistentvolumeclaim", "data", "--server", server)
                            .code())
                    .isZero();
            await(
                    cluster,
                    Kind.PERSISTENT_VOLUME_CLAIM,
                    objects -> objects.objects().isEmpty());
            await(cluster, Kind.PERSISTENT_VOLUME, objects -> objects.objects().isEmpty());
        }
        assertThat(run("delete", "persistentvolumeclaim", "data", "--server", server)
                        .code())
                .isEqualTo(1);
    }

    @Test
    void theProgramChecksItself() {
        Finished check = run("check");

        assertThat(check.code()).as(check.err()).isZero();
        assertThat(check.out())
                .contains("volume data is mounted at /check/", "it is unmounted", "it is deleted", "etcd that is away")
                .endsWith("this program works here" + System.lineSeparator());
    }

    /** No other program gives pods their nodes, or claims that wait for their first consumer the node of their pod. */
    @Test
    void aPodWithoutANodeGetsOneWithAVolumeThatWaitedForIt() throws Exception {
        String server = store();
        begin(System.err, "controllers", "--server", server, "--scheduler");
        beginNode(server);
        String manifest = Files.readString(EXAMPLE)
                .replace("provisioner: ", "volumeBindingMode: WaitForFirstConsumer\nprovisioner: ")
                .replace("  nodeName: here\n", "");
        Path file = Files.writeString(directory.resolve("waits.yaml"), manifest);

        assertThat(run("apply", "-f", file.toString(), "--server", server).code())
                .isZero();

        try (HttpCluster cluster = HttpCluster.of(Access.to(URI.create(server)))) {
            await(
                    cluster,
                    Kind.POD,
                    objects -> objects.objects().stream()
                            .anyMatch(each -> ((Pod) each).spec().nodeName().equals("here")));
            awaitBound(cluster);
            assertThat(run("get", "persistentvolumeclaims", "--server", server).out())
                    .contains("volume.kubernetes.io/selected-node: here");
        }
    }

    @Test
    void controllersAreShownInATerminalByTheLinkThatTheyPrint() throws Exception {
        CompletableFuture<URI> link = new CompletableFuture<>();
        begin(linkOf(link), "controllers", "--server", store(), "--ui", "127.0.0.1:0");
        URI view = link.get(1, TimeUnit.MINUTES);
        Path token = Files.writeString(directory.resolve("token"), view.getFragment());

        Finished top = run("top", view.getAuthority(), "--once", "--token-file", token.toString());

        assertThat(top.code()).as(top.err()).isZero();
        assertThat(top.out()).contains("NODES AND CONTROLLERS", "claims", "attachments");
        Files.writeString(token, "guess");
        assertThat(run("top", view.getAuthority(), "--once", "--token-file", token.toString())
                        .err())
                .contains("401");
    }

    @Test
    void oneViewShowsTheNodesOfOtherProcessesAsWell() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "0123456789abcdef-of-the-cluster");
        String server = store();
        CompletableFuture<URI> node = new CompletableFuture<>();
        begin(
                linkOf(node),
                "node",
                "--server",
                server,
                "--name",
                "here",
                "--root",
                "/agent",
                "--in-memory",
                "--ui",
                "127.0.0.1:0",
                "--ui-token-file",
                token.toString());
        String there = "http://" + node.get(1, TimeUnit.MINUTES).getAuthority() + "/";
        CompletableFuture<URI> front = new CompletableFuture<>();
        begin(
                linkOf(front),
                "controllers",
                "--server",
                server,
                "--ui",
                "127.0.0.1:0",
                "--ui-token-file",
                token.toString(),
                "--ui-join",
                "here=" + there);
        String view = front.get(1, TimeUnit.MINUTES).getAuthority();

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(run("top", view, "--once", "--token-file", token.toString())
                                .out())
                        .containsPattern("(?m)^ *here +.*works")
                        .contains("claims", "attachments"));
    }

    @Test
    void aNodePermitsTheHostPathsThatItIsTold() throws Exception {
        String server = store();
        Path file = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: reader}
                spec:
                  nodeName: here
                  containers: [{name: app, image: busybox, volumeMounts: [{name: machine, mountPath: /m}]}]
                  volumes: [{name: machine, hostPath: {path: /, type: Directory}}]
                """);
        assertThat(run("apply", "-f", file.toString(), "--server", server).code())
                .isZero();
        List<String> node = List.of(
                "node", "--server", server, "--name", "here", "--root", "/agent", "--in-memory", "--once", "--timeout");

        Finished any = run(words(node, "60"));
        Finished some = run(words(node, "20", "--host-path", "/agent"));

        assertThat(any.code()).as(any.err()).isZero();
        assertThat(any.out()).contains("machine /agent/");
        assertThat(some.code()).isEqualTo(1);
        assertThat(some.err()).contains("is not allowed on this machine; allowed is what lies below [/agent]");
    }

    private static String[] words(List<String> first, String... more) {
        List<String> all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** {@code get} may be a backup. */
    @Test
    void anOutputOnAFullDiskIsNoSuccess() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int ignored) throws IOException {
                throw new IOException("No space left on device");
            }
        });

        assertThat(Agent.run(new String[] {"rbac", "node"}, full, stream(err), new StopSignal()))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("could not be written whole");
    }

    /** Whatever the locale is: {@code get} writes manifests, which other programs read. */
    @Test
    void printsManifestsInUtf8() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream ofNoLocale = new PrintStream(out, true, StandardCharsets.US_ASCII);

        PrintStream stream = Agent.inUtf8(ofNoLocale);
        stream.print("owner: Jürgen");
        stream.flush();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("owner: Jürgen");
    }

    private static PrintStream linkOf(CompletableFuture<URI> link) {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                if (line.startsWith("live view: ")) {
                    link.complete(URI.create(line.replace("live view: ", "")));
                }
            }
        };
    }

    @Test
    void aNodeWhoseServerComesLaterStartsAndRegisters() throws Exception {
        // outgoing connections of the tests have the address 127.0.0.1, so that none of them takes this port before the
        // server
        String loopback = "127.0.0.9";
        String address;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(loopback))) {
            address = loopback + ":" + free.getLocalPort();
        }
        begin(System.err, "node", "--server", "http://" + address, "--name", "here", "--root", "/agent", "--in-memory");

        String server = store(address);

        try (HttpCluster cluster = HttpCluster.of(Access.to(URI.create(server)))) {
            await(cluster, Kind.NODE, objects -> !objects.objects().isEmpty());
        }
    }

    private void beginNode(String server) {
        begin(
                System.err,
                "node",
                "--server",
                server,
                "--name",
                "here",
                "--root",
                "/agent",
                "--in-memory",
                "--provision");
    }

    private String store() throws Exception {
        return store("127.0.0.1:0");
    }

    private String store(String address) throws Exception {
        CompletableFuture<String> at = new CompletableFuture<>();
        PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                at.complete(line.replace("store at ", ""));
            }
        };
        begin(
                err,
                "store",
                "--listen",
                address,
                "--dir",
                directory.resolve("store").toString());
        return at.get(1, TimeUnit.MINUTES);
    }

    private static void awaitBound(HttpCluster cluster) throws InterruptedException {
        await(
                cluster,
                Kind.PERSISTENT_VOLUME_CLAIM,
                objects -> objects.objects().stream()
                        .anyMatch(
                                each -> ((PersistentVolumeClaim) each).status().phase() == ClaimPhase.BOUND));
    }

    private static void await(HttpCluster cluster, Kind kind, Predicate<ClusterSource.Listing> wanted)
            throws InterruptedException {
        Semaphore news = new Semaphore(0);
        ClusterSource.Listing listing = cluster.list(kind, Selection.all());
        try (ClusterSource.Watch watch = cluster.watch(kind, Selection.all(), listing.revision(), event -> {
            if (event.object() != null) {
                news.release();
            }
        })) {
            assertThat(watch).isNotNull();
            while (!wanted.test(listing)) {
                assertThat(news.tryAcquire(1, TimeUnit.MINUTES))
                        .as("stays %s", listing)
                        .isTrue();
                listing = cluster.list(kind, Selection.all());
            }
        }
    }

    @Test
    void aTerminatedProcessEndsInOrder() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Agent.class.getName(),
                        "store",
                        "--listen",
                        "127.0.0.1:0")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = said.readLine();
            while (line != null && !line.startsWith("store at http://127.0.0.1:")) {
                line = said.readLine();
            }
            assertThat(line).isNotNull();
            process.destroy();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
