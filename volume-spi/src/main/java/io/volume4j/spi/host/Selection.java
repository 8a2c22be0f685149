package io.volume4j.spi.host;

/**
 * Selects objects of a kind. A source that cannot select may return more objects; the library ignores the others.
 *
 * @param nodeName only pods of this node and the node itself; {@code ""} for all
 * @since 0.1.0
 */
public record Selection(String nodeName) {
    private static final Selection ALL = new Selection("");

    public static Selection all() {
        return ALL;
    }

    public static Selection ofNode(String nodeName) {
        return new Selection(nodeName);
    }
}
