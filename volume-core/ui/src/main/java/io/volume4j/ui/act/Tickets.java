package io.volume4j.ui.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.volume4j.ui.web.Refusal;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms actions. An operator first gets a description of the effect and a ticket. Only the ticket starts the action, once, within
 * {@link #VALID}, and if it is among the latest 32: a script that only asks must not fill the memory. The audit log
 * contains each step. Thread-safe.
 */
public final class Tickets {
    /** The lifetime of a ticket. */
    public static final Duration VALID = Duration.ofMinutes(2);

    private static final Logger AUDIT = LoggerFactory.getLogger("io.volume4j.ui.audit");
    private static final long PATIENCE_SECONDS = 30;
    private static final int MOST = 32;

    private final RandomGenerator random;
    private final LongSupplier nanoClock;
    private final Map<String, Ticket> open = new LinkedHashMap<>();

    private record Ticket(Action action, long madeAt) {}

    private record Result(boolean done, String text) {}

    /** @param nanoClock measures the life of tickets: a step of the wall clock must not lengthen it */
    public Tickets(RandomGenerator random, LongSupplier nanoClock) {
        this.random = random;
        this.nanoClock = nanoClock;
    }

    /** Makes all tickets invalid. */
    public void clear() {
        synchronized (open) {
            open.clear();
        }
    }

    /** Describes the action and creates a ticket for it. */
    public JsonNode ask(Action action, String peer) {
        byte[] bytes = new byte[18];
        random.nextBytes(bytes);
        String ticket = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        synchronized (open) {
            open.put(ticket, new Ticket(action, nanoClock.getAsLong()));
            if (open.size() > MOST) {
                open.remove(open.keySet().iterator().next());
            }
        }
        AUDIT.atInfo()
                .addKeyValue("action", action.name())
                .addKeyValue("subject", oneLine(action.subject()))
                .addKeyValue("peer", peer)
                .log("live view: an operator asked what an action would do");
        return JsonNodeFactory.instance
                .objectNode()
                .put("ticket", ticket)
                .put("meaning", action.meaning())
                .put("subject", action.subject());
    }

    /**
     * Performs the action of the ticket and waits at most half a minute. The audit log gets the end of the action, also if it is
     * later.
     *
     * @throws Refusal if the ticket is unknown, too old, displaced by later ones or used, or the action fails
     */
    public JsonNode confirm(String ticket, String peer) {
        Action action = take(ticket);
        AUDIT.atWarn()
                .addKeyValue("action", action.name())
                .addKeyValue("subject", oneLine(action.subject()))
                .addKeyValue("peer", peer)
                .log("live view: an operator confirmed an action");
        Result result;
        try {
            result = begun(action)
                    .handle((text, failure) -> ended(action, peer, text, failure))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            result = new Result(false, "the view was closed; the action may go on");
        } catch (TimeoutException late) {
            result = new Result(
                    false,
                    "no answer within " + PATIENCE_SECONDS + " s; the action goes on, and the audit log tells its end");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        return JsonNodeFactory.instance.objectNode().put("done", result.done()).put("result", result.text());
    }

    private static CompletableFuture<String> begun(Action action) {
        try {
            return action.doing().get();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static Result ended(Action action, String peer, @Nullable String text, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Result result = cause == null
                ? new Result(true, String.valueOf(text))
                : new Result(false, "failed: " + cause.getMessage());
        AUDIT.atWarn()
                .addKeyValue("action", action.name())
                .addKeyValue("subject", oneLine(action.subject()))
                .addKeyValue("peer", peer)
                .addKeyValue("result", oneLine(result.text()))
                .log("live view: an action ended");
        return result;
    }

    /** The text of an operator must not look like another line of the log; Unicode has line ends of its own. */
    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ");
    }

    private Action take(String text) {
        @Nullable Ticket ticket;
        synchronized (open) {
            ticket = open.remove(text);
        }
        if (ticket == null || nanoClock.getAsLong() - ticket.madeAt() > VALID.toNanos()) {
            throw new Refusal(
                    409,
                    "this was confirmed before, or asked longer than two minutes or " + MOST
                            + " questions ago: ask again");
        }
        return ticket.action();
    }
}
