package io.volume4j.core.codec;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A deeply immutable list of a document. */
final class FrozenList extends AbstractList<@Nullable Object> implements RandomAccess {
    private final @Nullable Object[] items;
    private final int height;

    /**
     * @param items must not be changed afterwards
     * @param height the number of levels of maps and lists below this one
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
