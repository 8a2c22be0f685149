package io.volume4j.core.linux.tool;

import io.volume4j.spi.mount.Programs.Ending;

/**
 * How a tool ended.
 *
 * @param exitCode only if it {@link Ending#EXITED}
 * @param output the last part of its output
 * @param cut whether it printed more than that
 */
public record ToolResult(String tool, Ending ending, int exitCode, String output, boolean cut) {
    public boolean exitedWith(int code) {
        return ending == Ending.EXITED && exitCode == code;
    }

    /** The result, with the end of the output. */
    public String describe() {
        String said = ToolOutput.shown(output);
        return tool + " " + endingText() + (said.isEmpty() ? "" : ": " + said);
    }

    private String endingText() {
        switch (ending) {
            case EXITED:
                return "ended with exit code " + exitCode;
            case OVERDUE:
                return "was killed at its deadline";
            case CANCELLED:
                return "was killed because the call was cancelled";
            case STUCK:
                return "was killed but still runs";
        }
        throw new AssertionError(ending);
    }
}
