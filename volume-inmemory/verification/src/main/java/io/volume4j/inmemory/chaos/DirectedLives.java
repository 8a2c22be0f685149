package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import java.util.List;
import java.util.stream.IntStream;

/** Lives for bugs that random lives hardly ever find. */
final class DirectedLives {
    static final String LET_GO = "lets a volume go whose storage could not be deleted";
    static final String NOT_RESUMED = "never resumes an expansion that another leader began";

    /** Most tasks of an expansion. */
    private static final int TASKS = 120;

    /** The number of event orders for each life; the order decides which leader does what. */
    static final long ORDERS = 10;

    private static final int MINUTE = 60_000;
    /** The index of {@code delete} among the calls that can be refused, and of a final failure among the refusals. */
    private static final int DELETE = 3;

    private static final int FINAL = 0;

    private DirectedLives() {}

    /** The lives that show the bug; none for a bug that random lives find. */
    static List<List<Act>> of(String bug) {
        return switch (bug) {
            case LET_GO -> List.of(deletionFails());
            case NOT_RESUMED ->
                IntStream.rangeClosed(1, TASKS)
                        .mapToObj(DirectedLives::leaderChangesWhileItGrows)
                        .toList();
            default -> List.of();
        };
    }

    private static List<Act> deletionFails() {
        return List.of(
                act(Kind.ADD_CLAIM, 0),
                act(Kind.PASS, MINUTE),
                act(Kind.REMOVE_VOLUME, 0),
                new Act(Kind.REFUSE, DELETE, FINAL, 1),
                act(Kind.REMOVE_CLAIM, 0),
                act(Kind.PASS, MINUTE));
    }

    private static List<Act> leaderChangesWhileItGrows(int task) {
        return List.of(
                act(Kind.ADD_CLAIM, 0),
                act(Kind.PASS, MINUTE),
                new Act(Kind.RESIZE, 0, 2, 0),
                act(Kind.RUN, task),
                act(Kind.LEADER, 0),
                act(Kind.PASS, MINUTE));
    }

    private static Act act(Kind kind, int number) {
        return new Act(kind, number, 0, 0);
    }
}
