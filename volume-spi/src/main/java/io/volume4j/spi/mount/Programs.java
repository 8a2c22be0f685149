package io.volume4j.spi.mount;

import io.volume4j.spi.CallContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Executes programs of the machine by argument list, never through a shell. The environment has a search path, the
 * language {@code C} and the operation's id; standard input is empty. Each program runs in its own session. The
 * library kills the whole session when the time is over or the call is cancelled. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Programs {
    /** The program of that name in the machine's program directories; empty if it is not installed. */
    Optional<Path> find(String name);

    /**
     * Runs a program until it ends or its time limit is over.
     *
     * @throws io.volume4j.spi.VolumeException transient or final, if the program could not be started: then nothing
     *     happened
     */
    Outcome run(Command command, CallContext context);

    /**
     * The program to run.
     * @param limit the time limit; less if the deadline of the call comes first
     */
    record Command(Path program, List<String> arguments, Duration limit) {
        public Command {
            if (!program.isAbsolute()) {
                throw new IllegalArgumentException("a program's path must be absolute: " + program);
            }
            arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
        }

        /** Does not contain the arguments, because they may be secret. */
        @Override
        public String toString() {
            return program + " with " + arguments.size() + " arguments";
        }
    }

    /**
     * How a program ended.
     * @param exitCode its exit code, only if it {@link Ending#EXITED}
     * @param output its standard output and standard error; only the end if the program printed more than the library
     *     keeps
     * @param cut whether the program printed more
     */
    record Outcome(Ending ending, int exitCode, String output, boolean cut) {
        /** Does not contain the output, because it may repeat secret arguments. */
        @Override
        public String toString() {
            return ending + (ending == Ending.EXITED ? " " + exitCode : "");
        }
    }

    /** How a program can end. */
    enum Ending {
        EXITED,
        /** The library killed it when its time was over; all its processes have ended. */
        OVERDUE,
        /** The library killed it because the call was cancelled; all its processes have ended. */
        CANCELLED,
        /** The library killed it, but one of its processes still exists, because the kernel does not end it. */
        STUCK
    }
}
