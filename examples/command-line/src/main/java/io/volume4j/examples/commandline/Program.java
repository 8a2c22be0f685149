package io.volume4j.examples.commandline;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs a command that picocli's annotations describe, the same way for each program: {@code --help} and {@code --version} answer on
 * the output; {@code generate-completion} prints a script for bash and zsh; what cannot be understood is answered by one line on the
 * error stream, which says what is wrong and which option or command comes nearest, and by the exit code {@value #WRONG_USAGE}.
 */
public final class Program {
    /** The exit code of a command line that cannot be understood. */
    public static final int WRONG_USAGE = CommandLine.ExitCode.USAGE;

    private static final int WIDTH = 120;

    private Program() {}

    /**
     * Runs the command.
     *
     * @param command a {@code Callable<Integer>} with picocli's annotations, {@code mixinStandardHelpOptions} among them; a {@link Usage} that it throws counts as a wrong
     *     command line
     * @return the exit code
     */
    public static int run(Object command, String[] words, PrintStream out, PrintStream err) {
        return configured(new CommandLine(command).addSubcommand(new GenerateCompletion()), out, err)
                .execute(words);
    }

    /** The same without running it and without completion, for a program that reads lines of commands itself. */
    public static CommandLine of(Object command, PrintStream out, PrintStream err) {
        return configured(new CommandLine(command), out, err);
    }

    /** Settings reach the subcommands that are there. */
    private static CommandLine configured(CommandLine line, PrintStream out, PrintStream err) {
        common(line);
        line.getSubcommands().values().forEach(Program::common);
        return line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(WIDTH)
                .setUsageHelpLongOptionsMaxWidth(WIDTH / 3)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUnmatchedOptionsAllowedAsOptionParameters(false)
                .setParameterExceptionHandler(Program::notUnderstood)
                .setExecutionExceptionHandler(Program::failed);
    }

    private static void common(CommandLine line) {
        line.getCommandSpec()
                .versionProvider(new Version())
                .usageMessage()
                .abbreviateSynopsis(true)
                .sortOptions(false);
    }

    private static int notUnderstood(ParameterException wrong, String[] words) {
        CommandLine line = wrong.getCommandLine();
        return say(line, wrong instanceof UnmatchedArgumentException unknown ? unknown(unknown) : wrong.getMessage());
    }

    private static int failed(Exception failure, CommandLine line, ParseResult parsed) throws Exception {
        if (failure instanceof Usage wrong) {
            return say(line, String.valueOf(wrong.getMessage()));
        }
        throw failure;
    }

    /** One line, whatever the message: a second line would be taken for an answer of the program. */
    private static int say(CommandLine line, String what) {
        String help = line.getCommandSpec().qualifiedName() + " --help";
        line.getErr()
                .println(Ansi.AUTO.string("@|bold,red error:|@ ")
                        + what.strip().replaceAll("\\s*\\R\\s*", "; ")
                        + " (see "
                        + help
                        + ")");
        return WRONG_USAGE;
    }

    private static String unknown(UnmatchedArgumentException wrong) {
        CommandLine line = wrong.getCommandLine();
        String word = wrong.getUnmatched().get(0);
        List<String> known = new ArrayList<>();
        String what = "one word too many: ";
        if (word.startsWith("-")) {
            what = "there is no option ";
            line.getCommandSpec().options().forEach(option -> known.addAll(List.of(option.names())));
        } else if (!line.getSubcommands().isEmpty()) {
            what = "there is no command ";
            known.addAll(line.getSubcommands().keySet());
        }
        Optional<String> nearest = Nearest.to(word, known);
        return what + word + nearest.map(each -> "; did you mean " + each + "?").orElse("");
    }
}
