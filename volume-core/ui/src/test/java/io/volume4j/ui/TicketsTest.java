package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.ui.act.Action;
import io.volume4j.ui.act.Tickets;
import io.volume4j.ui.web.Refusal;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How actions are confirmed, and what is said of their end. */
class TicketsTest {
    /** Such a clock may start anywhere, and may overflow. */
    private long nanos = Long.MAX_VALUE - 1;

    private final Tickets tickets = new Tickets(new Random(1), () -> nanos);

    private JsonNode confirmed(Supplier<CompletableFuture<String>> doing) {
        return tickets.confirm(asked(doing), "127.0.0.1");
    }

    private String asked(Supplier<CompletableFuture<String>> doing) {
        return tickets.ask(new Action("release", "pv", "It is released.", doing), "127.0.0.1")
                .path("ticket")
                .asText();
    }

    @Test
    void theLatestThirtyTwoTicketsWaitAndAnEarlierOneIsRefusedWithThatReason() {
        List<String> asked = IntStream.rangeClosed(1, 33)
                .mapToObj(number -> asked(() -> CompletableFuture.completedFuture("done " + number)))
                .toList();

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> tickets.confirm(asked.get(0), "127.0.0.1"))
                .withMessage(
                        "this was confirmed before, or asked longer than two minutes or 32 questions ago: ask again")
                .returns(409, Refusal::status);

        assertThat(asked.subList(1, 33).stream()
                        .map(ticket -> tickets.confirm(ticket, "127.0.0.1")
                                .path("result")
                                .asText()))
                .containsExactlyElementsOf(IntStream.rangeClosed(2, 33)
                        .mapToObj(number -> "done " + number)
                        .toList());
    }

    @Test
    void aTicketServesForTwoMinutesOfElapsedTime() {
        Supplier<CompletableFuture<String>> doing = () -> CompletableFuture.completedFuture("released");
        String first = asked(doing);
        String second = asked(doing);

        nanos += Tickets.VALID.toNanos();
        assertThat(tickets.confirm(first, "127.0.0.1").path("done").asBoolean()).isTrue();
        nanos++;
        assertThatThrownBy(() -> tickets.confirm(second, "127.0.0.1"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("ask again");
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

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\u0085", "\u2028", "\u2029"})
    void theTextOfAnOperatorIsNoSecondLineOfTheAuditLog(String end) {
        try (Audit audit = new Audit()) {
            tickets.ask(
                    new Action("fence", "Node/n1: gone" + end + "INFO forged", "It is cut off.", () -> null),
                    "127.0.0.1");

            assertThat(audit.values()).contains("Node/n1: gone INFO forged");
        }
    }

    @Test
    void theEndOfAnActionIsLoggedAlsoIfTheAnswerWasGivenBefore() {
        try (Audit audit = new Audit()) {
            CompletableFuture<String> action = new CompletableFuture<>();
            Thread.currentThread().interrupt(); // as when the view closes: the answer does not wait
            JsonNode answer = confirmed(() -> action);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(answer.path("result").asText()).contains("may go on");
            assertThat(audit.lines()).doesNotContain("live view: an action ended");

            action.complete("released");
            assertThat(audit.lines()).contains("live view: an action ended");
        }
    }
}
