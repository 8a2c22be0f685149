package io.volume4j.examples.benchmarks.measure;

/** One thing that is measured. */
public interface Benchmark {
    /** As it is asked for on the command line. */
    String name();

    /** What is measured, in one line. */
    String measures();

    /** What is done before anything is measured, in one line. */
    String warmUp();

    /**
     * Measures and prints.
     *
     * @throws Unable if this machine cannot, with the reason
     */
    void run(Run run) throws Exception;

    /** A machine lacks what a benchmark needs. */
    final class Unable extends Exception {
        private static final long serialVersionUID = 1L;

        public Unable(String why) {
            super(why);
        }
    }
}
