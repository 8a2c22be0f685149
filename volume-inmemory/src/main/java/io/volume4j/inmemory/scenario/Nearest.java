package io.volume4j.inmemory.scenario;

import java.util.Collection;
import java.util.Locale;

/** Finds the known word that is most similar to an unknown word. */
final class Nearest {
    private Nearest() {}

    /** {@code ; did you mean "accessModes"?}, or {@code ""} if no known word is similar. */
    static String hint(String word, Collection<String> known) {
        String nearest = "";
        int least = (word.length() + 2) / 3 + 1;
        for (String each : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), each.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                nearest = each;
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean \"" + nearest + "\"?";
    }

    /** The number of added, removed, replaced or swapped letters. */
    private static int distance(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, from, to, i, j);
            }
        }
        return cost[from.length()][to.length()];
    }

    private static int cheapest(int[][] cost, String from, String to, int i, int j) {
        int replaced = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
