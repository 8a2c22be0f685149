package io.volume4j.core.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes plain trees as YAML or JSON. */
final class TreeWriter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .stringQuotingChecker(new Quoting())
                    .build())
            .registerModule(new SimpleModule().addSerializer(String.class, new TextSerializer()));

    /**
     * Text that every YAML reader reads as this text: words, paths, images, quantities. All other text is quoted,
     * because readers differ in what they treat as numbers, booleans and line ends.
     */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z/][A-Za-z0-9_./=-]*(?::[A-Za-z0-9_./=-]+)*|[1-9][0-9]*(?:[KMGTPE]i|[kMGTPm])");

    private TreeWriter() {}

    static String yaml(Map<String, @Nullable Object> tree) {
        return write(YAML, tree);
    }

    static String json(Map<String, @Nullable Object> tree) {
        return escaped(write(JSON, tree));
    }

    /** Escapes characters that JSON permits and manifests forbid. They appear only in texts. */
    private static String escaped(String json) {
        if (json.codePoints().allMatch(ManifestText::isAllowed)) {
            return json;
        }
        StringBuilder text = new StringBuilder(json.length() + 16);
        json.codePoints().forEachOrdered(point -> {
            if (ManifestText.isAllowed(point)) {
                text.appendCodePoint(point);
            } else {
                text.append("\\u%04x".formatted(point));
            }
        });
        return text.toString();
    }

    private static String write(ObjectMapper format, Map<String, @Nullable Object> tree) {
        try {
            return format.writeValueAsString(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a plain tree cannot be written", impossible);
        }
    }

    private static final class Quoting extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean needToQuoteName(String name) {
            return super.needToQuoteName(name) || !PLAIN.matcher(name).matches();
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || !PLAIN.matcher(value).matches();
        }
    }

    /**
     * Jackson decides about quotes for a whole document. Without quotes, it writes text of several lines incorrectly.
     */
    private static final class TextSerializer extends StdSerializer<String> {
        private static final long serialVersionUID = 1L;

        TextSerializer() {
            super(String.class);
        }

        @Override
        public void serialize(String text, JsonGenerator generator, SerializerProvider provider) throws IOException {
            if (generator instanceof YAMLGenerator yaml) {
                yaml.configure(
                        YAMLGenerator.Feature.MINIMIZE_QUOTES,
                        PLAIN.matcher(text).matches());
            }
            generator.writeString(text);
        }
    }
}
