package io.volume4j.ui.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Pages over a view's own rows and then over those of each joined view, in their order. Blocks until the joined views have answered.
 */
public final class JoinedRows {
    private JoinedRows() {}

    /**
     * A part of all rows. A view that does not answer has none.
     *
     * @param page the matching part of the own rows; is changed and returned
     */
    public static ObjectNode of(List<JoinedView> views, Map<String, String> query, int largest, ObjectNode page) {
        String words = query.getOrDefault("q", "");
        // Queries all views at once, so that the total wait is that of the slowest.
        List<CompletableFuture<JsonNode>> totals =
                views.stream().map(view -> view.rows(words, 0, 0)).toList();
        int offset = number(query, "offset", 0);
        int limit = Math.min(largest, number(query, "limit", 100));
        ArrayNode rows = (ArrayNode) page.get("rows");
        int before = page.path("total").asInt();
        long revision = page.path("revision").asLong();
        for (int i = 0; i < views.size(); i++) {
            JsonNode total = answered(totals.get(i));
            int theirs = total.path("total").asInt();
            revision += total.path("revision").asLong();
            int left = limit - rows.size();
            if (left > 0 && theirs > 0 && offset < before + theirs) {
                List<JsonNode> more = new ArrayList<>();
                answered(views.get(i).rows(words, Math.max(0, offset - before), left))
                        .path("rows")
                        .forEach(more::add);
                rows.addAll(more);
            }
            before += theirs;
        }
        page.put("total", before);
        page.put("revision", revision);
        return page;
    }

    private static JsonNode answered(CompletableFuture<JsonNode> page) {
        return page.exceptionally(silent -> MissingNode.getInstance()).join();
    }

    private static int number(Map<String, String> query, String name, int otherwise) {
        String text = query.getOrDefault(name, "");
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
    }
}
