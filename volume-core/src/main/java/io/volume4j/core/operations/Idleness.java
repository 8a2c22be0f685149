package io.volume4j.core.operations;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Completes futures when no operation is running. Loop thread only. */
public final class Idleness {
    private final EventLoop loop;
    private final Supplier<List<Engine<?, ?, ?>>> engines;
    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();

    /** @param engines the engines that run now */
    public Idleness(EventLoop loop, Supplier<List<Engine<?, ?, ?>>> engines) {
        this.loop = loop;
        this.engines = engines;
    }

    public void whenIdle(CompletableFuture<Boolean> idle) {
        // Futures of callers that poll with short timeouts must not accumulate.
        waiting.removeIf(CompletableFuture::isDone);
        waiting.add(idle);
        // Earlier requests, such as a wish, run first.
        loop.execute(this::check);
    }

    /** An operation ended, or is about to leave the list. */
    public void changed() {
        if (!waiting.isEmpty()) {
            loop.execute(this::check);
        }
    }

    public void failAll(Throwable reason) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(each -> each.completeExceptionally(reason));
    }

    /** An observer that forwards all events to the other one, and checks for idleness when an operation ends. */
    public <K, S> Engine.Observer<K, S> beside(Engine.Observer<K, S> observer) {
        return new Beside<>(observer);
    }

    private void check() {
        List<Engine<?, ?, ?>> running = engines.get();
        if (running.stream().anyMatch(engine -> engine.underWay() > 0)) {
            return;
        }
        if (!running.stream().allMatch(Engine::allVisited)) {
            loop.execute(this::check);
            return;
        }
        List<CompletableFuture<Boolean>> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(each -> each.complete(true));
    }

    private final class Beside<K, S> implements Engine.Observer<K, S> {
        private final Engine.Observer<K, S> observer;

        Beside(Engine.Observer<K, S> observer) {
            this.observer = observer;
        }

        @Override
        public void started(K key, S step, int attempt) {
            observer.started(key, step, attempt);
        }

        @Override
        public void ended(K key, S step, int attempt, Outcome outcome, Duration took) {
            observer.ended(key, step, attempt, outcome, took);
            changed();
        }

        @Override
        public void failed(K key, S step, int attempt, VolumeException failure, Duration nextTry) {
            observer.failed(key, step, attempt, failure, nextTry);
        }

        @Override
        public void progress(K key, S step, String message) {
            observer.progress(key, step, message);
        }

        @Override
        public void decided(K key, S step) {
            observer.decided(key, step);
        }

        @Override
        public void withdrawn(K key, S step, int attempt, Duration took) {
            observer.withdrawn(key, step, attempt, took);
            changed();
        }

        @Override
        public void returned(K key, S step) {
            observer.returned(key, step);
            changed();
        }
    }
}
