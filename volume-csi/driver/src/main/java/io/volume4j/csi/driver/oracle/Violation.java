package io.volume4j.csi.driver.oracle;

/**
 * One thing that the caller should not have done.
 *
 * @param rpc the call with which it did so
 * @param text what exactly, free of secrets
 * @since 0.1.0
 */
public record Violation(Rule rule, String rpc, String text) {
    @Override
    public String toString() {
        return rule + " " + rpc + ": " + text;
    }
}
