package io.volume4j.examples.agent;

import io.volume4j.ui.LiveView;
import java.io.PrintStream;
import java.util.Optional;

/** Runs a role until the program gets a stop signal. */
record Running(PrintStream err, StopSignal stop) {
    void run(Role role) throws InterruptedException {
        stop.heed();
        try {
            role.start();
            stop.awaitAsked();
        } finally {
            close(role);
        }
    }

    /** The same, with a live view if the options ask for one. */
    void run(Role role, LiveOptions options, Optional<LiveView> view) throws InterruptedException {
        view.ifPresent(live -> {
            live.start();
            err.println(options.links(live));
        });
        try {
            run(role);
        } finally {
            view.ifPresent(LiveView::close);
        }
    }

    void close(Role role) {
        role.close().forEach(call -> err.println("did not end: " + call));
    }
}
