package io.volume4j.spi.model;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An immutable list. Its type shows that it is immutable, so that no further copy is needed. */
final class CopiedList<T> extends AbstractList<T> implements RandomAccess {
    private final @Nullable Object[] items;

    private CopiedList(@Nullable Object[] items) {
        this.items = items;
    }

    static <T> CopiedList<T> of(List<? extends T> source) {
        return new CopiedList<>(source.toArray());
    }

    @Override
    @SuppressWarnings("unchecked") // of() has stored only such items
    public T get(int index) {
        return (T) items[index];
    }

    @Override
    public int size() {
        return items.length;
    }
}
