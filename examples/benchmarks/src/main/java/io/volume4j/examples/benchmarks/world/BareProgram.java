package io.volume4j.examples.benchmarks.world;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Starts a program with {@code posix_spawn(3)} and waits for it, without Java's process API. The child shares the memory of its
 * parent until it runs the program, so this is the cheapest way to start a process in any language.
 */
public final class BareProgram {
    private final String file;
    private final Pointer arguments;
    private final Pointer environment = new StringArray(new String[] {"PATH=" + System.getenv("PATH")});
    private final Memory number = new Memory(Integer.BYTES);
    private final Memory status = new Memory(Integer.BYTES);

    static {
        Native.register(BareProgram.class, NativeLibrary.getProcess());
    }

    /** The program of that name in the PATH, followed by its arguments. */
    public BareProgram(String... command) {
        this.file = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, command[0]))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no program " + command[0]))
                .toString();
        this.arguments = new StringArray(command);
    }

    /** Starts it and waits for its end. */
    public void run() {
        int failure = posix_spawn(number, file, null, null, arguments, environment);
        if (failure != 0) {
            throw new IllegalStateException(file + " does not start: error " + failure);
        }
        int child = number.getInt(0);
        if (waitpid(child, status, 0) != child || status.getInt(0) != 0) {
            throw new IllegalStateException(file + " did not work: status " + status.getInt(0));
        }
    }

    private static native int posix_spawn(
            Pointer number,
            String file,
            @Nullable Pointer actions,
            @Nullable Pointer attributes,
            Pointer arguments,
            Pointer environment);

    private static native int waitpid(int number, Pointer status, int options);
}
