package io.volume4j.inmemory.fault;

/**
 * Identifies a call for the choice of faults.
 * @param call its name, such as {@code attach}
 * @param subject its subject: a volume's name or a path
 * @param node the node of its effect, {@code ""} if it has none
 * @param plugin name of the driver that gets the call, {@code ""} if none does
 * @since 0.1.0
 */
public record CallSite(String call, String subject, String node, String plugin) {
    /** A call that no driver gets, or for which the driver does not matter. */
    public CallSite(String call, String subject, String node) {
        this(call, subject, node, "");
    }

    /** The same call to this driver. */
    public CallSite to(String newPlugin) {
        return new CallSite(call, subject, node, newPlugin);
    }

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
