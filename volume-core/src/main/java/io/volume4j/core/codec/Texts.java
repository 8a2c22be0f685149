package io.volume4j.core.codec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The texts that a manifest may contain, as a key or as a value, in any format: all characters, as an escape if
 * necessary, but no unpaired surrogate. UTF-8 cannot encode an unpaired surrogate, so each program would read
 * something else.
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
     * Checks all keys and values of a tree.
     *
     * @throws InvalidField if one contains an unpaired surrogate
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

    /** Computes the path only for values that may be wrong, because that costs more than the check. */
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

    /** Whether the value, or a part of it, may be wrong. */
    private static boolean isOpen(@Nullable Object value) {
        return value instanceof String text ? !isWhole(text) : value instanceof Map || value instanceof List;
    }
}
