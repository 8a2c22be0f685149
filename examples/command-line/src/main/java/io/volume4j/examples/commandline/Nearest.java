package io.volume4j.examples.commandline;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the known word that a misspelt word most likely means. */
final class Nearest {
    private Nearest() {}

    /** The nearest word, if at most a third of the letters differ or the misspelt word begins it. */
    static Optional<String> to(String word, Collection<String> known) {
        int most = (word.length() + 2) / 3;
        return known.stream()
                .filter(each -> begins(word, each) || distance(word, each) <= most)
                .min(Comparator.comparingInt((String each) -> distance(word, each))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static boolean begins(String word, String known) {
        return word.length() > 3 && known.startsWith(word);
    }

    private static int distance(String word, String known) {
        return LevenshteinDistance.getDefaultInstance()
                .apply(word.toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT));
    }
}
