package io.volume4j.spi.mount;

import io.volume4j.spi.CallContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Executes programs of the machine: by argument list and never through a shell, with an environment of a search path, the
 * language {@code C} and the operation's id, nothing to read, in a session of their own which is killed as a whole when the
 * time is over or the call is cancelled. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Programs {
    /** The program of that name in the directories where the machine keeps its tools; empty if it is not there. */
    Optional<Path> find(String name);

    /**
     * Runs a program to its end or its limit.
     *
     * @throws io.volume4j.spi.VolumeException transient or final, if it could not be started: then nothing happened
     */
    Outcome run(Command command, CallContext context);

    /**
     * What to run.
     *
     * @param limit at most; less if the call's own deadline comes first
     */
    record Command(Path program, List<String> arguments, Duration limit) {
        public Command {
            if (!program.isAbsolute()) {
                throw new IllegalArgumentException("a program's path must be absolute: " + program);
            }
            arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
        }

        /** Arguments may be anything, even secret: they are not shown. */
        @Override
        public String toString() {
            return program + " with " + arguments.size() + " arguments";
        }
    }

    /**
     * How it ended.
     *
     * @param exitCode if it {@link Ending#EXITED}
     * @param output what it printed, errors too; the end of it if that was more than is kept
     * @param cut whether it printed more
     */
    record Outcome(Ending ending, int exitCode, String output, boolean cut) {
        /** What a program says may repeat what it was told, so it is not shown. */
        @Override
        public String toString() {
            return ending + (ending == Ending.EXITED ? " " + exitCode : "");
        }
    }

    /** How a program can end. */
    enum Ending {
        EXITED,
        /** Killed when its time was over, and gone. */
        OVERDUE,
        /** Killed because its caller no longer wanted the result, and gone. */
        CANCELLED,
        /** Killed, but a process of it still lives: the kernel does not let it go. */
        STUCK
    }
}
