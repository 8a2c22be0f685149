package io.volume4j.core.control;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.ControlOptions;
import io.volume4j.core.control.run.ControlPorts;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.engine.CallThreads;
import io.volume4j.core.engine.DaemonThreads;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.ObjectTransition;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An agent with the loop and the workers that it runs on, and how all of them end. */
final class AgentProcess {
    private final BindingAgent agent;
    private final ThreadEventLoop loop;
    private final @Nullable CallThreads ownWorkers;
    private final Duration closeTimeout;

    private AgentProcess(
            BindingAgent agent, ThreadEventLoop loop, @Nullable CallThreads ownWorkers, Duration closeTimeout) {
        this.agent = agent;
        this.loop = loop;
        this.ownWorkers = ownWorkers;
        this.closeTimeout = closeTimeout;
    }

    /** What the host gave. */
    record Parts(
            ClusterSource source,
            ClusterWriter writer,
            PluginRegistry plugins,
            @Nullable Executor workers,
            LeaderEpoch leader,
            EventSink events,
            MetricsSink metrics,
            Consumer<ObjectTransition> listener,
            ControlOptions options,
            Duration closeTimeout) {}

    static AgentProcess of(Duty duty, Parts parts) {
        @Nullable
        CallThreads own = parts.workers() == null
                ? new CallThreads(new DaemonThreads(duty.name() + "-op-"), System::nanoTime)
                : null;
        @Nullable Executor given = parts.workers();
        SplittableRandom random = new SplittableRandom();
        ThreadEventLoop loop = ThreadEventLoop.start(
                new DaemonThreads(duty.name() + "-loop-"), System::nanoTime, InstantSource.system());
        BindingAgent agent = new BindingAgent(
                new ControlPorts(
                        Long.toHexString(random.nextLong()),
                        parts.source(),
                        parts.writer(),
                        parts.plugins(),
                        loop,
                        given == null ? Objects.requireNonNull(own) : given,
                        random,
                        parts.leader(),
                        parts.events(),
                        parts.metrics()),
                parts.options(),
                duty,
                parts.listener());
        return new AgentProcess(agent, loop, own, parts.closeTimeout());
    }

    BindingAgent agent() {
        return agent;
    }

    /** Ends within the close timeout; returns the calls that did not. Again is nothing. */
    List<String> close() {
        List<String> left;
        try {
            left = agent.close().get(closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            left = List.of();
        } catch (ExecutionException | TimeoutException late) {
            left = List.of("the event loop");
        }
        loop.close();
        if (ownWorkers != null) {
            ownWorkers.close();
        }
        return left;
    }
}
