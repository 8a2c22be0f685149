package io.volume4j.examples.quickstart;

import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the saved cluster of a run or a shell on this machine, also while it runs. Changes nothing. */
final class SavedCommands {
    private SavedCommands() {}

    /** The saved cluster. */
    static final class Saved {
        @Option(names = "--root", paramLabel = "DIR", description = "of the run or the shell (${DEFAULT-VALUE})")
        private Path root = Options.defaultRoot();

        List<ApiObject> all(Kind kind) {
            Path file = root.toAbsolutePath().normalize().resolve(SavedCluster.FILE);
            try {
                return SavedText.read(file.toString(), Files.readString(file, StandardCharsets.UTF_8)).stream()
                        .filter(object -> object.kind() == kind)
                        .toList();
            } catch (NoSuchFileException none) {
                throw new Usage("nothing is saved in " + file
                        + ": is there a 'quickstart shell' with this --root, on the real machine?");
            } catch (IOException unreadable) {
                throw new Usage(file + " cannot be read: " + unreadable.getMessage());
            }
        }
    }

    /** Prints a table. */
    @Command(
            name = "get",
            mixinStandardHelpOptions = true,
            description = "Shows the objects of a kind, from the file that a run or a shell keeps.")
    static final class Get implements Callable<Integer> {
        private final PrintStream out;

        @Parameters(
                index = "0",
                paramLabel = "KIND",
                converter = Kinds.Converter.class,
                completionCandidates = Kinds.Candidates.class,
                description = "${COMPLETION-CANDIDATES}, or the long names")
        private Kind kind = Kind.POD;

        @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "only this object")
        private @Nullable String name;

        @Mixin
        private Saved saved = new Saved();

        Get(PrintStream out) {
            this.out = out;
        }

        @Override
        public Integer call() {
            return Views.get(kind, saved.all(kind), name, InstantSource.system().instant(), out);
        }
    }

    /** Prints an object. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            description = "Shows one object and what happened to it, from the file that a run or a shell keeps.")
    static final class Describe implements Callable<Integer> {
        private final PrintStream out;

        @Parameters(
                index = "0",
                paramLabel = "KIND",
                converter = Kinds.Converter.class,
                completionCandidates = Kinds.Candidates.class)
        private Kind kind = Kind.POD;

        @Parameters(index = "1", paramLabel = "NAME")
        private String name = "";

        @Mixin
        private Saved saved = new Saved();

        Describe(PrintStream out) {
            this.out = out;
        }

        @Override
        public Integer call() {
            ApiObject object = Views.one(saved.all(kind), kind, name);
            out.print(Views.describe(
                    object, saved.all(Kind.EVENT), InstantSource.system().instant()));
            return 0;
        }
    }
}
