package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.fault.CallGate.Phase;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import java.util.Set;

/**
 * Where processes die in the middle of a call: by chance, or at a place that the test chose. Places are counted over all
 * processes, and so are the calls that changed something.
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

    /** Places so far where a process could have died in the middle of a call. */
    long boundaries() {
        return boundaries;
    }

    /** Calls so far that changed something. */
    long effects() {
        return effects;
    }

    /** The process whose call is the one with that number that changes something dies behind it. */
    void crashBehind(long effect) {
        crashBehind = effect;
    }

    /** The process that comes to the place with that number dies there. */
    void crashAt(long boundary) {
        crashAt = boundary;
    }

    /**
     * A call got to such a place.
     *
     * @throws ProcessDied if it gets no further, because its process died here or before
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
