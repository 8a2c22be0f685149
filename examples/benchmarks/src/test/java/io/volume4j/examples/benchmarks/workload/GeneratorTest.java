package io.volume4j.examples.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.examples.commandline.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorTest {
    private static List<Operation> generated(WorkloadOptions options) {
        List<Operation> lines = new ArrayList<>();
        new Generator(options).generate(lines::add);
        return lines;
    }

    private static WorkloadOptions options(long seed, int shared, double faults) {
        return new WorkloadOptions(seed, 200, 3, 4, shared, 1_000, 50_000_000, 1_000, faults, 10_000);
    }

    @Test
    void theSameSeedGivesTheSameWorkload() {
        assertThat(generated(options(7, 0, 0.1))).isEqualTo(generated(options(7, 0, 0.1)));
        assertThat(generated(options(7, 0, 0.1))).isNotEqualTo(generated(options(8, 0, 0.1)));
    }

    /** Written down once, so that a change of the generator or of the JDK cannot go unseen. */
    @Test
    void aSeedGivesTheSameBytesOnEveryMachine() throws IOException {
        assertThat(command("--seed", "1", "--pods", "2", "--faults", "0.5", "--nodes", "2")
                        .out())
                .isEqualTo("""
                        {"format":"volume4j-workload","version":1,"seed":1,"backendNanos":0}
                        {"time":8360055,"operation":"mount","pod":"pod-0","volume":"pod-0-volume-0","node":"node-1"}
                        {"time":14234686,"operation":"mount","pod":"pod-1","volume":"pod-1-volume-0","node":"node-0"}
                        {"time":595993322,"operation":"unmount","pod":"pod-0","volume":"pod-0-volume-0","node":"node-1",\
                        "fault":{"kind":"delay","nanos":51775317}}
                        {"time":754614322,"operation":"unmount","pod":"pod-1","volume":"pod-1-volume-0","node":"node-0"}
                        """);
    }

    @Test
    void everyPodComesOnceAndGoesOnceWithAllItsVolumes() {
        Map<String, List<Operation>> byPod = new HashMap<>();
        generated(options(7, 5, 0))
                .forEach(line -> byPod.computeIfAbsent(line.pod(), pod -> new ArrayList<>())
                        .add(line));

        assertThat(byPod).hasSize(200);
        assertThat(byPod.values()).allSatisfy(lines -> {
            assertThat(lines).hasSize(6);
            List<Operation> come = lines.subList(0, 3);
            List<Operation> go = lines.subList(3, 6);
            assertThat(come).allMatch(line -> line.kind() == Operation.Kind.MOUNT);
            assertThat(go).allMatch(line -> line.kind() == Operation.Kind.UNMOUNT);
            assertThat(come).extracting(Operation::volume).doesNotHaveDuplicates();
            assertThat(go)
                    .extracting(Operation::volume)
                    .isEqualTo(come.stream().map(Operation::volume).toList());
            assertThat(lines)
                    .extracting(Operation::node)
                    .containsOnly(come.get(0).node());
        });
    }

    @Test
    void linesAreInTheOrderOfTime() {
        assertThat(generated(options(7, 0, 0))).extracting(Operation::time).isSorted();
    }

    @Test
    void aboutSoManyOperationsHaveAFaultAsAskedFor() {
        List<Operation> lines = generated(options(7, 0, 0.25));

        assertThat(lines.stream().filter(line -> line.fault() != null).count())
                .isBetween(lines.size() / 5L, lines.size() / 3L);
        assertThat(generated(options(7, 0, 0))).allMatch(line -> line.fault() == null);
    }

    @Test
    void podsCannotShareFewerVolumesThanTheyHave() {
        assertThatThrownBy(() -> options(7, 2, 0))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("3 different volumes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--pods 1", "--seed x", "--seed 1 --colour red", "--seed 1 --rate 0", "--seed"})
    void saysWhatIsWrongWithACommandLine(String arguments) throws IOException {
        Said said = command(arguments.split(" "));

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.errors()).startsWith("error: ").contains("--").hasLineCount(1);
    }

    private record Said(int code, String out, String errors) {}

    private static Said command(String... arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream told = new PrintStream(errors, true, StandardCharsets.UTF_8);
        int code = Program.of(new GenerateCommand(new PrintStream(out, true, StandardCharsets.UTF_8)))
                .failure(WorkloadException.class, Program.WRONG_USAGE)
                .run(arguments, told, told);
        return new Said(code, out.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }
}
