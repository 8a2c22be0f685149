package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * How the acts of a random world are drawn: a pause or a stretch of tasks follows each act.
 *
 * @param kind draws the kind of the next act
 * @param pauses one gap in this many is a pause
 * @param shortest smallest exponent; a pause is at most two to the power of its exponent, in milliseconds
 * @param longest the number of possible exponents
 * @param stretch most tasks of one stretch
 */
record ActMix(Function<RandomGenerator, Kind> kind, int pauses, int shortest, int longest, int stretch) {
    /** A random number for a choice. */
    static int any(RandomGenerator random) {
        return random.nextInt(1 << 16);
    }

    List<Act> draw(RandomGenerator random, int count) {
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            acts.add(new Act(kind.apply(random), any(random), any(random), any(random)));
            acts.add(
                    random.nextInt(pauses) == 0
                            ? new Act(Kind.PASS, 1 + random.nextInt(1 << (shortest + random.nextInt(longest))), 0, 0)
                            : new Act(Kind.RUN, 1 + random.nextInt(stretch), 0, 0));
        }
        return acts;
    }

    /** Draws kinds in proportion to their weights. */
    static Function<RandomGenerator, Kind> of(List<Kind> kinds) {
        return random -> kinds.get(random.nextInt(kinds.size()));
    }

    /** Each kind as often as the number after it. */
    static List<Kind> weighted(Object... kindsAndWeights) {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < kindsAndWeights.length; i += 2) {
            kinds.addAll(Collections.nCopies((int) kindsAndWeights[i + 1], (Kind) kindsAndWeights[i]));
        }
        return Collections.unmodifiableList(kinds);
    }
}
