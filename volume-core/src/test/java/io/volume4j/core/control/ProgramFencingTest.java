package io.volume4j.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramFencingTest {
    private static final Path PROGRAM = Path.of("/opt/fence");

    private final List<Command> run = new ArrayList<>();
    private final CallContext context = new ManualContext();

    @Test
    void runsTheProgramWithItsArgumentsAndTheNodesNameBehindThem() {
        authority(exited(1, "")).fence("n1", context);

        assertThat(run).containsExactly(new Command(PROGRAM, List.of("--status", "n1"), Duration.ofSeconds(5)));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", quoteCharacter = '"', textBlock = """
            # status | output             | evidence
              0,       "off since 12:03",   "fence says: off since 12:03"
              0,       "off\\nand more",    "fence says: off"
              0,       "",                  "fence says: node n1 is cut off"
              1,       "still on",          none
            """)
    void takesStatusZeroForProofAndOneForNoEvidenceYet(int status, String output, String evidence) {
        Optional<Fence> fence =
                authority(exited(status, output.replace("\\n", "\n"))).fence("n1", context);

        assertThat(fence)
                .isEqualTo(
                        Optional.ofNullable(evidence).map(text -> new Fence(Fence.Kind.AUTHORITY_PROOF, "n1", text)));
    }

    @Test
    void showsOneBoundedLineWithoutControlCharacters() {
        String output = "a\u001b[31mb" + "x".repeat(1000);

        assertThat(authority(exited(0, output))
                        .fence("n1", context)
                        .orElseThrow()
                        .evidence())
                .startsWith("fence says: a[31mbx")
                .hasSizeLessThan(220);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 126, 127, 255})
    void takesAnyOtherStatusForAFailureAndNeverForEvidence(int status) {
        assertThatThrownBy(() -> authority(exited(status, "off")).fence("n1", context))
                .isInstanceOf(VolumeException.class)
                .hasMessageContainingAll("/opt/fence", "node n1", "status " + status, "run it by hand");
    }

    @ParameterizedTest
    @ValueSource(strings = {"OVERDUE", "CANCELLED", "STUCK"})
    void takesAKilledProgramForAFailureWhateverItPrinted(Ending ending) {
        assertThatThrownBy(() -> authority(new Outcome(ending, 0, "off", false)).fence("n1", context))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("did not end in time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--force", "../n1", "n1;reboot", "n1 n2", ""})
    void asksAboutNoNodeWhoseNameCouldPassForSomethingElse(String name) {
        assertThatThrownBy(() -> authority(exited(0, "off")).fence(name, context))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("DNS-1123");
        assertThat(run).isEmpty();
    }

    @Test
    void refusesAPathThatIsNotAbsoluteAndALimitOfNothing() {
        assertThatThrownBy(() -> new ProgramFencing(
                        answering(exited(0, "")), Path.of("fence"), List.of(), Duration.ofSeconds(1)))
                .hasMessageContaining("absolute");
        assertThatThrownBy(() -> new ProgramFencing(answering(exited(0, "")), PROGRAM, List.of(), Duration.ZERO))
                .hasMessageContaining("positive");
    }

    @Test
    void runsARealProgram(@TempDir Path directory) throws IOException {
        Path program = Files.createFile(
                directory.resolve("fence"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(program, "#!/bin/sh\n[ \"$1\" = n1 ] || exit 1\necho switched off\n");
        try (LinuxMountBackend backend = LinuxMountBackend.create()) {
            FencingAuthority real = new ProgramFencing(backend.programs(), program, List.of(), Duration.ofSeconds(30));

            assertThat(real.fence("n1", context).orElseThrow().evidence()).isEqualTo("fence says: switched off");
            assertThat(real.fence("n2", context)).isEmpty();
        }
    }

    @Test
    void severalAuthoritiesAreAskedUntilOneHasEvidenceAlsoBehindOneThatFails() {
        FencingAuthority failing = (node, call) -> {
            throw VolumeException.transientFailure("no route to the switch");
        };
        FencingAuthority broken = (node, call) -> {
            throw new AssertionError("a defect");
        };
        Fence proof = new Fence(Fence.Kind.AUTHORITY_PROOF, "n1", "off");

        assertThat(FencingAuthority.anyOf(List.of(failing, broken, (node, call) -> Optional.of(proof)))
                        .fence("n1", context))
                .contains(proof);
        assertThatThrownBy(() -> FencingAuthority.anyOf(List.of(failing, FencingAuthority.none()))
                        .fence("n1", context))
                .hasMessageContaining("no route");
        assertThatThrownBy(() -> FencingAuthority.anyOf(List.of(broken)).fence("n1", context))
                .hasMessageContaining("a defect");
        assertThat(FencingAuthority.anyOf(List.of()).fence("n1", context)).isEmpty();
    }

    private ProgramFencing authority(Outcome outcome) {
        return new ProgramFencing(answering(outcome), PROGRAM, List.of("--status"), Duration.ofSeconds(5));
    }

    private static Outcome exited(int status, String output) {
        return new Outcome(Ending.EXITED, status, output, false);
    }

    private Programs answering(Outcome outcome) {
        return new Programs() {
            @Override
            public Optional<Path> find(String name) {
                return Optional.empty();
            }

            @Override
            public Outcome run(Command command, CallContext call) {
                run.add(command);
                return outcome;
            }
        };
    }
}
