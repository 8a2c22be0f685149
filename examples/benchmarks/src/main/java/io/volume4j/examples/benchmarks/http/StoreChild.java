package io.volume4j.examples.benchmarks.http;

import io.volume4j.examples.agent.store.Store;
import io.volume4j.examples.benchmarks.measure.ProcessorClock;
import io.volume4j.examples.benchmarks.world.Population;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The example's store in a process of its own. For a number of claims it drops the store before, fills a new one with as many claims and
 * volumes, and prints its address. So every turn finds the same store in a JVM that is warm.
 */
public final class StoreChild {
    /** The line that asks for the processor time of this process, in nanoseconds. */
    public static final String PROCESSOR = "processor";

    private StoreChild() {}

    /** Serves until its input ends, which also happens if the first JVM dies. */
    public static int serve(InputStream in, PrintStream out) throws IOException {
        out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null) {
            try (Store store = filled(Integer.parseInt(line))) {
                out.println(store.uri());
                line = lines.readLine();
                while (PROCESSOR.equals(line)) {
                    out.println(ProcessorClock.nanos());
                    line = lines.readLine();
                }
            }
        }
        return 0;
    }

    /** A store in memory at a free port of this machine's loopback. */
    public static Store filled(int claims) throws IOException {
        Store store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        Population population = new Population(store::apply);
        population.classes();
        population.volumes(claims);
        population.claims(0, claims);
        return store;
    }
}
