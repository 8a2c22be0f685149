package io.volume4j.examples.agent;

import java.util.List;

/** What a process does for the cluster, until it is closed. */
interface Role {
    /** Begins; returns soon. */
    void start();

    /**
     * Stops within some seconds and leaves everything as it is, for the next start to go on with.
     *
     * @return calls that did not end
     */
    List<String> close();
}
