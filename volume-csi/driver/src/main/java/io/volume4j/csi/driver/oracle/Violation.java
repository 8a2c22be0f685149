package io.volume4j.csi.driver.oracle;

/**
 * One error of the caller.
 *
 * @param rpc the call
 * @param text the details, without secrets
 * @since 0.1.0
 */
public record Violation(Rule rule, String rpc, String text) {
    @Override
    public String toString() {
        return rule + " " + rpc + ": " + text;
    }
}
