package io.volume4j.examples.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.DuplicateOptionAnnotationsException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What each program answers to the same kinds of command lines. */
class ProgramTest {
    /** What a program answered. */
    private record Answer(int code, String out, String err) {}

    @Command(name = "ship", mixinStandardHelpOptions = true, description = "Carries cargo.")
    private static final class Ship implements Callable<Integer> {
        @Option(names = "--harbour", paramLabel = "NAME", description = "where to go")
        private String harbour = "";

        @Option(names = "--speed", description = "in knots")
        private int speed = 1;

        @Override
        public Integer call() throws IOException {
            if (harbour.equals("away")) {
                throw new NoSuchFileException("/ports/away");
            }
            if (harbour.equals("nowhere")) {
                throw new Usage("--harbour nowhere\n  is no harbour");
            }
            if (harbour.equals("sunk")) {
                throw new IllegalStateException("lost:\n  all hands");
            }
            return speed;
        }

        @Command(name = "load", mixinStandardHelpOptions = true, description = "Takes cargo on board.")
        @SuppressWarnings("UnusedMethod") // picocli calls it
        int takeOnBoard(
                @Option(names = "--quay", required = true) String quay, @Parameters(paramLabel = "CARGO") Path cargo) {
            return quay.length() - cargo.getNameCount();
        }
    }

    @Test
    void runsTheCommandAndGivesItsCode() {
        assertThat(run("--harbour", "Riga", "--speed", "7")).isEqualTo(new Answer(7, "", ""));
        assertThat(run("load", "--quay", "3", "wheat")).isEqualTo(new Answer(0, "", ""));
    }

    /** What must not be read: it has an option twice. */
    @Command(name = "broken")
    @SuppressWarnings("UnusedVariable") // picocli refuses the class before it sets them
    private static final class Broken {
        @Option(names = "--twice")
        private boolean one;

        @Option(names = "--twice")
        private boolean two;
    }

    @Command(name = "")
    private static final class Lines {
        @Command(name = "count")
        @SuppressWarnings("UnusedMethod") // picocli calls it
        int count() {
            return 4;
        }
    }

    @Command(name = "fleet", addMethodSubcommands = false, mixinStandardHelpOptions = true)
    private static final class Fleet {
        @Command(name = "count")
        @SuppressWarnings("UnusedMethod") // picocli calls it
        int count() {
            return 4;
        }
    }

    @Test
    void ofSeveralCommandsOnlyTheOneThatIsCalledIsRead() {
        Program fleet = Program.of(new Fleet()).subcommands(new Ship(), new Broken());

        assertThat(fleet.run(new String[] {"ship", "--speed", "7"}, System.out, System.err))
                .isEqualTo(7);
        assertThatThrownBy(() -> Program.of(new Fleet())
                        .subcommands(new Ship(), new Broken())
                        .run(new String[] {"--help"}, System.out, System.err))
                .isInstanceOf(DuplicateOptionAnnotationsException.class);
    }

    @Test
    void methodsAreCommandsBesideTheOthers() {
        Program fleet = Program.of(new Fleet()).subcommands(new Ship());

        assertThat(fleet.run(new String[] {"count"}, System.out, System.err)).isEqualTo(4);
    }

    @Test
    void aProgramThatIsRunAgainKnowsItsOtherCommandsToo() {
        Program fleet = Program.of(new Fleet()).subcommands(new Ship());

        for (int time = 0; time < 2; time++) {
            assertThat(fleet.run(new String[] {"ship", "--speed", "7"}, System.out, System.err))
                    .isEqualTo(7);
            assertThat(fleet.run(new String[] {"count"}, System.out, System.err))
                    .isEqualTo(4);
        }
    }

    @Test
    void completionKnowsTheCommandsThatAreNotCalled() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        Program.of(new Fleet())
                .subcommands(new Ship())
                .run(
                        new String[] {"generate-completion"},
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        System.err);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("ship", "--harbour", "count");
    }

    @Test
    void aMistakeInALineIsAnsweredWithTheCommandThatHelps() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        Program.ofLines(new Lines())
                .run(new String[] {"cuont"}, System.out, new PrintStream(err, true, StandardCharsets.UTF_8));

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("did you mean count? (see help)");
    }

    @Test
    void helpAndVersionAreAnswersAndNoErrors() {
        assertThat(run("--help").out()).contains("Usage: ship", "--harbour=NAME", "load", "generate-completion");
        assertThat(run("load", "--help").out()).contains("Takes cargo on board.", "CARGO");
        assertThat(run("--version").out()).startsWith("volume4j ").doesNotContain("${");
        assertThat(run("--help").code()).isZero();
        assertThat(run("--help").err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --harbor Riga       | there is no option --harbor; did you mean --harbour?
            --harb Riga         | did you mean --harbour?
            --zzz               | there is no option --zzz (see ship --help)
            -n 1                | there is no option -n (see ship --help)
            --spare 3           | there is no option --spare (see ship --help)
            -v                  | there is no option -v; did you mean -V?
            laod wheat          | there is no command laod; did you mean load?
            load wheat          | --quay
            load --quey 3 wheat | there is no option --quey; did you mean --quay?
            load --quay 3 a rye | one word too many: rye (see ship load --help)
            load                | CARGO
            --speed fast        | --speed
            --harbour           | --harbour
            --speed 1 --speed 2 | --speed
            --harbour nowhere   | --harbour nowhere; is no harbour (see ship --help)
            --speed 7 load --quay 3 wheat | --speed stands before the command load, which does not read it there: write it after ship load
            """)
    void whatIsWrongIsSaidInOneLineWithTheNearestWordAndCode2(String line, String says) {
        Answer answer = run(line.split(" +"));

        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).startsWith("error: ").contains(says);
        assertThat(answer.err().lines()).hasSize(1);
    }

    @Test
    void aFailureThatTheProgramKnowsIsOneLineAndItsCode() {
        assertThat(run("--harbour", "sunk")).isEqualTo(new Answer(3, "", "error: lost: all hands\n"));
    }

    @Test
    void aFailureThatIsAPathAloneIsToldInWords() {
        assertThat(run("--harbour", "away"))
                .isEqualTo(new Answer(4, "", "error: /ports/away: there is no such file or directory\n"));
    }

    @Test
    void helpOfTheProgramIsAnsweredAlsoBeforeACommand() {
        assertThat(run("--help", "load").out()).contains("Usage: ship");
    }

    @Test
    void completionIsAScriptThatTheShellCanRead() throws IOException, InterruptedException {
        Answer script = run("generate-completion");

        assertThat(script.code()).isZero();
        assertThat(script.out()).contains("complete -F", "--harbour", "load");
        Process bash =
                new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        try (var in = bash.getOutputStream()) {
            in.write(script.out().getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(bash.waitFor()).isZero();
    }

    private static Answer run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Program.of(new Ship())
                .failure(IllegalStateException.class, 3)
                .failure(IOException.class, 4)
                .run(
                        words,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void anOutputThatIsNotWholeIsNoSuccess() {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
        PrintStream whole = new PrintStream(OutputStream.nullOutputStream());
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int ignored) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        full.print("half");

        assertThat(Program.written(0, whole, err)).isZero();
        assertThat(Program.written(2, full, err)).isEqualTo(2);
        assertThat(told.size()).isZero();
        assertThat(Program.written(0, full, err)).isEqualTo(1);
        assertThat(told.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("error: the output could not be written whole");
    }
}
