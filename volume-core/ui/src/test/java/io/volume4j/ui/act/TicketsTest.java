package io.volume4j.ui.act;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How actions are confirmed, and what is said of their end. */
class TicketsTest {
    private final Tickets tickets = new Tickets(new Random(1), InstantSource.fixed(Instant.EPOCH));

    private JsonNode confirmed(Supplier<CompletableFuture<String>> doing) {
        String ticket = tickets.ask(new Action("release", "pv", "It is released.", doing), "127.0.0.1")
                .path("ticket")
                .asText();
        return tickets.confirm(ticket, "127.0.0.1");
    }

    @Test
    void anActionThatThrowsIsAnsweredAsOneThatFails() {
        JsonNode answer = confirmed(() -> {
            throw new IllegalStateException("it was closed");
        });
        assertThat(answer.path("done").asBoolean()).isFalse();
        assertThat(answer.path("result").asText()).isEqualTo("failed: it was closed");
    }

    @Test
    void aFailureOfALaterStageIsToldByItsCause() {
        JsonNode answer = confirmed(() -> CompletableFuture.<String>failedFuture(new IllegalStateException("no lead"))
                .thenApply(text -> text));
        assertThat(answer.path("result").asText()).isEqualTo("failed: no lead");
    }
}
