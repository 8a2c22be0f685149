package io.volume4j.inmemory.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Finds values of an enum by their words in scenario files.
 *
 * @since 0.1.0
 */
public final class Words {
    private Words() {}

    /**
     * The value with this word.
     * @param what the kind of value, for the message
     * @throws IllegalArgumentException if there is none; the message lists the known words
     */
    public static <E extends Enum<E>> E find(String what, String word, E[] values, Function<E, String> wordOf) {
        List<String> known = new ArrayList<>();
        for (E value : values) {
            if (wordOf.apply(value).equals(word)) {
                return value;
            }
            known.add(wordOf.apply(value));
        }
        throw new IllegalArgumentException(
                "no " + what + " is called \"" + word + "\"; there are " + String.join(", ", known));
    }
}
