package io.volume4j.ui;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.ui.rows.RowQuery;
import io.volume4j.ui.rows.RowTable;
import io.volume4j.ui.watch.RowTree;
import io.volume4j.ui.web.Refusal;
import java.util.Map;

/** Parts of the rows as JSON, for a list that loads only its visible part. */
final class RowPages {
    private RowPages() {}

    static ObjectNode of(RowTable rows, Map<String, String> query, int largest) {
        RowTable.Page page = rows.search(
                RowQuery.parse(query.getOrDefault("q", "")),
                number(query.getOrDefault("offset", "0")),
                Math.min(largest, number(query.getOrDefault("limit", "100"))));
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("revision", page.revision());
        tree.put("total", page.total());
        ArrayNode array = tree.putArray("rows");
        page.rows().forEach(row -> array.add(RowTree.of(row)));
        return tree;
    }

    private static int number(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new Refusal(400, "offset and limit are numbers, not " + text);
        }
        return Integer.parseInt(text);
    }
}
