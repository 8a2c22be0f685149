package io.volume4j.inmemory.sim;

/**
 * A program of the host in a simulated world, such as its scheduler or its agent on a node. Like the library, it sees
 * changes late, loses the cluster, dies between any two requests and is restarted.
 *
 * <p>It must not start threads or read clocks. It must use its ports for these, so that equal seeds give equal runs.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HostProgram {
    /**
     * Starts one incarnation of the program, without state of earlier ones. Called on the world's thread. Returns
     * after it has scheduled its further work with its ports. An exception ends the run, because it is a bug of the
     * program.
     */
    void start(HostPorts ports);
}
