package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The calls of processes to their own machine: they end with the process, and the kernel answers them. */
final class MachineGate implements CallGate {
    private final Traffic traffic;
    private final Deaths deaths;
    private final Weather weather;
    private final Judge judge;

    MachineGate(Simulation world) {
        traffic = world.traffic();
        deaths = traffic.deaths();
        weather = world.weather();
        judge = world.judge();
    }

    @Override
    public void reached(CallSite site, Phase phase) {
        Job job = traffic.current();
        if (job == null) {
            return;
        }
        if (phase == Phase.ISSUED) {
            requireAlive(job);
            job.countPortCall();
        } else {
            judge.machine(job.process, site, phase);
        }
        deaths.reached(job, site, phase);
        if (job.stepped()) {
            traffic.letOthersGo(job);
            requireAlive(job);
        }
        if (phase == Phase.ISSUED && weather.strikes(weather.turbulence().failedCall() / 4)) {
            throw VolumeException.transientFailure(site + ": simulated failure");
        }
        if (phase == Phase.ISSUED) {
            judge.machine(job.process, site, phase);
        }
    }

    private static void requireAlive(Job job) {
        if (!job.alive()) {
            throw new ProcessDied(job.process.name());
        }
    }

    @Override
    public void hang(CallSite site, @Nullable CallContext context) {
        traffic.hang(site, context);
    }

    @Override
    public void pause(CallSite site, Duration delay, @Nullable CallContext context) {
        traffic.pause(site, delay, context);
    }

    @Override
    public void later(CallSite site, Duration delay, Runnable effect) {
        traffic.later(site, delay, effect);
    }
}
