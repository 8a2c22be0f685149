package io.volume4j.core.codec;

import io.volume4j.spi.model.ApiWord;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One object of a document, read field by field. A field that is absent or null reads as empty, 0 or false. A field
 * with a wrong type or form ends the reading with {@link InvalidField}. Messages about types never contain the value,
 * which may be a secret.
 */
final class Fields {
    private final Map<?, ?> map;
    private final FieldPath path;
    private final Source source;

    /** The origin of an object, which decides what an odd value means. */
    enum Source {
        /** A manifest by a user: an odd value is a mistake. */
        TEXT,
        /**
         * A store, which has accepted the object. One unreadable object would make the whole list of its kind
         * unusable, so any user could stop the work for all others. Therefore an unknown word is read as the constant
         * for unknown words, a name that no object can have stays as it is, a missing one is {@link #NO_NAME}, and a
         * negative amount is zero. API servers check few of the names that refer to other objects.
         */
        STORE
    }

    /** Stands for a required text that a stored object lacks. No object has this name. */
    static final String NO_NAME = "?";

    Fields(Map<?, ?> map, FieldPath path, Source source) {
        this.map = map;
        this.path = path;
        this.source = source;
    }

    FieldPath path() {
        return path;
    }

    /** Its keys, in order. */
    List<String> keys() {
        return map.keySet().stream().map(String::valueOf).toList();
    }

    @Nullable
    Object raw(String key) {
        return map.get(key);
    }

    boolean has(String key) {
        return map.get(key) != null;
    }

    InvalidField wrong(String key, String problem) {
        return new InvalidField(path.field(key), problem);
    }

    InvalidField missing(String key, String hint) {
        return wrong(key, "is missing: " + hint);
    }

    /** Whether a store has accepted the object. */
    boolean stored() {
        return source == Source.STORE;
    }

    /**
     * Whether all fields except this one have the same value objects as in another document. Then the parts that were
     * read from that document need not be read again.
     */
    boolean sameBut(String key, Map<?, ?> other) {
        int rest = map.size() - (map.containsKey(key) ? 1 : 0);
        if (rest != other.size() - (other.containsKey(key) ? 1 : 0)) {
            return false;
        }
        for (Map.Entry<?, ?> field : map.entrySet()) {
            @Nullable Object value = field.getValue();
            if (!key.equals(field.getKey()) && (value == null || other.get(field.getKey()) != value)) {
                return false;
            }
        }
        return true;
    }

    // Text

    String text(String key) {
        String value = optionalText(key);
        return value == null ? "" : value;
    }

    @Nullable
    String optionalText(String key) {
        @Nullable Object value = map.get(key);
        return value == null || value instanceof String ? (String) value : asText(value, path.field(key));
    }

    /** A required text; the hint tells what a user must write. {@link #NO_NAME} if a stored object lacks it. */
    String requiredText(String key, String hint) {
        return stored() && text(key).isEmpty() ? NO_NAME : ownText(key, hint);
    }

    /** A text without which there is no object, whatever its source. */
    String ownText(String key, String hint) {
        String value = text(key);
        if (value.isEmpty()) {
            throw missing(key, hint);
        }
        return value;
    }

    /** A name that refers to something, {@code ""} if it is missing. */
    String name(String key, NameRule rule) {
        return stored() ? text(key) : ownName(key, rule);
    }

    String requiredName(String key, NameRule rule, String hint) {
        return stored() ? requiredText(key, hint) : requiredOwnName(key, rule, hint);
    }

    /**
     * The UID in a reference of these fields by namespace and name; {@code ""} if it is missing. Also {@code ""} where no
     * object can have the name: that no such object is there must not prove that the one with the UID is gone.
     */
    String uidOfReference() {
        return NameRule.LABEL.allows(text("namespace")) && NameRule.SUBDOMAIN.allows(text("name"))
                ? name("uid", NameRule.UID)
                : "";
    }

    /** A name without which there is no object. */
    String requiredOwnName(String key, NameRule rule, String hint) {
        return checked(key, ownText(key, hint), rule);
    }

    /** A name of the object itself, which is checked whatever its source; {@code ""} if it is missing. */
    String ownName(String key, NameRule rule) {
        String value = text(key);
        return value.isEmpty() ? value : checked(key, value, rule);
    }

    private String checked(String key, String value, NameRule rule) {
        if (!rule.allows(value)) {
            throw wrong(key, Shown.value(value) + " must be " + rule.description());
        }
        return value;
    }

    List<String> texts(String key) {
        return list(key, Fields::asText);
    }

    Map<String, String> textMap(String key) {
        return map(key, Fields::asText);
    }

    // Other scalars

    boolean flag(String key) {
        @Nullable Object value = map.get(key);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(key, "must be true or false, without quotes, not " + typeOf(value));
    }

    @Nullable
    Long number(String key) {
        @Nullable Object value = map.get(key);
        if (value instanceof Long number) {
            return number;
        }
        return value == null ? null : asLong(value, path.field(key));
    }

    List<Long> numbers(String key) {
        return list(key, Fields::asLong);
    }

    @Nullable
    Instant instant(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            return null;
        }
        @Nullable Instant stored = StoredTime.parse(text);
        if (stored != null) {
            return stored;
        }
        try {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
        } catch (DateTimeException notATime) {
            throw wrong(key, Shown.value(text) + " is not an RFC 3339 time: write one such as 2026-01-31T12:00:00Z");
        }
    }

    /** One of an enum's words; {@code absent} if the field is absent or empty. */
    <E extends Enum<E> & ApiWord> E word(String key, Class<E> type, E absent) {
        String text = text(key);
        return text.isEmpty() ? absent : asWord(text, path.field(key), type);
    }

    /**
     * The same, but an unknown word is not a mistake in a manifest either: the library does nothing to such an object.
     */
    <E extends Enum<E> & ApiWord> E anyWord(String key, Class<E> type, E absent) {
        String text = text(key);
        return text.isEmpty() ? absent : anyWord(text, type);
    }

    <E extends Enum<E> & ApiWord> List<E> anyWords(String key, Class<E> type) {
        return list(key, (value, at) -> anyWord(asText(value, at), type));
    }

    <E extends Enum<E> & ApiWord> List<E> words(String key, Class<E> type) {
        return list(key, (value, at) -> asWord(asText(value, at), at, type));
    }

    // Quantities

    /** A quantity that is not negative. */
    @Nullable
    Quantity amount(String key) {
        @Nullable Object value = map.get(key);
        return value == null ? null : asAmount(value, path.field(key));
    }

    /** A quantity above zero; null if a stored object has none above zero. */
    @Nullable
    Quantity positiveAmount(String key) {
        Quantity amount = amount(key);
        if (amount == null || amount.signum() > 0) {
            return amount;
        }
        if (stored()) {
            return null;
        }
        throw wrong(key, "must be more than zero");
    }

    Map<String, Quantity> amounts(String key) {
        return map(key, this::asAmount);
    }

    // Structures

    /** The object under the key, an empty one if it is missing. */
    Fields object(String key) {
        Fields object = optionalObject(key);
        return object == null ? new Fields(Map.of(), path.field(key), source) : object;
    }

    @Nullable
    Fields optionalObject(String key) {
        @Nullable Object value = map.get(key);
        return value == null ? null : asObject(value, path.field(key));
    }

    List<Fields> objects(String key) {
        return list(key, this::asObject);
    }

    // Values of a type

    private <T> List<T> list(String key, BiFunction<Object, FieldPath, T> read) {
        @Nullable Object value = map.get(key);
        if (value == null) {
            return List.of();
        }
        FieldPath at = path.field(key);
        if (!(value instanceof List<?> items)) {
            throw new InvalidField(at, "must be a list, not " + typeOf(value));
        }
        List<T> result = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            FieldPath here = at.item(i);
            result.add(read.apply(present(items.get(i), here), here));
        }
        return result;
    }

    private <T> Map<String, T> map(String key, BiFunction<Object, FieldPath, T> read) {
        Fields object = optionalObject(key);
        if (object == null) {
            return Map.of();
        }
        Map<String, T> result = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : object.map.entrySet()) {
            String name = String.valueOf(entry.getKey());
            FieldPath at = object.path.field(name);
            result.put(name, read.apply(present(entry.getValue(), at), at));
        }
        return result;
    }

    private static Object present(@Nullable Object value, FieldPath at) {
        if (value == null) {
            throw new InvalidField(at, "is empty: write a value or leave it out");
        }
        return value;
    }

    private static String asText(Object value, FieldPath at) {
        if (value instanceof String text) {
            return text;
        }
        boolean scalar = value instanceof Number || value instanceof Boolean;
        throw new InvalidField(at, "must be text, not " + typeOf(value) + (scalar ? ": put it in quotes" : ""));
    }

    private static long asLong(Object value, FieldPath at) {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        if (value instanceof BigInteger) {
            throw new InvalidField(at, "is too large: the largest number is " + Long.MAX_VALUE);
        }
        throw new InvalidField(at, "must be a whole number, not " + typeOf(value));
    }

    private Quantity asAmount(Object value, FieldPath at) {
        if (!(value instanceof String || value instanceof Number)) {
            throw new InvalidField(at, "must be a quantity such as 64Mi, not " + typeOf(value));
        }
        Quantity quantity;
        try {
            quantity = Quantity.parse(value.toString());
        } catch (IllegalArgumentException notAQuantity) {
            throw new InvalidField(at, String.valueOf(notAQuantity.getMessage()));
        }
        if (quantity.signum() < 0) {
            if (stored()) {
                return Quantity.ofBytes(0);
            }
            throw new InvalidField(at, Shown.value(value.toString()) + " is negative: an amount is zero or more");
        }
        return quantity;
    }

    /** The constant of that word, or the constant for unknown words. */
    private static <E extends Enum<E> & ApiWord> E anyWord(String text, Class<E> type) {
        @Nullable E unknown = null;
        for (E word : type.getEnumConstants()) {
            if (word.apiName().equals(text)) {
                return word;
            }
            unknown = word.known() ? unknown : word;
        }
        return Objects.requireNonNull(unknown, type + " has no constant for unknown words");
    }

    private <E extends Enum<E> & ApiWord> E asWord(String text, FieldPath at, Class<E> type) {
        E word = anyWord(text, type);
        if (stored() || word.apiName().equals(text)) {
            return word;
        }
        throw new InvalidField(
                at,
                Shown.value(text) + " is not known: write one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(ApiWord::apiName)
                                .filter(name -> !name.isEmpty())
                                .collect(Collectors.joining(", ")));
    }

    private Fields asObject(Object value, FieldPath at) {
        if (!(value instanceof Map<?, ?> object)) {
            throw new InvalidField(at, "must be an object (key: value), not " + typeOf(value));
        }
        return new Fields(object, at, source);
    }

    static String typeOf(@Nullable Object value) {
        if (value instanceof String) {
            return "text";
        }
        if (value instanceof Boolean) {
            return "true or false";
        }
        if (value instanceof BigDecimal || value instanceof Double || value instanceof Float) {
            return "a fraction";
        }
        if (value instanceof Number) {
            return "a number";
        }
        if (value instanceof List) {
            return "a list";
        }
        return value == null ? "nothing" : "an object";
    }
}
