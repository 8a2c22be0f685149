package io.volume4j.inmemory.oracle;

/**
 * A broken rule.
 * @param rule the rule's number, such as {@code S1}
 * @param call the text of the call that broke it
 * @since 0.1.0
 */
public record Violation(String rule, String call, String message) {
    @Override
    public String toString() {
        return rule + " " + call + ": " + message;
    }
}
