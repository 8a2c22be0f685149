package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import io.volume4j.inmemory.sim.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The specific parts of a family of random worlds: its acts, its goals, and its cleanup. */
interface Family {
    /** The actions for each kind of act, in addition to those of {@link Workload} or in place of them. */
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

    /** Restarts everything and removes all obstacles. */
    void calm();

    /** Whether everything is as wanted. May run the world. */
    default boolean met() {
        return unmet().isEmpty();
    }

    /** What is not as wanted, one line each. */
    List<String> unmet();

    /** Repeated actions of users while the world settles. */
    default void meanwhile() {}

    /** The first pause between two checks. Each pause is twice as long as the one before. */
    default Duration firstPause() {
        return Duration.ofSeconds(1);
    }

    /** Writes the explanations of unmet goals to the trace. */
    default void explain() {}

    /** Lets time pass, and reports any activity after everything has settled. */
    default void stay() {}

    /** Removes everything, and reports what is left. */
    void end(Workload<?> workload);
}
