package io.volume4j.core.control.attach.call;

import io.volume4j.spi.plugin.PluginState;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A plugin's state as text in an annotation of a VolumeAttachment: {@code version key=value key=value}, each part escaped. */
public final class RecordText {
    private RecordText() {}

    static String of(PluginState state) {
        StringBuilder text = new StringBuilder().append(state.version());
        state.values()
                .forEach((key, value) ->
                        text.append(' ').append(escape(key)).append('=').append(escape(value)));
        return text.toString();
    }

    /** Returns no state if the text is not valid: the plugin must be able to detach without it. */
    public static PluginState read(String text) {
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
