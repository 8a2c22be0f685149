package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.fault.CallGate.Phase;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import java.util.Set;

/**
 * The places where processes die within a call: at random, or chosen by the test. The numbers of places and of changing
 * calls are counted over all processes.
 */
final class Deaths {
    private static final Set<String> READS = Set.of("list", "read", "observe", "capacity", "health", "getSnapshot");

    private final VirtualScheduler scheduler;
    private final Weather weather;
    private final Trace trace;
    private long boundaries;
    private long crashAt = -1;
    private long effects;
    private long crashBehind = -1;

    Deaths(VirtualScheduler scheduler, Weather weather, Trace trace) {
        this.scheduler = scheduler;
        this.weather = weather;
        this.trace = trace;
    }

    /** The number of places so far where a process could have died within a call. */
    long boundaries() {
        return boundaries;
    }

    /** The number of changing calls so far. */
    long effects() {
        return effects;
    }

    /** Lets the process die after the changing call with that number. */
    void crashBehind(long effect) {
        crashBehind = effect;
    }

    /** Lets the process die at the place with that number. */
    void crashAt(long boundary) {
        crashAt = boundary;
    }

    /**
     * A call reached such a place.
     *
     * @throws ProcessDied if its process dies here or died before
     */
    void reached(Job job, CallSite site, Phase phase) {
        boundaries++;
        boolean changed = phase == Phase.EFFECTED && !READS.contains(site.call());
        if (changed) {
            effects++;
        }
        boolean dies = boundaries == crashAt
                || (changed && effects == crashBehind)
                || (job.alive() && weather.happens(weather.turbulence().crash()));
        if (dies && job.alive()) {
            weather.fault();
            trace.add(scheduler.elapsed(), job.process.name() + " dies: " + site + " " + phase);
            job.process.die();
        }
        if (!job.alive() && !job.orphan()) {
            throw new ProcessDied(job.process.name());
        }
    }
}
