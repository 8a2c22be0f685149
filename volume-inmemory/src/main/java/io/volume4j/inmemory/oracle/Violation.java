package io.volume4j.inmemory.oracle;

/**
 * Something that no caller may ever do, and that was done.
 *
 * @param rule the invariant's number, such as {@code S1}
 * @param call the call that did it, by its text
 * @since 0.1.0
 */
public record Violation(String rule, String call, String message) {
    @Override
    public String toString() {
        return rule + " " + call + ": " + message;
    }
}
