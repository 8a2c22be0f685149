package io.volume4j.csi.internal.client;

import java.util.List;

/**
 * What a list call has found.
 *
 * @param entries without repetitions
 * @param complete whether the driver has said that there is no more. Even then the list is no proof of absence: what is
 *     created or deleted between two pages may be missing
 */
public record Listing<E>(List<E> entries, boolean complete) {
    public Listing {
        entries = List.copyOf(entries);
    }
}
