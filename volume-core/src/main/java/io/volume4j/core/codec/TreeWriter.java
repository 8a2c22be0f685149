package io.volume4j.core.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes plain trees as YAML or JSON. */
final class TreeWriter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .stringQuotingChecker(new Quoting())
            .build());

    private TreeWriter() {}

    static String yaml(Map<String, @Nullable Object> tree) {
        return write(YAML, tree);
    }

    static String json(Map<String, @Nullable Object> tree) {
        return write(JSON, tree);
    }

    private static String write(ObjectMapper format, Map<String, @Nullable Object> tree) {
        try {
            return format.writeValueAsString(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a plain tree cannot be written", impossible);
        }
    }

    /** Leaves out the quotes only where every YAML reader sees text: words, paths, images, quantities. */
    private static final class Quoting extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1L;
        private static final Pattern PLAIN =
                Pattern.compile("[A-Za-z/][A-Za-z0-9_./=-]*(?::[A-Za-z0-9_./=-]+)*|[1-9][0-9]*(?:[KMGTPE]i|[kMGTPm])");

        @Override
        public boolean needToQuoteName(String name) {
            return super.needToQuoteName(name) || !PLAIN.matcher(name).matches();
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || !PLAIN.matcher(value).matches();
        }
    }
}
