package io.volume4j.core.control;

import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.engine.CallThreads;
import io.volume4j.core.engine.DaemonThreads;
import io.volume4j.core.engine.HealthCheck;
import io.volume4j.core.engine.OpenAnswers;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.explain.Health;
import io.volume4j.core.steplog.ControlLog;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop and the workers of one agent, with the host's settings, and their end. */
final class AgentThreads {
    private static final Logger LOG = LoggerFactory.getLogger(AgentThreads.class);

    private final ControlPorts ports;
    private final ThreadEventLoop loop;
    private final @Nullable CallThreads ownWorkers;
    private final Duration closeTimeout;
    private final Supplier<VolumeException> refusal;
    private final OpenAnswers answers;
    private final String name;
    /** Guards the two fields below: an agent must not start after it is closed. */
    private final Object turns = new Object();

    private boolean started;
    private boolean closing;

    private AgentThreads(
            String name,
            ControlPorts ports,
            ThreadEventLoop loop,
            @Nullable CallThreads ownWorkers,
            Duration closeTimeout) {
        this.name = name;
        this.ports = ports;
        this.loop = loop;
        this.ownWorkers = ownWorkers;
        this.closeTimeout = closeTimeout;
        this.refusal =
                () -> VolumeException.transientFailure(name + " was closed").withAdvice("build and start another one");
        this.answers = new OpenAnswers(refusal);
    }

    /** @param name the beginning of the threads' names */
    static AgentThreads start(String name, ControllerSettings host) {
        @Nullable Executor given = host.workers();
        SplittableRandom random = new SplittableRandom();
        ThreadEventLoop loop = ThreadEventLoop.start(
                new DaemonThreads(name + "-loop-"), System::nanoTime, InstantSource.system(), host.instrumentation());
        @Nullable CallThreads own = given == null ? loop.callThreads(new DaemonThreads(name + "-op-")) : null;
        ControlPorts ports = new ControlPorts(
                Long.toHexString(random.nextLong()),
                host.source(),
                host.writer(),
                host.plugins(),
                loop,
                given == null ? Objects.requireNonNull(own) : given,
                random,
                host.leader(),
                host.events(),
                host.metrics());
        return new AgentThreads(name, ports, loop, own, host.closeTimeout());
    }

    /** Builds the agent on these threads. Ends them if code of the host fails meanwhile. */
    <A> A build(Function<ControlPorts, A> agent) {
        try {
            return agent.apply(ports);
        } catch (RuntimeException | Error failed) {
            var unused = end(List::of);
            throw failed;
        }
    }

    /**
     * Starts the agent, once.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    void start(Runnable agent) {
        synchronized (turns) {
            if (closing) {
                throw new IllegalStateException(name + " was closed and cannot be started again; build another one");
            }
            if (started) {
                throw new IllegalStateException(name + " was started before; call start() once");
            }
            started = true;
            agent.run();
            ControlLog.started(name);
        }
    }

    /**
     * The health of the agent; waits at most for the given time.
     *
     * @param reading runs on the loop, after the agent was started
     */
    Health health(Duration patience, Supplier<Health> reading) {
        return new HealthCheck(name, ports.loop(), this::closing, () -> started() ? reading.get() : notStarted())
                .within(patience);
    }

    private Health notStarted() {
        return Health.notReady(false, List.of(name + " was not started: call start()"));
    }

    private boolean closing() {
        synchronized (turns) {
            return closing;
        }
    }

    private boolean started() {
        synchronized (turns) {
            return started;
        }
    }

    /** Whether the calling thread runs the agent's event loop. */
    boolean inLoop() {
        return loop.inLoop();
    }

    /** The agent's answer. It fails if the threads end before it comes, or have ended. */
    <T> CompletableFuture<T> answered(CompletableFuture<T> answer) {
        answers.owe(answer);
        return answer;
    }

    /**
     * The answer to a request that does not pass the loop. Refuses it after the close: the workers may be the host's, and still run.
     *
     * @param request makes it
     */
    <T> CompletableFuture<T> requested(Supplier<CompletableFuture<T>> request) {
        return closing() ? CompletableFuture.failedFuture(refusal.get()) : answered(request.get());
    }

    /**
     * Ends the agent and its threads. Waits at most for the close timeout, even if a call hangs, and not at all on the agent's own
     * loop. Idempotent.
     *
     * @param agent ends it, on the loop; returns the calls that did not end
     * @return these calls, or that the loop did not end
     */
    List<String> close(Supplier<List<String>> agent) {
        synchronized (turns) {
            if (closing) {
                return List.of();
            }
            closing = true;
        }
        CompletableFuture<List<String>> left = end(agent);
        answers.end();
        var unused = left.whenComplete((calls, failure) -> ControlLog.stopped(name, calls == null ? 0 : calls.size()));
        return left.exceptionally(failed -> {
                    LOG.atWarn().setCause(failed).addKeyValue("agent", name).log("closing an agent failed");
                    return List.of("the event loop");
                })
                .getNow(List.of("the event loop"));
    }

    private CompletableFuture<List<String>> end(Supplier<List<String>> agent) {
        CompletableFuture<List<String>> left = loop.close(agent, closeTimeout);
        if (ownWorkers != null) {
            ownWorkers.close();
        }
        return left;
    }
}
