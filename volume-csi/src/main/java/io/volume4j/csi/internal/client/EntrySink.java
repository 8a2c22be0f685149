package io.volume4j.csi.internal.client;

/** Receives the entries of a list while the client reads it. The sink may get an entry more than once. */
@FunctionalInterface
public interface EntrySink<E> {
    /**
     * One entry.
     *
     * @return whether to continue; if not, the list is not complete
     */
    boolean take(E entry);

    /** The driver made the client start the list again. Does nothing by default. */
    default void restart() {}
}
