package io.volume4j.csi.driver.oracle;

/**
 * One thing that the caller should not have done.
 *
 * @param rpc the call with which it did so
 * @param text what exactly, free of secrets
 */
public record Violation(Rule rule, String rpc, String text) {
    @Override
    public String toString() {
        return rule + " " + rpc + ": " + text;
    }
}
