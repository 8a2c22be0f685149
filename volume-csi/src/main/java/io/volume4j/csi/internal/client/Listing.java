package io.volume4j.csi.internal.client;

import java.util.List;

/**
 * The result of a list call.
 *
 * @param entries without duplicates
 * @param complete whether the driver reported the end of the list. Even a complete list proves no absence: an object
 *     that is created or deleted between two pages may be missing
 */
public record Listing<E>(List<E> entries, boolean complete) {
    public Listing {
        entries = List.copyOf(entries);
    }
}
