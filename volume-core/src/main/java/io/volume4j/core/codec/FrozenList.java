package io.volume4j.core.codec;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An immutable list of a document, with everything in it. */
final class FrozenList extends AbstractList<@Nullable Object> implements RandomAccess {
    private final @Nullable Object[] items;
    private final int height;

    /**
     * @param items not to be changed any more
     * @param height how many levels of maps and lists are below this one
     */
    FrozenList(@Nullable Object[] items, int height) {
        this.items = items;
        this.height = height;
    }

    int height() {
        return height;
    }

    @Override
    public @Nullable Object get(int index) {
        return items[index];
    }

    @Override
    public int size() {
        return items.length;
    }
}
