package io.volume4j.core.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.ManualLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdlenessTest {
    /** Callers may poll with short timeouts for days, and an operation may never end. */
    @Test
    void whoGivesUpIsForgottenWhenTheNextCallerWaits() {
        Idleness idleness = new Idleness(new ManualLoop(), List::of);
        AtomicInteger told = new AtomicInteger();
        CompletableFuture<Boolean> impatient = new CompletableFuture<>() {
            @Override
            public boolean completeExceptionally(Throwable reason) {
                told.incrementAndGet();
                return super.completeExceptionally(reason);
            }
        };
        idleness.whenIdle(impatient);
        impatient.cancel(false);
        CompletableFuture<Boolean> patient = new CompletableFuture<>();
        idleness.whenIdle(patient);

        idleness.failAll(new IllegalStateException("closed"));

        assertThat(patient).isCompletedExceptionally();
        assertThat(told).hasValue(0);
    }
}
