package io.volume4j.core.linux.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process and its files in the kernel.
 *
 * @param handle created before any read: it has the start time of the process, and never means a later process with
 *     the same number
 * @param entry the directory of that number below {@code /proc}
 */
record RunningProcess(ProcessHandle handle, Path entry) {
    /** {@code PF_EXITING} and {@code PF_KTHREAD} of linux/sched.h. */
    private static final long HAS_NO_MEMORY = 0x0000_0004 | 0x0020_0000;

    /** Indexes in proc_pid_stat(5), counted from the state, which is the first field after the name. */
    private static final int FLAGS = 6;

    private static final int START_CODE = 23;
    private static final int ENV_START = 47;
    private static final int ENV_END = 48;

    /**
     * The value of an environment variable. It is {@code ""} if the process has no such variable or has ended, or if
     * another user owns it: the tools of this process run with its rights, so it may read them. Empty while the
     * process executes another program: from the release of the old memory until the new program's arguments are in
     * place, the kernel shows an environment of zero bytes or one byte.
     */
    Optional<String> variable(String name) {
        try {
            byte[] environment = Files.readAllBytes(entry.resolve("environ"));
            String variables = new String(environment, StandardCharsets.UTF_8);
            if (variables.indexOf('=') < 0 && !hasNoMore(environment.length)) {
                return Optional.empty();
            }
            return Optional.of(value(name, variables));
        } catch (IOException goneOrForeign) {
            return Optional.of("");
        }
    }

    private static String value(String name, String environment) {
        for (String variable : environment.split("\0")) {
            if (variable.startsWith(name + "=")) {
                return variable.substring(name.length() + 1);
            }
        }
        return "";
    }

    /**
     * Whether an environment of this size is complete: the process has ended, belongs to the kernel, or has no
     * variables.
     */
    private boolean hasNoMore(int bytes) throws IOException {
        String stat = Files.readString(entry.resolve("stat"), StandardCharsets.ISO_8859_1);
        // The name is in parentheses and may itself contain some.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        if (fields.length <= ENV_END || "Z".equals(fields[0]) || "X".equals(fields[0])) {
            return true;
        }
        if ((Long.parseLong(fields[FLAGS]) & HAS_NO_MEMORY) != 0) {
            return true;
        }
        // While the kernel copies the arguments, the environment's begin and end are both its future begin. The kernel
        // sets the start of the code afterwards.
        long shown = Long.parseUnsignedLong(fields[ENV_END]) - Long.parseUnsignedLong(fields[ENV_START]);
        return !"0".equals(fields[START_CODE]) && shown == bytes;
    }
}
