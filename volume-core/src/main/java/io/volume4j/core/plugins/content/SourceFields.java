package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PlainPath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.OtherSource;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a source without its own record, parsed strictly: a field of the wrong type is an error that names its
 * position, never a default. Pure.
 */
final class SourceFields {
    private static final int GREATEST_MODE = 0777;

    private final String place;
    private final Map<?, ?> fields;

    private SourceFields(String place, Map<?, ?> fields) {
        this.place = place;
        this.fields = fields;
    }

    static SourceFields of(OtherSource source) {
        return new SourceFields(source.type(), source.fields());
    }

    String place() {
        return place;
    }

    boolean has(String key) {
        return fields.get(key) != null;
    }

    /** {@code ""} if it is missing. */
    String text(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return "";
        }
        if (value instanceof String text) {
            return text;
        }
        throw wrong(key, "must be text");
    }

    String requiredText(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            throw wrong(key, "is missing");
        }
        return text;
    }

    /**
     * The path of a file in the volume, as a {@link PlainPath}; a slash at its beginning stays, so that the writer of the
     * file refuses it.
     */
    String requiredPath(String key) {
        String written = requiredText(key);
        String inside = PlainPath.of(written);
        if (inside.isEmpty()) {
            throw wrong(key, "is " + MessageText.text(written) + ", which names no file");
        }
        return written.startsWith("/") ? "/" + inside : inside;
    }

    /** A text or number as in the manifest. */
    String scalar(String key) {
        Object value = fields.get(key);
        if (value instanceof String || value instanceof Number) {
            return value.toString();
        }
        throw wrong(key, "must be a text or a number");
    }

    /** False if it is missing. */
    boolean flag(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(key, "must be true or false");
    }

    long number(String key, long otherwise) {
        Object value = fields.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Number number) {
            try {
                return new BigDecimal(number.toString()).longValueExact();
            } catch (ArithmeticException | NumberFormatException e) {
                throw wrong(key, "must be a whole number");
            }
        }
        throw wrong(key, "must be a number");
    }

    /** The mode of a file; null if it is missing. */
    @Nullable
    Integer mode(String key) {
        if (!has(key)) {
            return null;
        }
        long mode = number(key, 0);
        if (mode < 0 || mode > GREATEST_MODE) {
            throw wrong(key, "must be a mode from 0 to 0777 (511)");
        }
        return (int) mode;
    }

    Optional<SourceFields> object(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Map<?, ?> map) {
            return Optional.of(new SourceFields(place + "." + key, map));
        }
        throw wrong(key, "must have fields");
    }

    /** Empty if it is missing. */
    List<SourceFields> objects(String key) {
        List<SourceFields> found = new ArrayList<>();
        for (Object each : list(key)) {
            String at = place + "." + key + "[" + found.size() + "]";
            if (!(each instanceof Map<?, ?> map)) {
                throw VolumeException.finalFailure(at + " must have fields");
            }
            found.add(new SourceFields(at, map));
        }
        return found;
    }

    /** Empty if it is missing. */
    List<String> texts(String key) {
        List<String> found = new ArrayList<>();
        for (Object each : list(key)) {
            if (!(each instanceof String text)) {
                throw wrong(key, "must be a list of texts");
            }
            found.add(text);
        }
        return found;
    }

    /** Texts by key; empty if it is missing. */
    Map<String, String> textMap(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong(key, "must have fields");
        }
        Map<String, String> found = new TreeMap<>();
        map.forEach((name, text) -> {
            if (!(name instanceof String known) || !(text instanceof String content)) {
                throw wrong(key, "must have texts for values");
            }
            found.put(known, content);
        });
        return found;
    }

    private List<?> list(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(key, "must be a list");
    }

    VolumeException wrong(String key, String why) {
        return VolumeException.finalFailure(place + "." + key + " " + why);
    }
}
