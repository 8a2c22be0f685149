package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole program on the backend in memory: what it shows, and what it says when it is asked for something wrong. */
@Timeout(180)
class QuickstartTest {
    @TempDir
    Path directory;

    /** What came of one run. */
    private record Run(int code, String out, String err) {}

    @Test
    void takesAClaimToSharedFilesAndBackWithoutATrace() {
        Run run = run("--in-memory");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("volume4j quickstart on the in-memory backend");
        // Node and controller tell each in its own order: the node may attach before the controller has told of its
        // binding.
        assertThat(steps(run.out())).containsSubsequence("provision", "bind", "delete");
        assertThat(steps(run.out()))
                .containsSubsequence(
                        "attach",
                        "format",
                        "mount device",
                        "mount",
                        "mount",
                        "unmount",
                        "unmount",
                        "unmount device",
                        "detach");
        assertThat(run.out())
                .containsPattern("NAME +CAPACITY +ACCESS MODES +RECLAIM POLICY +STATUS +CLAIM +STORAGECLASS")
                .containsPattern("pvc-[0-9a-f-]+ +64Mi +RWO +Delete +Bound +default/data +loop")
                .containsPattern("NAME +STATUS +VOLUME +CAPACITY +ACCESS MODES +STORAGECLASS")
                .containsPattern("data +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +loop")
                .contains(": written by pod ")
                .endsWith("nothing is left: no mount, no loop device, no file\n");
    }

    @Test
    void aClaimThatWaitsForItsFirstConsumerGetsAVolumeWhereThePodGoes() throws IOException {
        Run run = run(
                "--in-memory",
                "--timeout",
                "30",
                "-f",
                file(LATE + "\n---\n" + claim("a", "64Mi", "late") + "\n---\n" + claim("b", "64Mi", "late") + "\n---\n"
                        + pod("persistentVolumeClaim: {claimName: a}")));

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern("a +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +late")
                .containsPattern("b +Pending")
                .endsWith("nothing is left: no mount, no loop device, no file\n");
    }

    @Test
    void aPodBringsItsClaimAndTakesItAway() throws IOException {
        for (String storageClass : List.of("late", "early")) {
            Run run = run(
                    "--in-memory",
                    "--timeout",
                    "30",
                    "-f",
                    file(LATE + "\n---\n" + EARLY + "\n---\n"
                            + pod("ephemeral: {volumeClaimTemplate: {spec: {storageClassName: " + storageClass
                                    + ", accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}}")));

            assertThat(run.err()).isEmpty();
            assertThat(run.code()).isZero();
            assertThat(run.out())
                    .containsPattern("p-v +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +" + storageClass)
                    .endsWith("nothing is left: no mount, no loop device, no file\n");
        }
    }

    /** {@link FoundPlugin} stands in {@code META-INF/services} of the test's class path. */
    @Test
    void aPluginOnTheClassPathProvisionsAndMounts() throws IOException {
        Run run = run(
                "--in-memory",
                "--timeout",
                "30",
                "-f",
                file("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: found}, provisioner:"
                        + " found.example.com}\n---\n" + claim("a", "64Mi", "found") + "\n---\n"
                        + pod("persistentVolumeClaim: {claimName: a}")));

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern("a +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +found")
                .endsWith("nothing is left: no mount, no loop device, no file\n");
    }

    private static final String LATE = storageClass("late", "WaitForFirstConsumer");
    private static final String EARLY = storageClass("early", "Immediate");

    private static String storageClass(String name, String mode) {
        return "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name
                + "}, provisioner: loop.volume4j.io, volumeBindingMode: " + mode + "}";
    }

    private static String pod(String source) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: busybox, volumeMounts:"
                + " [{name: v, mountPath: /v}]}], volumes: [{name: v, " + source + "}]}}";
    }

    private static String claim(String name, String size, String storageClass) {
        return claim(name, size).replace("spec: {", "spec: {storageClassName: " + storageClass + ", ");
    }

    private String file(String manifests) throws IOException {
        return Files.writeString(directory.resolve("given.yaml"), manifests).toString();
    }

    @Test
    void printsItsUsage() {
        assertThat(run("--help").out())
                .contains(
                        "Usage: quickstart",
                        "--in-memory",
                        "--csi",
                        "shell",
                        "get",
                        "describe",
                        "generate-completion",
                        "Exit codes:");
    }

    static Stream<Arguments> badInput() {
        return Stream.of(
                bad("yaml that is none", "kind: [", 2, ":1:8"),
                bad("an unknown kind", "{apiVersion: v1, kind: Gadget, metadata: {name: a}}", 2, "Gadget"),
                bad("a slash in a name", claim("a/b", "1Gi"), 2, "a/b"),
                bad("dots for a name", claim("\"..\"", "1Gi"), 2, ".."),
                bad("a control character in a name", claim("\"a\\u0007b\"", "1Gi"), 2, "name"),
                bad("a quantity that is none", claim("a", "64Mib"), 2, "64Mib"),
                bad("the same object twice", claim("a", "1Gi") + "\n---\n" + claim("a", "1Gi"), 2, "a"),
                bad("no object at all", "", 2, "no objects"),
                bad("a claim that fits nothing", claim("a", "1Gi"), 1, "default/a"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badInput")
    void answersBadInputWithOneClearLine(String what, String manifest, int code, String mentions) throws IOException {
        Path file = directory.resolve("bad.yaml");
        Files.writeString(file, manifest);

        Run run = run("--in-memory", "--timeout", "1", "-f", file.toString());

        assertThat(run.code()).isEqualTo(code);
        assertThat(run.err()).startsWith("error: ").contains(mentions).doesNotContain("\tat ", "Exception");
        assertThat(run.err().lines()).as("one line").hasSize(1);
    }

    @Test
    void aPodThatWaitsForAClaimIsExplainedByTheClaim() throws IOException {
        Path file = directory.resolve("pod.yaml");
        String pod =
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: busybox, volumeMounts:"
                        + " [{name: v, mountPath: /v}]}], volumes: [{name: v, persistentVolumeClaim: {claimName: a}}]}}";
        Files.writeString(file, claim("a", "1Gi") + "\n---\n" + pod);

        Run run = run("--in-memory", "--timeout", "6", "-f", file.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("claim default/a is not bound", "PersistentVolumeClaim/default/a: waiting");
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void podsGetConfigMapsAndSecretsAndAnNfsExport() throws IOException {
        String manifests = """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: conf}, data: {color: blue}}
                ---
                {apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {token: t0ps3cret}}
                ---
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: share}, spec: {capacity: {storage: 1Gi},
                 accessModes: [ReadWriteMany], nfs: {server: 127.0.0.1, path: /export}}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: share}, spec: {storageClassName: "",
                 accessModes: [ReadWriteMany], volumeName: share, resources: {requests: {storage: 1Gi}}}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, volumeMounts: [
                 {name: conf, mountPath: /c}, {name: key, mountPath: /k}, {name: share, mountPath: /s}]}], volumes: [
                 {name: conf, configMap: {name: conf}}, {name: key, secret: {secretName: key}},
                 {name: share, persistentVolumeClaim: {claimName: share}}]}}
                """;

        Run run = run("--in-memory", "--timeout", "30", "-f", file(manifests));

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern("share +Bound +share +1Gi +RWX")
                .contains("wrote through pod p: ", "kubernetes.io~nfs/share/hello.txt")
                .doesNotContain("t0ps3cret")
                .endsWith("nothing is left: no mount, no loop device, no file\n");
    }

    @Test
    void aSecretThatIsNoneSaysSoWithoutItsValue() throws IOException {
        Run run = run(
                "--in-memory",
                "-f",
                file("{apiVersion: v1, kind: Secret, metadata: {name: key}, data: {token: '?t0ps3cret?='}}"));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("Secret default/key: data.token is not base64")
                .doesNotContain("t0ps3cret");

        Run wrong = run(
                "--in-memory",
                "-f",
                file("{apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {token: 7}}"));

        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("Secret default/key: stringData.token must be text")
                .doesNotContain("7");
    }

    @Test
    void theShellTakesAClaimThroughSnapshotRestoreAndExpansion() throws IOException {
        Path more = directory.resolve("more.yaml");
        Files.writeString(more, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: cut},
                 spec: {source: {persistentVolumeClaimName: data}}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: restored}, spec: {storageClassName: loop,
                 accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}},
                 dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: cut}}}
                """);
        String commands = """
                # what is there
                wait pod writer
                get pvc
                watch pvc
                apply -f %s
                wait vs cut
                wait pvc restored
                get volumesnapshots
                expand data 128Mi
                wait pvc data
                get pvc data
                watch pvc --stop
                explain pod writer
                describe pvc data
                delete pod reader
                wait --gone pod reader
                get pods
                get vac
                """.formatted(more);

        Run run = type(commands, "shell", "--in-memory", "--timeout", "30");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).as(run.out()).isZero();
        assertThat(run.out())
                .containsPattern("data +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +loop")
                .containsPattern("NAME +READYTOUSE +SOURCEPVC +SOURCESNAPSHOTCONTENT +RESTORESIZE +SNAPSHOTCLASS")
                .containsPattern("cut +true +data +64Mi +loop +snapcontent-")
                .containsPattern("changed: restored +Bound")
                .containsPattern("data +Bound +pvc-[0-9a-f-]+ +128Mi +RWO +loop")
                .contains("pod default/writer:", "kind: PersistentVolumeClaim", "events: ")
                // what became of the pod may be told in between
                .containsPattern("> get pods\n(?:  .*\n)*NAME +STATUS +NODE +VOLUMES +AGE\nwriter +")
                .contains("there are no volume attributes classes")
                .endsWith("nothing is left: no mount, no loop device, no file\n");
    }

    @Test
    void theShellMovesAClaimToAnotherClass() throws IOException {
        Path more = directory.resolve("move.yaml");
        Files.writeString(more, """
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: other}, provisioner: loop.volume4j.io}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: wanderer}, spec: {storageClassName: loop,
                 accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}
                """);
        Path move = directory.resolve("move-it.yaml");
        Files.writeString(move, """
                {apiVersion: volume4j.io/v1alpha1, kind: VolumeMove, metadata: {name: m},
                 spec: {claimName: wanderer, storageClassName: other}}
                """);
        String commands = """
                wait pod writer
                apply -f %s
                wait pvc wanderer
                apply -f %s
                wait volumemove m
                get volumemoves
                get pvc wanderer
                """.formatted(more, move);

        Run run = type(commands, "shell", "--in-memory", "--timeout", "30");

        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .containsPattern("m +Moved +wanderer +other +pvc-")
                .containsPattern("wanderer +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +other")
                .endsWith("nothing is left: no mount, no loop device, no file\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get pcv           | did you mean pvc?
            gte pvc           | did you mean get?
            describe pvc dta  | did you mean data?
            expand data much  | much is no size such as 128Mi
            expand data -5   | -5 is no size such as 128Mi: it must be above zero
            expand data 1Mi   | has 64Mi and cannot shrink to 1Mi
            exit --keep       | this machine is in memory
            apply -f /no/such | there is no such file
            wait pvc          | 'NAME'
            """)
    void aWrongCommandEndsAScriptAndEverythingIsTakenDown(String command, String says) {
        Run run = type("wait pod writer\n" + command + "\nget pv\n", "shell", "--in-memory", "--timeout", "30");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).startsWith("error: ").contains(says, "the commands after it were not run");
        assertThat(run.out()).doesNotContain("> get pv").contains("unmount");
    }

    static Stream<Arguments> badArguments() {
        return Stream.of(
                Arguments.of(List.of("--bogus"), "there is no option --bogus"),
                Arguments.of(List.of("--in-memroy"), "did you mean --in-memory?"),
                Arguments.of(List.of("shel"), "did you mean shell?"),
                Arguments.of(List.of("get", "pcv"), "did you mean pvc?"),
                Arguments.of(List.of("--csi", "nowhere"), "not a socket endpoint"),
                Arguments.of(List.of("--in-memory", "--csi", "unix:///run/x.sock"), "--csi needs the real machine"),
                Arguments.of(List.of("--in-memory", "--root", "/"), "a directory for this program alone"),
                Arguments.of(List.of("--in-memory", "--root", ""), "a directory for this program alone"),
                Arguments.of(List.of("--in-memory", "shell"), "write it after quickstart shell"),
                Arguments.of(List.of("-f"), "Expected parameter for option '--file'"),
                Arguments.of(List.of("-f", "/does/not/exist.yaml"), "there is no such file"),
                Arguments.of(List.of("--timeout", "soon"), "whole number of seconds"));
    }

    @ParameterizedTest
    @MethodSource("badArguments")
    void answersBadArgumentsWithOneClearLine(List<String> words, String mentions) {
        Run run = run(words.toArray(String[]::new));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("error: ").contains(mentions);
        assertThat(run.err().lines()).hasSize(1);
    }

    private static Arguments bad(String what, String manifest, int code, String mentions) {
        return Arguments.of(what, manifest, code, mentions);
    }

    private static String claim(String name, String size) {
        return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name
                + "}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: " + size + "}}}}";
    }

    private Run run(String... words) {
        return type("", words);
    }

    private Run type(String input, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        if (!all.contains("--root") && !all.contains("--help")) {
            all.addAll(List.of("--root", directory.resolve("root").toString()));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Quickstart.run(
                all.toArray(String[]::new),
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                new StopSignal());
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static List<String> steps(String out) {
        return out.lines()
                .filter(line -> line.startsWith("  ") && line.endsWith(" ms"))
                .map(line -> line.substring(2, 17).strip())
                .toList();
    }
}
