package io.volume4j.core.node.agent;

import io.volume4j.core.engine.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Completes futures when no operation is under way. Loop thread only. */
final class Idleness {
    private final EventLoop loop;
    private final CurrentRun current;
    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();

    Idleness(EventLoop loop, CurrentRun current) {
        this.loop = loop;
        this.current = current;
    }

    void whenIdle(CompletableFuture<Boolean> idle) {
        waiting.add(idle);
        // What was asked for just before, such as a wish, has its turn first.
        loop.execute(this::check);
    }

    /** An operation ended, or is about to be taken out. */
    void changed() {
        if (!waiting.isEmpty()) {
            loop.execute(this::check);
        }
    }

    void failAll(Throwable reason) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(each -> each.completeExceptionally(reason));
    }

    private void check() {
        NodeRun run = current.now();
        if (run != null && run.engine().underWay() > 0) {
            return;
        }
        if (run != null && !run.engine().allVisited()) {
            loop.execute(this::check);
            return;
        }
        List<CompletableFuture<Boolean>> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(each -> each.complete(true));
    }
}
