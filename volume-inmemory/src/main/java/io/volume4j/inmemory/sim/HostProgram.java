package io.volume4j.inmemory.sim;

/**
 * A program of the host's own in a simulated world, such as its scheduler or its agent on a node: it sees the cluster late and
 * in pieces, is cut off, dies between any two requests and is started anew, as the library is.
 *
 * <p>It must not start threads or look at clocks: what it does goes on by its ports, so that one seed is one run.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HostProgram {
    /**
     * Begins one incarnation of the program, which remembers nothing of earlier ones. Called on the world's thread; returns
     * when it has asked its ports for whatever comes next. What it throws ends the run, as a bug of the program.
     */
    void start(HostPorts ports);
}
