package io.volume4j.csi.internal.client;

/** Receives the entries of a list while the client reads it. An entry may come more than once. */
@FunctionalInterface
public interface EntrySink<E> {
    /**
     * One entry.
     *
     * @return whether to go on; the list is not complete if not
     */
    boolean take(E entry);

    /** The driver made the client start the list again. Does nothing by default. */
    default void restart() {}
}
