package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * How the acts of a random world are drawn: each is followed by a pause or by a stretch of tasks.
 *
 * @param kind draws the kind of the next act
 * @param pauses one gap in so many is a pause
 * @param shortest a pause is as long as two to the power of at least so many milliseconds, at most
 * @param longest and of less than so many more
 * @param stretch tasks that one stretch runs at most
 */
record ActMix(Function<RandomGenerator, Kind> kind, int pauses, int shortest, int longest, int stretch) {
    /** Any number that chooses something. */
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

    /** Draws each kind as often as its weight says. */
    static Function<RandomGenerator, Kind> of(List<Kind> kinds) {
        return random -> kinds.get(random.nextInt(kinds.size()));
    }

    /** Each kind as many times as the number behind it says. */
    static List<Kind> weighted(Object... kindsAndWeights) {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < kindsAndWeights.length; i += 2) {
            kinds.addAll(Collections.nCopies((int) kindsAndWeights[i + 1], (Kind) kindsAndWeights[i]));
        }
        return Collections.unmodifiableList(kinds);
    }
}
