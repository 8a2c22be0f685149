package io.volume4j.examples.commandline;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;

/** Finds the known word that a misspelt word most likely means. */
public final class Nearest {
    /** How many letters must be added, left out, replaced, or swapped with their neighbour. */
    private static final DamerauLevenshteinDistance DISTANCE = new DamerauLevenshteinDistance();

    private Nearest() {}

    /**
     * The nearest word, if at most a third of the letters differ or the misspelt word begins it. Dashes before an option are no letters,
     * and a single letter that differs is another option.
     */
    public static Optional<String> to(String word, Collection<String> known) {
        int letters = word.replaceFirst("^-+", "").length();
        int most = letters < 2 ? 0 : (letters + 2) / 3;
        return known.stream()
                .filter(each -> begins(word, each) || distance(word, each) <= most)
                .min(Comparator.comparingInt((String each) -> distance(word, each))
                        .thenComparingInt(each -> Math.abs(word.length() - each.length()))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static boolean begins(String word, String known) {
        return word.length() > 3 && known.startsWith(word);
    }

    private static int distance(String word, String known) {
        return DISTANCE.apply(word.toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT));
    }
}
