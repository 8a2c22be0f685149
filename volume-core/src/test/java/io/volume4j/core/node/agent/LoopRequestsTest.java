package io.volume4j.core.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.ManualLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whatever is asked of an agent is answered, also where the answer is that it could not be found. */
class LoopRequestsTest {
    private final ManualLoop loop = new ManualLoop();
    private final LoopRequests inbox = new LoopRequests(loop, "n1");

    /** Plugins are asked for some answers, and a class of theirs may be missing. */
    @Test
    void aQuestionThatMeetsAnErrorOfTheJvmFails() {
        CompletableFuture<String> answer = inbox.ask(() -> {
            throw new NoClassDefFoundError("com/example/Sdk");
        });
        loop.run();

        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingRootCause()
                .withMessage("com/example/Sdk");
    }
}
