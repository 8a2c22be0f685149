package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;

/** What can happen to a node's process between two of its steps. */
enum Crash {
    PROCESS,
    /** Calls that the process had sent end before its journal is lost. */
    PROCESS_AND_JOURNAL,
    MACHINE;

    /** Runs so many steps, then crashes and starts again; true if everything was done before. */
    boolean after(NodeHarness node, int steps) {
        for (int i = 0; i < steps; i++) {
            if (!node.world.step()) {
                return true;
            }
        }
        happen(node);
        node.start();
        return false;
    }

    private void happen(NodeHarness node) {
        switch (this) {
            case PROCESS -> node.kill();
            case PROCESS_AND_JOURNAL -> {
                node.kill();
                // without the journal no process can know of a call that ends after its start
                node.world.runReady();
                node.deleteJournal();
            }
            case MACHINE -> node.reboot();
        }
    }

    /** After a life in which all pods have gone. */
    static void nothingIsLeft(NodeHarness node, int crashAfter) {
        assertThat(node.get(node.agent().present()))
                .as("crash after %d", crashAfter)
                .isEmpty();
        assertThat(node.leftOnMachine()).as("crash after %d", crashAfter).isEmpty();
        assertThat(node.storage.volumes()).as("crash after %d", crashAfter).noneMatch(volume -> volume.held());
        assertThat(node.storage.violations()).as("crash after %d", crashAfter).isEmpty();
        assertThat(Objects.requireNonNull(node.machine).violations())
                .as("crash after %d", crashAfter)
                .isEmpty();
    }
}
