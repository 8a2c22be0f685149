package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import io.volume4j.inmemory.sim.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a family of random worlds has of its own: what acts do there, what is wanted, and how everything is removed. */
interface Family {
    /** What each kind of act does, besides or instead of what {@link Workload} does by itself. */
    Map<Kind, Consumer<Act>> acts();

    /** The processes that acts choose by number. */
    List<? extends SimProcess> processes();

    /** Kinds of objects that {@link Kind#INCOMPLETE} makes unlistable. */
    default List<io.volume4j.spi.model.Kind> listed() {
        return List.of();
    }

    /** Before each act. */
    default void beforeAct() {}

    /** After each act. */
    default void afterAct() {}

    /** Starts everything again and ends what hinders it. */
    void calm();

    /** Whether everything is as it is wanted. May run the world. */
    default boolean met() {
        return unmet().isEmpty();
    }

    /** What is not as it is wanted, one line each. */
    List<String> unmet();

    /** What people do again and again while the world settles. */
    default void meanwhile() {}

    /** The first pause between two looks at what is unmet. Each pause is twice as long as the one before. */
    default Duration firstPause() {
        return Duration.ofSeconds(1);
    }

    /** Writes to the trace why what is unmet is unmet. */
    default void explain() {}

    /** Lets time pass, and reports what happens though everything has settled. */
    default void stay() {}

    /** Removes everything, and reports what is left. */
    void end(Workload<?> workload);
}
