package io.volume4j.core.codec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which text a manifest may hold, as a key or as a value, in whatever format it is read or written: any characters, where
 * necessary as an escape, and no half of one. UTF-8 has no bytes for one surrogate without the other, so each program would make
 * something else of it.
 */
final class Texts {
    static final String HALF =
            "contains half of a character (a surrogate without its pair):" + " write the whole character, or remove it";

    private Texts() {}

    static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char here = text.charAt(i);
            if (Character.isSurrogate(here)) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(here, text.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /**
     * Looks at all keys and values of a tree.
     *
     * @throws InvalidField if one is not whole
     */
    static void demandWhole(@Nullable Object tree, FieldPath path) {
        if (tree instanceof String text) {
            if (!isWhole(text)) {
                throw new InvalidField(path, HALF);
            }
        } else if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> demandWholeEntry(String.valueOf(key), value, path));
        } else if (tree instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                demandWholeItem(list.get(i), path, i);
            }
        }
    }

    /** The place of what is fine is not needed, and costs more than to look at it. */
    private static void demandWholeEntry(String key, @Nullable Object value, FieldPath path) {
        if (!isWhole(key)) {
            throw new InvalidField(path.field(key), HALF);
        }
        if (isOpen(value)) {
            demandWhole(value, path.field(key));
        }
    }

    private static void demandWholeItem(@Nullable Object item, FieldPath path, int index) {
        if (isOpen(item)) {
            demandWhole(item, path.item(index));
        }
    }

    /** Whether there may be something wrong in it or with it. */
    private static boolean isOpen(@Nullable Object value) {
        return value instanceof String text ? !isWhole(text) : value instanceof Map || value instanceof List;
    }
}
