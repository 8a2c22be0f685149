package io.volume4j.ui.watch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.ui.rows.Row;

/** Rows as JSON. */
public final class RowTree {
    private RowTree() {}

    /** One row. */
    public static ObjectNode of(Row row) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("source", row.source());
        tree.put("key", row.key());
        tree.put("type", row.type());
        tree.put("name", row.name());
        tree.put("namespace", row.namespace());
        tree.put("plugin", row.plugin());
        ArrayNode wanted = tree.putArray("wanted");
        row.wanted().forEach(wanted::add);
        tree.put("attach", row.attach());
        tree.put("device", row.device());
        tree.put("devicePath", row.devicePath());
        ArrayNode mounts = tree.putArray("mounts");
        for (Row.Mount mount : row.mounts()) {
            ObjectNode node = mounts.addObject();
            node.put("pod", mount.pod());
            node.put("state", mount.state());
            node.put("path", mount.path());
            node.put("readOnly", mount.readOnly());
        }
        tree.put("state", row.state().word());
        tree.put("why", row.why());
        tree.put("error", row.error());
        tree.put("attempts", row.attempts());
        tree.put("nextTry", row.nextTryMillis());
        return tree;
    }
}
