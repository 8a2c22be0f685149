package io.volume4j.core.steplog;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Step;
import io.volume4j.spi.VolumeException;
import java.time.Duration;

/** Logs each step, and calls another observer. Loop thread only. */
public record LoggedSteps<K, S extends Step>(StepLog<K, S> log, Engine.Observer<K, S> next)
        implements Engine.Observer<K, S> {
    @Override
    public void started(K key, S step, int attempt) {
        log.started(key, step, attempt);
        next.started(key, step, attempt);
    }

    @Override
    public void ended(K key, S step, int attempt, Outcome outcome, Duration took) {
        if (outcome.succeeded()) {
            log.succeeded(key, step, attempt, took);
        }
        next.ended(key, step, attempt, outcome, took);
    }

    @Override
    public void failed(K key, S step, int attempt, VolumeException failure, Duration nextTry) {
        log.failed(key, step, attempt, failure, nextTry);
        next.failed(key, step, attempt, failure, nextTry);
    }

    @Override
    public void progress(K key, S step, String message) {
        next.progress(key, step, message);
    }

    @Override
    public void decided(K key, S step) {
        log.decided(key, step);
        next.decided(key, step);
    }

    @Override
    public void withdrawn(K key, S step, int attempt, Duration took) {
        log.withdrawn(key, step, attempt, took);
        next.withdrawn(key, step, attempt, took);
    }

    @Override
    public void returned(K key, S step) {
        next.returned(key, step);
    }
}
