package io.volume4j.ui;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.ui.web.Shows;
import java.util.Map;

/** The view's implementation of the server's data and actions. */
record ViewShows(LiveView view) implements Shows {
    @Override
    public JsonNode summary() {
        return view.summary();
    }

    @Override
    public JsonNode rows(Map<String, String> query) {
        return view.rows(query);
    }

    @Override
    public JsonNode detail(Map<String, String> query) {
        return view.detail(query.getOrDefault("source", ""), query.getOrDefault("key", ""));
    }

    @Override
    public JsonNode orphans() {
        return view.orphans();
    }

    @Override
    public JsonNode ask(JsonNode action, String peer) {
        return view.ask(action, peer);
    }

    @Override
    public JsonNode confirm(String ticket, String peer) {
        return view.confirm(ticket, peer);
    }

    @Override
    public void requested() {
        view.refresher().requested();
    }

    @Override
    public void streamOpened() {
        view.refresher().streamOpened();
    }

    @Override
    public void streamClosed() {
        view.refresher().streamClosed();
    }
}
