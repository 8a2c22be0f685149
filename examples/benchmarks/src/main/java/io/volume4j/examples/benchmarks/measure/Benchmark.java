package io.volume4j.examples.benchmarks.measure;

/** One benchmark. */
public interface Benchmark {
    /** The name on the command line. */
    String name();

    /** The measured quantity, in one line. */
    String measures();

    /** The warm-up, in one line. */
    String warmUp();

    /**
     * Measures and prints.
     *
     * @throws Unable if this machine does not support it, with the reason
     */
    void run(Run run) throws Exception;

    /** This machine lacks what a benchmark needs. */
    final class Unable extends Exception {
        private static final long serialVersionUID = 1L;

        public Unable(String why) {
            super(why);
        }
    }
}
