package io.volume4j.examples.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatorTest {
    private static final String GIVEN = """
            name: a claim binds
            components: [binding]
            given:
              - {kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}, status: {phase: Available}}
              - {kind: PersistentVolumeClaim, metadata: {name: c, uid: u}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}
            steps:
              - settle: 30s
            expect:
              - object: PersistentVolumeClaim/default/c
                matches: {spec: {volumeName: %s}}
            """;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @Test
    void aScenarioThatHoldsIsNoError() throws IOException {
        Files.writeString(directory.resolve("s.yaml"), GIVEN.formatted("v"));
        assertThat(run("scenario", directory.toString())).isZero();
        assertThat(output()).contains("PASS", "1 scenarios, 0 failed");
    }

    @Test
    void aScenarioThatDoesNotHoldShowsTheDifference() throws IOException {
        Path file = Files.writeString(directory.resolve("s.yaml"), GIVEN.formatted("w"));
        assertThat(run("scenario", file.toString())).isEqualTo(1);
        assertThat(output()).contains("FAIL", "- spec.volumeName: w", "+ spec.volumeName: v", "timeline", "seed 1");
    }

    @Test
    void aScenarioIsShownAsAPageThatNeedsNothingElse() throws IOException {
        Path file = Files.writeString(directory.resolve("s.yaml"), GIVEN.formatted("w"));
        Path page = directory.resolve("s.html");
        assertThat(run("scenario", file.toString(), "--show", page.toString())).isEqualTo(1);
        assertThat(Files.readString(page))
                .contains("FAIL a claim binds", "seed 1", "- spec.volumeName: w", "PersistentVolumeClaim/default/c")
                .doesNotContain("<script", "http://", "https://");
        assertThat(run("scenario", file.toString(), file.toString(), "--show", page.toString()))
                .isEqualTo(2);
    }

    @Test
    void aScheduleIsShownByItsSeed() throws IOException {
        Path page = directory.resolve("seed.html");
        assertThat(run("run", "--seed", "3", "--schedules", "1", "--show", page.toString()))
                .isZero();
        assertThat(Files.readString(page)).contains("PASS seed 3", "class=\"call\"", "class=\"write\"");
    }

    @Test
    void aFileThatIsNoScenarioSaysWhere() throws IOException {
        Path file = Files.writeString(directory.resolve("s.yaml"), "name: x\nsteps: [{wait: 3s}]\nexpect: []\n");
        assertThat(run("scenario", file.toString())).isEqualTo(1);
        assertThat(output()).contains("s.yaml:2:10: no step is called \"wait\"");
    }

    @Test
    void aFileThatIsNoTextIsRefusedByItsName() throws IOException {
        Path file = Files.write(directory.resolve("b.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(run("scenario", file.toString())).isEqualTo(2);
        assertThat(output()).contains("cannot read " + file + ": it is no text in UTF-8");
    }

    @Test
    void aPageThatCannotBeWrittenIsToldBeforeAnythingRuns() throws IOException {
        Path file = Files.writeString(directory.resolve("v.yaml"), GIVEN.formatted("v"));
        String page = directory.resolve("absent/page.html").toString();
        assertThat(run("scenario", file.toString(), "--show", page)).isEqualTo(2);
        assertThat(run("run", "--schedules", "1", "--show", page)).isEqualTo(2);
        assertThat(output().lines())
                .hasSize(2)
                .allMatch(
                        line -> line.contains("--show: cannot write " + page + ": there is no such file or directory"));
    }

    @Test
    void aDirectoryWithoutScenariosIsRefused() throws IOException {
        Files.writeString(directory.resolve("notes.txt"), "nothing to run");
        assertThat(run("scenario", directory.toString())).isEqualTo(2);
        assertThat(output()).contains("there is no scenario in the directory " + directory);
    }

    @Test
    void bothEndingsOfYamlFilesAreScenarios() throws IOException {
        Files.writeString(directory.resolve("a.yaml"), GIVEN.formatted("v"));
        Files.writeString(directory.resolve("b.yml"), GIVEN.formatted("v"));
        assertThat(run("scenario", directory.toString())).isZero();
        assertThat(output()).contains("2 scenarios, 0 failed");
    }

    @Test
    void schedulesRunFromASeed() throws IOException {
        assertThat(run("run", "--schedules", "20", "--seed", "7")).isZero();
        assertThat(output()).contains("20 schedules", "schedules/s", "0 failures");
    }

    @Test
    void smallWorldsAreExplored() throws IOException {
        assertThat(run("explore", "--depth", "1", "--reconciler", "binding")).isZero();
        assertThat(output()).contains("binding: ", " states, ", "all within 1 choices", "0 failures");
        assertThat(run("explore", "--reconciler", "weather")).isEqualTo(2);
    }

    @Test
    void growthIsPrintedAsATable() {
        assertThat(run(
                        "scale",
                        "--nodes",
                        "2,3,4",
                        "--volumes",
                        "2",
                        "--volumes-of-pod",
                        "1",
                        "--hours",
                        "1",
                        "--events",
                        "1"))
                .isBetween(0, 1);
        assertThat(output())
                .contains(
                        "| nodes | agents | volumes |",
                        "| 4 | 4 | 8 | pod and claims replaced |",
                        "costs grow worse than is known");
        assertThat(run("scale", "--nodes", "2,3")).isEqualTo(2);
        assertThat(run("scale", "--volumes-of-pod", "7")).isEqualTo(2);
    }

    /** It would pass, and a build would think that it had been tested. */
    @ParameterizedTest
    @CsvSource({
        "run, --schedules", "explore, --depth", "explore, --states", "scale, --nodes",
        "scale, --volumes", "scale, --volumes-of-pod", "scale, --hours", "scale, --events"
    })
    void aRunOfNothingIsRefused(String command, String option) throws IOException {
        assertThat(run(command, option, "0")).isEqualTo(2);
        assertThat(run(command, option, "-1")).isEqualTo(2);
    }

    @Test
    void whatIsAskedWronglyIsSaidWithTheNearestWord() throws IOException {
        assertThat(run("dance")).isEqualTo(2);
        assertThat(run("scenarios", "x")).isEqualTo(2);
        assertThat(run("run", "--schedules", "many")).isEqualTo(2);
        assertThat(run("run", "--schedule", "1")).isEqualTo(2);
        assertThat(output())
                .contains(
                        "there is no command dance",
                        "did you mean scenario?",
                        "'--schedules'",
                        "did you mean --schedules?");
    }

    private int run(String... words) {
        PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return Simulator.run(words, both, both);
    }

    private String output() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
