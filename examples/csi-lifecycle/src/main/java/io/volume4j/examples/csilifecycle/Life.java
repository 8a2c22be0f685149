package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One volume's life with its ledger, its directory and its report. Not thread-safe. */
final class Life implements AutoCloseable {
    private final Arguments arguments;
    private final CsiLifecycle.Surroundings surroundings;
    private final Abilities can;
    private final @Nullable NodeGetInfoResponse node;
    private final PlannedLife plan;
    private final Ledger ledger;
    private final Path work;
    private final Report report = new Report();
    private @Nullable Journey journey;
    private boolean createdAgain;

    Life(
            Arguments arguments,
            CsiLifecycle.Surroundings surroundings,
            Abilities can,
            @Nullable NodeGetInfoResponse node,
            PlannedLife plan,
            Ledger ledger) {
        this.arguments = arguments;
        this.surroundings = surroundings;
        this.can = can;
        this.node = node;
        this.plan = plan;
        this.ledger = ledger;
        this.work = ledger.folder().resolve("work");
    }

    String id() {
        return plan.id();
    }

    boolean isKilled() {
        return plan.isKilled();
    }

    Ledger ledger() {
        return ledger;
    }

    Path work() {
        return work;
    }

    Report report() {
        return report;
    }

    boolean createdAgain() {
        return createdAgain;
    }

    /** Whether nothing is left to undo. */
    boolean isClean() {
        return ledger.isEmpty() && ledger.unsaved().isEmpty();
    }

    Set<String> volumes() {
        return journey == null ? Set.of() : journey.volumesMade();
    }

    Set<String> snapshots() {
        return journey == null ? Set.of() : journey.snapshotsMade();
    }

    static <T> Set<T> all(List<Life> lives, Function<Life, Collection<T>> of) {
        Set<T> all = new TreeSet<>();
        lives.forEach(life -> all.addAll(of.apply(life)));
        return all;
    }

    /** The volumes that existed before any of the lives. */
    static Set<String> before(List<Life> lives) {
        Set<String> before = null;
        for (Life life : lives) {
            Journey lived = life.journey;
            if (lived != null && lived.hasLookedAround()) {
                if (before == null) {
                    before = new TreeSet<>(lived.volumesBefore());
                } else {
                    before.retainAll(lived.volumesBefore());
                }
            }
        }
        return before == null ? Set.of() : before;
    }

    /** Tears down what an earlier run has left. */
    boolean undoneFromBefore(Driver driver, Console console) {
        boolean undone = true;
        if (!ledger.isEmpty()) {
            console.heading("an earlier run was cut off: taking down what it left");
            undone = undone(undo(driver, console), console);
        }
        CsiLifecycle.removeWork(work);
        return undone;
    }

    private Undo undo(Driver driver, Console console) {
        return new Undo(driver, ledger, new Requests(arguments), console, arguments.cleanOnly());
    }

    /** Runs the whole life; if a failure or a stop ends it early, tears everything down. */
    boolean live(Driver driver, Console console, StopSignal stop) {
        Undo undo = undo(driver, console);
        Journey taken = new Journey(
                driver,
                can,
                arguments,
                ledger,
                undo,
                console,
                stop,
                surroundings.clock(),
                surroundings.run() + (plan.id().isEmpty() ? "" : "-" + plan.id()),
                work,
                node);
        journey = taken;
        try {
            return live(taken, undo, console, stop);
        } finally {
            createdAgain = driver.createdAgain();
            CsiLifecycle.removeWork(work);
        }
    }

    private boolean live(Journey taken, Undo undo, Console console, StopSignal stop) {
        try {
            return taken.take(plan.parts(), report);
        } catch (CsiException e) {
            console.say("\nFAILED: " + e.getMessage());
            console.say("        " + Hints.of(e));
        } catch (Failed e) {
            console.say("\nFAILED: " + e.getMessage());
            if (!e.advice().isEmpty()) {
                console.say("        " + e.advice());
            }
        } catch (UncheckedIOException e) {
            console.say("\nFAILED: on this machine: " + e.getMessage());
        } catch (StopSignal.Stopped stopped) {
            console.heading("stopped: taking everything down");
            stop.again();
            undone(undo, console);
            throw stopped;
        }
        if (!ledger.isEmpty()) {
            console.heading("taking down what was begun");
            undone(undo, console);
        }
        return false;
    }

    private static boolean undone(Undo undo, Console console) {
        List<String> failures = undo.everything();
        failures.forEach(failure -> console.detail("not undone: " + failure));
        return failures.isEmpty();
    }

    /** Removes the ledger's directory if its record is empty; a single life keeps it. */
    @Override
    public void close() {
        if (plan.id().isEmpty()) {
            return;
        }
        ledger.close();
        if (!isClean()) {
            return;
        }
        try {
            Files.deleteIfExists(ledger.folder().resolve("lock"));
            Files.deleteIfExists(ledger.folder());
            Path parent = ledger.folder().getParent();
            if (parent != null) {
                Files.deleteIfExists(parent);
            }
        } catch (IOException somethingIsInIt) {
            // it contains other lives, or what the leak check reports
        }
    }
}
