package io.volume4j.ui.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** What the server shows and does. Thread-safe; each method may block for a few seconds. */
public interface Shows {
    /** All that every viewer sees at once. */
    JsonNode summary();

    /** A part of the rows: {@code q}, {@code offset}, {@code limit}. */
    JsonNode rows(Map<String, String> query);

    /**
     * One volume or object whole: {@code source}, {@code key}.
     *
     * @throws Refusal if there is none
     */
    JsonNode detail(Map<String, String> query);

    /** Storage that no object tells of: asks the backends. */
    JsonNode orphans();

    /**
     * What an action would do, and a ticket for {@link #confirm}.
     *
     * @throws Refusal if it cannot be done
     */
    JsonNode ask(JsonNode action, String peer);

    /**
     * Does what the ticket is for.
     *
     * @throws Refusal if the ticket is not known or too old
     */
    JsonNode confirm(String ticket, String peer);

    /** A request came that is answered. */
    void requested();

    /** A stream was opened. */
    void streamOpened();

    /** A stream was closed. */
    void streamClosed();
}
