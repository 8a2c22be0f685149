package io.volume4j.inmemory.fault;

/**
 * Identifies a call for the choice of faults.
 * @param call its name, such as {@code attach}
 * @param subject its subject: a volume's name or a path
 * @param node the node of its effect, {@code ""} if it has none
 * @since 0.1.0
 */
public record CallSite(String call, String subject, String node) {
    /** The parts that are not empty, separated by spaces: {@code attach v1 n1}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(call);
        if (!subject.isEmpty()) {
            text.append(' ').append(subject);
        }
        if (!node.isEmpty()) {
            text.append(' ').append(node);
        }
        return text.toString();
    }
}
