package io.volume4j.examples.quickstart;

import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.core.volumes.VolumeTransition;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** Prints each step when it has ended, with its duration. Thread-safe. */
final class Journey {
    /** Steps that only read or write objects of the cluster. */
    private static final Set<String> BOOKKEEPING = Set.of("write", "save", "verify", "tell", "remove", "look");

    private final PrintStream out;

    Journey(PrintStream out) {
        this.out = out;
    }

    /** A step of the node. */
    void step(VolumeTransition transition) {
        if (!transition.ended()) {
            return;
        }
        String action = transition.action().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        if (transition.failure() == null) {
            step(action, transition.description(), transition.took());
        } else {
            failed(
                    action,
                    transition.description() + ": " + transition.failure().getMessage());
        }
    }

    /** A step of the control plane. */
    void step(ObjectTransition transition) {
        if (!transition.ended()) {
            return;
        }
        boolean binds = transition.description().startsWith("bind ");
        if (transition.failure() != null) {
            failed(
                    transition.action(),
                    transition.description() + ": " + transition.failure().getMessage());
        } else if (binds) {
            step("bind", transition.description(), transition.took());
        } else if (!BOOKKEEPING.contains(transition.action())) {
            step(transition.action(), transition.description(), transition.took());
        }
    }

    synchronized void step(String action, String what, Duration took) {
        out.printf(Locale.ROOT, "  %-15s %-72s %9.1f ms%n", action, what, took.toNanos() / 1e6);
    }

    synchronized void failed(String action, String why) {
        out.printf(Locale.ROOT, "  %-15s failed: %s%n", action, why);
    }

    /** Prints a line for a long operation that still runs. */
    synchronized void still(String what) {
        out.printf(Locale.ROOT, "  %-15s %s%n", "…", what);
    }

    synchronized void say(String line) {
        out.println(line);
    }

    synchronized void table(String title, String text) {
        out.println();
        out.println(title);
        out.print(text);
    }
}
