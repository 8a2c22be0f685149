package io.volume4j.core.control.attach.call;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.PluginState;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A plugin's state as text in an annotation of a VolumeAttachment: {@code version key=value key=value}, each part escaped. */
public final class RecordText {
    /** API servers refuse longer ids in CSINode objects. */
    private static final int LONGEST_NODE_ID = 256;

    private RecordText() {}

    /**
     * The plugin's state in the record, with the node id of the last attach call, which Kubernetes' external-attacher stores for its own
     * detach. That attacher may have made this call.
     */
    public static PluginState stateOf(VolumeAttachment record) {
        return withNodeId(read(record.metadata().annotation(GrantKeys.PLUGIN_STATE)), record);
    }

    /** The state with the node id of the record's last attach call. Another attacher may have made that call. */
    static PluginState withNodeId(PluginState state, VolumeAttachment record) {
        String nodeId = record.metadata().annotation(WellKnown.ATTACHED_NODE_ID);
        if (!valid(nodeId)) {
            return state;
        }
        Map<String, String> values = new TreeMap<>(state.values());
        values.put(WellKnown.ATTACHED_NODE_ID, nodeId);
        try {
            return new PluginState(state.version(), values);
        } catch (IllegalArgumentException tooLarge) {
            return state;
        }
    }

    /** What to write so that the record contains the state; the node id becomes the annotation that Kubernetes' external-attacher reads. */
    static List<FieldChange> changes(VolumeAttachment record, PluginState state) {
        List<FieldChange> changes = new ArrayList<>(2);
        String nodeId = state.get(WellKnown.ATTACHED_NODE_ID);
        if (valid(nodeId)) {
            change(record, WellKnown.ATTACHED_NODE_ID, nodeId, changes);
        }
        change(record, GrantKeys.PLUGIN_STATE, of(state), changes);
        return changes;
    }

    private static void change(VolumeAttachment record, String annotation, String value, List<FieldChange> changes) {
        if (!value.equals(record.metadata().annotation(annotation))) {
            changes.add(FieldChange.set(value, "metadata", "annotations", annotation));
        }
    }

    private static boolean valid(String nodeId) {
        return !nodeId.isEmpty() && nodeId.length() <= LONGEST_NODE_ID;
    }

    static String of(PluginState state) {
        StringBuilder text = new StringBuilder().append(state.version());
        state.values().forEach((key, value) -> {
            if (!key.equals(WellKnown.ATTACHED_NODE_ID)) {
                text.append(' ').append(escape(key)).append('=').append(escape(value));
            }
        });
        return text.toString();
    }

    /** Returns no state if the text is not valid: the plugin must be able to detach without it. */
    static PluginState read(String text) {
        if (text.isEmpty()) {
            return PluginState.none();
        }
        String[] words = text.split(" ", -1);
        try {
            Map<String, String> values = new TreeMap<>();
            for (int i = 1; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                values.put(unescape(words[i].substring(0, equals)), unescape(words[i].substring(equals + 1)));
            }
            return new PluginState(Integer.parseInt(words[0]), values);
        } catch (IllegalArgumentException | IndexOutOfBoundsException spoiled) {
            return PluginState.none();
        }
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String unescape(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
