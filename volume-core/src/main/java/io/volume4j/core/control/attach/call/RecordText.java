package io.volume4j.core.control.attach.call;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.PluginState;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A plugin's state as text in an annotation of a VolumeAttachment: {@code version key=value key=value}, each part escaped. */
public final class RecordText {
    /** API servers refuse longer ids in CSINode objects. */
    private static final int LONGEST_NODE_ID = 256;

    private RecordText() {}

    /** The plugin's state in the record; if there is none, what Kubernetes' external-attacher stored for its own detach. */
    public static PluginState stateOf(VolumeAttachment record) {
        PluginState own = read(record.metadata().annotation(GrantKeys.PLUGIN_STATE));
        String nodeId = record.metadata().annotation(WellKnown.ATTACHED_NODE_ID);
        boolean foreign = own.isEmpty() && !nodeId.isEmpty() && nodeId.length() <= LONGEST_NODE_ID;
        return foreign ? new PluginState(0, Map.of(WellKnown.ATTACHED_NODE_ID, nodeId)) : own;
    }

    static String of(PluginState state) {
        StringBuilder text = new StringBuilder().append(state.version());
        state.values()
                .forEach((key, value) ->
                        text.append(' ').append(escape(key)).append('=').append(escape(value)));
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
