package io.volume4j.examples.commandline;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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

    private final CommandLine line;
    private final List<Object> subcommands = new ArrayList<>();
    private final Map<Class<? extends Exception>, Integer> failures = new LinkedHashMap<>();

    private Program(CommandLine line) {
        this.line = line;
    }

    /**
     * A program of its own.
     *
     * @param command a {@code Callable<Integer>} with picocli's annotations, {@code mixinStandardHelpOptions} among them; or one with
     *     subcommands only; methods of it that are commands are found though it has {@code addMethodSubcommands = false}
     */
    public static Program of(Object command) {
        // not one of those that are read only when they are called: it reads all of them
        return new Program(new CommandLine(command).addSubcommand(new GenerateCompletion()));
    }

    /** Commands of a program that reads them line by line, by itself. */
    public static Program ofLines(Object command) {
        return new Program(new CommandLine(command));
    }

    /** Adds subcommands, which have a name in their annotation. */
    public Program subcommands(Object... commands) {
        subcommands.addAll(List.of(commands));
        return this;
    }

    /** Exceptions whose message is told to the user in one line, and the exit code that they mean. A {@link Usage} is one already. */
    public Program failure(Class<? extends Exception> type, int code) {
        failures.put(type, code);
        return this;
    }

    /**
     * Runs the command that the words name.
     *
     * @return the exit code
     */
    public int run(String[] words, PrintStream out, PrintStream err) {
        common(line);
        addSubcommands(words);
        line.getSubcommands().values().forEach(Program::common);
        return line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(WIDTH)
                .setUsageHelpLongOptionsMaxWidth(WIDTH / 3)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUnmatchedOptionsAllowedAsOptionParameters(false)
                .setParameterExceptionHandler(Program::notUnderstood)
                .setExecutionExceptionHandler(this::failed)
                .setExecutionStrategy(Program::execute)
                .execute(words);
    }

    /**
     * The exit code of a program whose output other programs read or a user keeps: a {@link PrintStream} does not tell that the disk is
     * full, and half of the output must not pass for the whole.
     *
     * @param code what the program would end with
     */
    public static int written(int code, PrintStream out, PrintStream err) {
        if (code != CommandLine.ExitCode.OK || !out.checkError()) {
            return code;
        }
        err.println("error: the output could not be written whole: the disk is full, or its reader has ended");
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Refuses an option of the program before one of its commands: the command has options of its own, and would not see it. */
    private static int execute(ParseResult parsed) {
        if (parsed.commandSpec().userObject() instanceof Callable<?> && parsed.hasSubcommand()) {
            CommandLine called = parsed.subcommand().commandSpec().commandLine();
            parsed.matchedOptions().stream()
                    .filter(option -> !option.usageHelp() && !option.versionHelp())
                    .findFirst()
                    .ifPresent(option -> {
                        throw new ParameterException(called, misplaced(option, called));
                    });
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static String misplaced(OptionSpec option, CommandLine called) {
        return option.longestName() + " stands before the command " + called.getCommandName()
                + ", which does not read it there: write it after "
                + called.getCommandSpec().qualifiedName();
    }

    /**
     * Looks only at the command that is called, if it is one of those that were added: to read what the others can do, option by option,
     * takes longer than much that they do.
     */
    private void addSubcommands(String[] words) {
        List<Object> called = subcommands.stream()
                .filter(each -> words.length > 0 && name(each).equals(words[0]))
                .toList();
        for (Object command : called.isEmpty() ? subcommands : called) {
            // an earlier run may have added it
            if (!line.getSubcommands().containsKey(name(command))) {
                line.addSubcommand(command);
            }
        }
        CommandSpec program = line.getCommandSpec();
        if (called.isEmpty() && !program.isAddMethodSubcommands()) {
            program.addMethodSubcommands();
            program.setAddMethodSubcommands(true);
        }
    }

    private static String name(Object command) {
        return Objects.requireNonNull(command.getClass().getAnnotation(Command.class), "@Command")
                .name();
    }

    private static void common(CommandLine line) {
        line.getCommandSpec()
                .versionProvider(new Version())
                .usageMessage()
                .abbreviateSynopsis(true)
                .sortOptions(false);
    }

    private static int notUnderstood(ParameterException wrong, String[] words) {
        CommandLine where = wrong.getCommandLine();
        // A required option that is missing may be one that is misspelt.
        List<String> unmatched = wrong instanceof UnmatchedArgumentException unknown
                ? unknown.getUnmatched()
                : wrong instanceof MissingParameterException ? where.getUnmatchedArguments() : List.of();
        return notUnderstood(
                where, unmatched.isEmpty() ? String.valueOf(wrong.getMessage()) : unknown(where, unmatched.get(0)));
    }

    private int failed(Exception failure, CommandLine where, ParseResult parsed) throws Exception {
        if (failure instanceof Usage wrong) {
            return notUnderstood(where, String.valueOf(wrong.getMessage()));
        }
        for (Map.Entry<Class<? extends Exception>, Integer> known : failures.entrySet()) {
            if (known.getKey().isInstance(failure)) {
                say(where, FileReason.told(failure));
                return known.getValue();
            }
        }
        throw failure;
    }

    private static int notUnderstood(CommandLine where, String what) {
        String command = where.getCommandSpec().qualifiedName().strip();
        say(where, what.strip() + " (see " + (command.isEmpty() ? "help" : command + " --help") + ")");
        return WRONG_USAGE;
    }

    /** One line, whatever the message: a second line would be taken for an answer of the program. */
    private static void say(CommandLine where, String what) {
        String text = what.strip().replaceAll(":\\s*\\R\\s*", ": ").replaceAll("\\s*\\R\\s*", "; ");
        where.getErr().println(Ansi.AUTO.string("@|bold,red error:|@ ") + text);
    }

    private static String unknown(CommandLine where, String word) {
        List<String> known = new ArrayList<>();
        String what = "one word too many: ";
        if (word.startsWith("-")) {
            what = "there is no option ";
            where.getCommandSpec().options().forEach(option -> known.addAll(List.of(option.names())));
        } else if (!where.getSubcommands().isEmpty()) {
            what = "there is no command ";
            known.addAll(where.getSubcommands().keySet());
        }
        Optional<String> nearest = Nearest.to(word, known);
        return what + word + nearest.map(each -> "; did you mean " + each + "?").orElse("");
    }
}
