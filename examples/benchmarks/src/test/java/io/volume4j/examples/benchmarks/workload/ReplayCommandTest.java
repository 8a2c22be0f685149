package io.volume4j.examples.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.volume4j.examples.commandline.Program;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same file drives the library and the model, and every operation of it is told of. */
@Timeout(180)
class ReplayCommandTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private record Said(int code, List<JsonNode> lines, String errors) {}

    private static Said replay(String in, String... arguments) throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream told = new PrintStream(errors, true, StandardCharsets.UTF_8);
        int code = Program.of(new ReplayCommand(
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        told))
                .failure(WorkloadException.class, Program.WRONG_USAGE)
                .run(arguments, told, told);
        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
            lines.add(MAPPER.readTree(line));
        }
        return new Said(code, lines, errors.toString(StandardCharsets.UTF_8));
    }

    private static String workload(WorkloadOptions options) {
        StringWriter text = new StringWriter();
        WorkloadWriter writer = new WorkloadWriter(text);
        writer.header(new WorkloadHeader(options.seed(), options.backendNanos()));
        new Generator(options).generate(writer::operation);
        return text.toString();
    }

    /** Twelve pods of two volumes that they partly share, on two nodes. */
    private static String small(double faults) {
        return workload(new WorkloadOptions(5, 12, 2, 2, 6, 1_000, 1_000_000, 10_000, faults, 1_000_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"library", "polling-design-model"})
    void tellsOfEveryOperationWhenItWasAskedForDoneAndSeen(String implementation) throws Exception {
        Said said = replay(small(0), "--warm-up-pods", "10", "--implementation", implementation, "-");

        assertThat(said.code()).as(said.errors()).isZero();
        assertThat(said.lines()).hasSize(48).allSatisfy(line -> {
            assertThat(line.get("requested").asLong())
                    .isLessThanOrEqualTo(line.get("dispatched").asLong());
            assertThat(line.get("dispatched").asLong())
                    .isLessThan(line.get("backendDone").asLong());
            assertThat(line.get("backendDone").asLong())
                    .isLessThanOrEqualTo(line.get("visible").asLong());
            assertThat(line.get("calls").asInt()).isEqualTo(1);
        });
        assertThat(said.lines())
                .extracting(line -> line.get("operation").asText()
                        + line.get("pod").asText()
                        + line.get("volume").asText())
                .doesNotHaveDuplicates();
        assertThat(said.errors()).contains("operations=48 not_visible=0 backend_calls=48 calls_nobody_asked_for=0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"library", "polling-design-model"})
    void getsThereInSpiteOfFaults(String implementation) throws Exception {
        Said said = replay(small(1), "--warm-up-pods", "10", "--implementation", implementation, "-");

        assertThat(said.code()).as(said.errors()).isZero();
        assertThat(said.lines())
                .hasSize(48)
                .allMatch(line -> line.get("visible").isNumber());
        assertThat(said.lines()).anyMatch(line -> line.get("calls").asInt() > 1);
    }

    @Test
    void playsAFileOneAfterAnotherWithADurableJournal(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("workload.jsonl"), small(0));

        Said said = replay("", "--warm-up-pods", "0", "--speed", "0", "--journal", "disk", file.toString());

        assertThat(said.code()).as(said.errors()).isZero();
        assertThat(said.lines()).hasSize(48);
        assertThat(said.lines())
                .extracting(line -> line.get("requested").asLong())
                .isSorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "- -", "--speed x -", "--speed -1 -", "--implementation mine -", "/no/such/file"})
    void saysWhatIsWrongWithACommandLine(String arguments) throws Exception {
        Said said = replay(
                small(0),
                Arrays.stream(arguments.split(" ")).filter(a -> !a.isEmpty()).toArray(String[]::new));

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.lines()).isEmpty();
        assertThat(said.errors()).isNotEmpty();
    }

    @Test
    void aFileThatCannotBeReadIsToldInOneLine(@TempDir Path directory) throws Exception {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {0, (byte) 0xff, (byte) 0xfe});

        for (Path file : List.of(binary, directory, directory.resolve("none"))) {
            Said said = replay("", file.toString());

            assertThat(said.code()).as(file.toString()).isEqualTo(2);
            assertThat(said.errors()).as(file.toString()).containsPattern("cannot (be )?read");
            assertThat(said.errors().lines()).as(file.toString()).hasSize(1);
        }
    }
}
