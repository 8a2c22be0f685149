package io.volume4j.core.plugins;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A call with time enough, and never cancelled. */
record TestContext(int attempt, List<String> told) implements CallContext {
    static TestContext first() {
        return new TestContext(1, new ArrayList<>());
    }

    @Override
    public String operationId() {
        return "test-operation";
    }

    @Override
    public Duration remaining() {
        return Duration.ofMinutes(10);
    }

    @Override
    public boolean cancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public void progress(String message) {
        told.add(message);
    }
}
