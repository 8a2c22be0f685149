package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.sim.SimulationBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Every path of a small world, up to a number of choices. A choice is which call takes effect next, its outcome, the arrival
 * of its answer, the death or start of a process, a change of the wanted objects, or of the leader. Paths end at known
 * states. In each state all rules must hold, and from each state the wanted state must be reached once faults stop.
 *
 * <p>The production code runs as in {@link Schedules}; a state is reached by repeating its choices. Immutable.
 */
public final class Exploration {
    private static final int REPORTED = 3;
    /** Number of paths that run together. */
    private static final int PORTION = 128;

    private final Reconciler reconciler;
    private final UnaryOperator<SimulationBuilder> change;

    /** The explored reconciler. */
    public enum Reconciler {
        /** Two nodes that attach themselves, two volumes, three pods. */
        NODE,
        /** The same with two controllers that attach for them. */
        ATTACH,
        /** Two controllers, three claims, a free volume and one to provision. */
        BINDING
    }

    private Exploration(Reconciler reconciler, UnaryOperator<SimulationBuilder> change) {
        this.reconciler = reconciler;
        this.change = change;
    }

    public static Exploration of(Reconciler reconciler) {
        return changed(reconciler, builder -> builder);
    }

    /** Explores a changed library, to check whether that is detected. */
    public static Exploration changed(Reconciler reconciler, UnaryOperator<SimulationBuilder> change) {
        return new Exploration(reconciler, change);
    }

    /**
     * Explores from a world in which everything is wanted and nothing is done, and from one in which everything is done.
     *
     * @param depth most choices in a row
     * @param most limit for the number of states
     */
    public Report explore(int depth, long most) {
        Search search = new Search(most);
        search.from(false, depth);
        search.from(true, depth);
        return search.report(depth);
    }

    /**
     * The result.
     *
     * @param states the number of different states
     * @param transitions between them
     * @param complete whether every state within the depth was explored
     * @param ended whether no state was left to explore, so that a larger depth would find nothing more
     */
    public record Report(
            Reconciler reconciler,
            int depth,
            long states,
            long transitions,
            boolean complete,
            boolean ended,
            List<String> failures) {
        public Report {
            failures = List.copyOf(failures);
        }

        public String text() {
            StringBuilder text = new StringBuilder()
                    .append(reconciler.name().toLowerCase(Locale.ROOT))
                    .append(": ")
                    .append(states)
                    .append(" states, ")
                    .append(transitions)
                    .append(" transitions, ")
                    .append(complete ? "all" : "not all")
                    .append(" within ")
                    .append(depth)
                    .append(" choices")
                    .append(ended ? ", and there are no more" : "")
                    .append("; ")
                    .append(Rule.values().length)
                    .append(" rules in each, the wish reached from each, ")
                    .append(failures.size())
                    .append(" failures");
            failures.forEach(failure -> text.append('\n').append(failure));
            return text.toString();
        }
    }

    private final class Search {
        private final Set<Digest> seen = new HashSet<>();
        private final List<String> failures = new ArrayList<>();
        private final long most;
        private long transitions;
        private boolean complete = true;
        private boolean ended = true;

        Search(long most) {
            this.most = most;
        }

        void from(boolean settled, int depth) {
            List<State> frontier = take(List.of(visit(settled, Way.NONE, new HashSet<>())));
            for (int level = 0; level < depth && !frontier.isEmpty(); level++) {
                frontier = next(settled, frontier);
            }
            ended &= frontier.isEmpty();
        }

        /** The new states after those of a level, in one order for any number of threads. */
        private List<State> next(boolean settled, List<State> level) {
            List<Way> ways = new ArrayList<>();
            for (State state : level) {
                for (int option = 0; option < state.options(); option++) {
                    ways.add(state.way().and(option));
                }
            }
            List<State> found = new ArrayList<>();
            Set<Digest> judged = Collections.synchronizedSet(new HashSet<>());
            for (int from = 0; from < ways.size(); from += PORTION) {
                if (seen.size() >= most || failures.size() >= REPORTED) {
                    complete = false;
                    break;
                }
                List<Way> portion = ways.subList(from, Math.min(ways.size(), from + PORTION));
                transitions += portion.size();
                found.addAll(take(Processors.map(portion, way -> visit(settled, way, judged))));
            }
            return found;
        }

        private List<State> take(List<State> visited) {
            List<State> fresh = new ArrayList<>();
            for (State state : visited) {
                failures.addAll(state.failures());
                if (state.failures().isEmpty() && seen.add(state.digest())) {
                    fresh.add(state);
                }
            }
            return fresh;
        }

        private State visit(boolean settled, Way way, Set<Digest> judged) {
            try (SmallWorld world = new SmallWorld(reconciler, settled, change)) {
                for (int option : way.choices()) {
                    world.choose(option);
                }
                Digest digest = Digest.of(world.state());
                int options = world.options().size();
                // The known states change only between portions, on one thread, after all threads have finished.
                boolean known = !world.world().broken() && (seen.contains(digest) || !judged.add(digest));
                return new State(way, options, digest, known ? List.of() : judge(world));
            } catch (RuntimeException broken) {
                return new State(way, 0, Digest.NONE, List.of("it broke on the way " + way + ": " + broken));
            }
        }

        private List<String> judge(SmallWorld world) {
            List<String> unmet = world.world().broken() ? List.of() : world.goOn();
            List<Violation> violations = world.world().violations();
            if (violations.isEmpty() && unmet.isEmpty()) {
                return List.of();
            }
            StringBuilder text = new StringBuilder();
            violations.forEach(violation -> text.append(violation).append('\n'));
            unmet.forEach(line -> text.append("dead end: ").append(line).append('\n'));
            world.world().trace().forEach(line -> text.append("  ").append(line).append('\n'));
            return List.of(text.toString());
        }

        Report report(int depth) {
            return new Report(reconciler, depth, seen.size(), transitions, complete, ended && complete, failures);
        }
    }

    /**
     * A found state.
     *
     * @param way the choices that lead to it
     * @param options the number of choices in it
     * @param failures the violations in it
     */
    private record State(Way way, int options, Digest digest, List<String> failures) {}

    /** The choices that lead to a state; paths share their common beginning. */
    private record Way(@Nullable Way before, int last) {
        static final Way NONE = new Way(null, -1);

        Way and(int option) {
            return new Way(this, option);
        }

        List<Integer> choices() {
            Deque<Integer> choices = new ArrayDeque<>();
            Way way = this;
            while (way.before != null) {
                choices.addFirst(way.last);
                way = way.before;
            }
            return List.copyOf(choices);
        }

        @Override
        public String toString() {
            return choices().toString();
        }
    }

    /** A 128-bit hash of a state. */
    private record Digest(long high, long low) {
        static final Digest NONE = new Digest(0, 0);

        static Digest of(String state) {
            long high = 0x9E3779B97F4A7C15L;
            long low = 0xC2B2AE3D27D4EB4FL;
            for (int i = 0; i < state.length(); i++) {
                high = (high ^ state.charAt(i)) * 0xBF58476D1CE4E5B9L;
                high ^= high >>> 29;
                low = (low + state.charAt(i)) * 0x94D049BB133111EBL;
                low ^= low >>> 32;
            }
            return new Digest(high, low);
        }
    }
}
