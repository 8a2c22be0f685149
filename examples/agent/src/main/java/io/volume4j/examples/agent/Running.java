package io.volume4j.examples.agent;

import java.io.PrintStream;

/** Runs a role until the program is asked to stop. */
record Running(PrintStream err, StopSignal stop) {
    void run(Role role) throws InterruptedException {
        try {
            role.start();
            stop.awaitAsked();
        } finally {
            close(role);
        }
    }

    void close(Role role) {
        role.close().forEach(call -> err.println("did not end: " + call));
    }
}
