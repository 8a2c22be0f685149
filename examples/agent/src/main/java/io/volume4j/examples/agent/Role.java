package io.volume4j.examples.agent;

import java.util.List;

/** The work of a process for the cluster, until it is closed. */
interface Role {
    /** Starts; returns soon. */
    void start();

    /**
     * Stops within some seconds. Everything stays as it is, and the next start continues from there.
     *
     * @return calls that did not end
     */
    List<String> close();
}
