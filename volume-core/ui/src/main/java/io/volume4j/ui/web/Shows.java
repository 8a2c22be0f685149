package io.volume4j.ui.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** The data and actions of the server. Thread-safe; each method may block for a few seconds. */
public interface Shows {
    /** The summary for all viewers. */
    JsonNode summary();

    /** A part of the rows: {@code q}, {@code offset}, {@code limit}. */
    JsonNode rows(Map<String, String> query);

    /**
     * The details of one volume or object: {@code source}, {@code key}.
     *
     * @throws Refusal if it does not exist
     */
    JsonNode detail(Map<String, String> query);

    /** Storage without an object, from a query to the backends. */
    JsonNode orphans();

    /**
     * Describes the effect of an action and creates a ticket for {@link #confirm}.
     *
     * @throws Refusal if the action is not possible
     */
    JsonNode ask(JsonNode action, String peer);

    /**
     * Performs the action of the ticket.
     *
     * @throws Refusal if the ticket is unknown or too old
     */
    JsonNode confirm(String ticket, String peer);

    /** The server has accepted a request. */
    void requested();

    /** A stream was opened. */
    void streamOpened();

    /** A stream was closed. */
    void streamClosed();
}
