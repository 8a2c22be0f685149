package io.volume4j.inmemory.sim;

import io.volume4j.core.node.Blocking;
import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All calls of all processes: issued, effect, acknowledged. Between any two of these phases a process can die, and a
 * sent call can have its effect later.
 *
 * <p>The backend keeps the order of calls for a volume, see {@code EffectModel.ordered()}. A call has no effect if a
 * call that was sent later already had its effect.
 */
final class Traffic implements CallGate {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration AWAIT_MOST = Duration.ofHours(1);

    private final VirtualScheduler scheduler;
    private final Weather weather;
    private final Deaths deaths;
    private final Trace trace;
    private final boolean steps;
    private final Map<String, Long> latestEffect = new HashMap<>();
    private final List<Job> hanging = new ArrayList<>();
    private final List<Job> unfinished = new ArrayList<>();
    private @Nullable ExecutorService threads;
    private final @Nullable OpenCalls open;
    private @Nullable Job current;
    private long sent;

    Traffic(VirtualScheduler scheduler, Weather weather, Trace trace, boolean steps, @Nullable OpenCalls open) {
        this.open = open;
        this.scheduler = scheduler;
        this.weather = weather;
        this.deaths = new Deaths(scheduler, weather, trace);
        this.trace = trace;
        this.steps = steps;
    }

    boolean holdsAnswer(SimProcess process, Runnable toLoop) {
        return open != null && open.holds(current, process, toLoop);
    }

    Deaths deaths() {
        return deaths;
    }

    boolean steps() {
        return steps;
    }

    Executor threads() {
        if (threads == null) {
            threads = Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "simulated-call");
                thread.setDaemon(true);
                return thread;
            });
        }
        return threads;
    }

    @Nullable
    Job current() {
        return current;
    }

    /** The worker threads of a process. */
    Executor workersOf(SimProcess process) {
        return work -> send(process, work);
    }

    private void send(SimProcess process, Runnable work) {
        Job job = new Job(
                this, process, ++sent, weather.delay(weather.turbulence().slowAnswer()), work);
        Duration delay = weather.delay(weather.turbulence().slowCall());
        if (open != null && open.takes(job)) {
            return;
        }
        if (steps) {
            unfinished.add(job);
        }
        if (delay.isZero() && scheduler.busy()) {
            scheduler.later(LEAST, job);
        } else if (delay.isZero()) {
            scheduler.workers().execute(job);
        } else {
            scheduler.later(delay, job);
        }
    }

    /** Runs work of the process itself, such as its start, as one of its calls. */
    boolean run(SimProcess process, Runnable work) {
        Job job = new Job(this, process, ++sent, Duration.ZERO, work);
        Job before = current;
        current = job;
        try {
            work.run();
            return true;
        } catch (ProcessDied died) {
            return false;
        } finally {
            current = before;
        }
    }

    /** Starts or continues the call. */
    void enter(Job job) {
        Job before = current;
        current = job;
        try {
            job.proceed();
        } finally {
            current = before;
        }
    }

    boolean landsLate() {
        return weather.strikes(weather.turbulence().lateEffect());
    }

    @Override
    public void reached(CallSite site, Phase phase) {
        Job job = current;
        if (job == null) {
            return;
        }
        if (phase == Phase.ISSUED) {
            requireMayCall(job, site);
            job.countPortCall();
        }
        deaths.reached(job, site, phase);
        if (phase == Phase.EFFECTED) {
            latestEffect.merge(site.subject(), job.number, Math::max);
        }
        if (job.stepped()) {
            letOthersGo(job);
            if (phase == Phase.ISSUED) {
                requireInOrder(job, site);
            }
        }
        if (meetsFate(job, phase)) {
            throw phase == Phase.ISSUED
                    ? VolumeException.transientFailure(site + ": refused")
                    : VolumeException.uncertain(site + ": no answer");
        }
        if (phase != Phase.HALF_DONE
                && job.alive()
                && weather.strikes(weather.turbulence().failedCall())) {
            trace.add(scheduler.elapsed(), site + ": simulated failure " + phase);
            throw weather.failure(site, phase);
        }
    }

    /** Whether the call has its chosen failure here; later calls succeed. */
    private static boolean meetsFate(Job job, Phase phase) {
        boolean met = (job.fate == OpenCalls.Fate.REFUSED && phase == Phase.ISSUED)
                || (job.fate == OpenCalls.Fate.ANSWER_LOST && phase == Phase.EFFECTED);
        if (met) {
            job.fate = OpenCalls.Fate.DONE;
        }
        return met;
    }

    /** Stops the call until the world resumes it. */
    void letOthersGo(Job job) {
        scheduler.workers().execute(job);
        job.pause();
    }

    private void requireMayCall(Job job, CallSite site) {
        if (!job.mayCall()) {
            throw new ProcessDied(job.process.name());
        }
        requireInOrder(job, site);
    }

    private void requireInOrder(Job job, CallSite site) {
        if (job.orphan() && job.machineBooted() && ofMachine(site)) {
            throw new ProcessDied(job.process.name());
        }
        if (job.orphan() && latestEffect.getOrDefault(site.subject(), 0L) > job.number) {
            throw new ProcessDied(job.process.name());
        }
    }

    /** Whether a driver on the node executes the call, and not a backend elsewhere. */
    private static boolean ofMachine(CallSite site) {
        return !site.call().equals("attach") && !site.call().equals("detach");
    }

    /** A request to the cluster reached a place where its process or the network may fail. */
    void cluster(CallSite site, Phase phase, SimProcess process) {
        Job job = current;
        if (job != null) {
            if (phase == Phase.ISSUED) {
                if (!job.mayCall()) {
                    throw new ProcessDied(process.name());
                }
                job.countPortCall();
            }
            deaths.reached(job, site, phase);
            if (job.stepped()) {
                letOthersGo(job);
            }
        }
        if (job != null && meetsFate(job, phase)) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, site + ": no answer");
        }
        if (phase == Phase.ISSUED
                && site.call().equals("create")
                && weather.strikes(weather.turbulence().refused())) {
            throw new ClusterException(ClusterException.Reason.FORBIDDEN, site + ": simulated refusal");
        }
        if (weather.strikes(weather.turbulence().refused())) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, site + ": simulated outage");
        }
    }

    @Override
    public void hang(CallSite site, @Nullable CallContext context) {
        Job job = current;
        if (job == null) {
            throw new IllegalStateException("a call of no process cannot hang");
        }
        hanging.add(job);
        boolean[] cancelled = {false};
        if (context != null) {
            context.onCancel(() -> {
                if (hanging.remove(job)) {
                    cancelled[0] = true;
                    scheduler.workers().execute(job);
                }
            });
        }
        job.pause();
        if (cancelled[0]) {
            throw VolumeException.uncertain(site + ": cancelled while it hung");
        }
        requireNotOvertaken(job, site);
    }

    /** As {@code EffectModel.ordered()} promises: a call that waited has no effect after a later one of another process. */
    private void requireNotOvertaken(Job job, CallSite site) {
        if (latestEffect.getOrDefault(site.subject(), 0L) > job.number) {
            trace.add(scheduler.elapsed(), site + " is overtaken by a later call");
            throw VolumeException.uncertain(site + ": overtaken by a later call");
        }
    }

    /** Resumes every hanging call. */
    void releaseHanging() {
        List<Job> released = new ArrayList<>(hanging);
        hanging.clear();
        released.forEach(job -> scheduler.workers().execute(job));
    }

    @Override
    public void pause(CallSite site, Duration delay, @Nullable CallContext context) {
        Job job = current;
        if (job != null && job.stepped()) {
            scheduler.later(delay, job);
            job.pause();
            requireNotOvertaken(job, site);
            return;
        }
        Duration end = scheduler.elapsed().plus(delay);
        pump(() -> scheduler.elapsed().compareTo(end) >= 0, end);
    }

    @Override
    public void later(CallSite site, Duration delay, Runnable effect) {
        Job sender = current;
        long number = sender == null ? sent : sender.number;
        scheduler.later(delay, () -> {
            if (latestEffect.getOrDefault(site.subject(), 0L) <= number) {
                trace.add(scheduler.elapsed(), site + " lands late");
                effect.run();
            }
        });
    }

    /** How workers wait for the loop: the rest of the world runs meanwhile. */
    Blocking blocking() {
        return new Blocking() {
            @Override
            public <T> T await(CompletableFuture<T> future) {
                return awaitInWorld(future);
            }
        };
    }

    private <T> T awaitInWorld(CompletableFuture<T> future) {
        Job job = current;
        if (job != null && job.stepped()) {
            if (!future.isDone()) {
                var unused = future.whenComplete(
                        (value, failure) -> scheduler.workers().execute(job));
                job.pause();
            }
        } else {
            Duration most = scheduler.elapsed().plus(AWAIT_MOST);
            pump(() -> future.isDone() || (job != null && !job.alive()), most);
        }
        if (job != null && (!job.alive() || (!future.isDone() && scheduler.stopped()))) {
            throw new ProcessDied(job.process.name());
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw failed;
        }
    }

    private void pump(BooleanSupplier until, Duration most) {
        Job before = current;
        current = null;
        try {
            while (!until.getAsBoolean() && scheduler.stepUntil(most)) {
                // The world runs while this call waits.
            }
        } finally {
            current = before;
        }
    }

    /** Drops the hanging calls of a dead process. */
    void died(SimProcess process) {
        hanging.removeIf(job -> job.process.equals(process));
    }

    /** Ends all threads of stopped calls. */
    void close() {
        for (Job job : unfinished) {
            job.doom();
        }
        unfinished.clear();
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
