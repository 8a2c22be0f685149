package io.volume4j.inmemory.fault;

/**
 * One call, as far as a fault can choose it.
 *
 * @param call its name, such as {@code attach}
 * @param subject what it is about: a volume's name or a path
 * @param node where it has its effect, {@code ""} where that means nothing
 * @since 0.1.0
 */
public record CallSite(String call, String subject, String node) {
    /** {@code attach v1 n1}: the parts that are not empty, with a space between. */
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
