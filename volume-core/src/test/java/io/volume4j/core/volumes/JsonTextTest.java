package io.volume4j.core.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    @Test
    void everyReaderReadsWhatIsWritten() throws Exception {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("text", "a \"quoted\" back\\slash, line\nend, tab\t, bell\u0007, delete\u007f, ä, 𝄞");
        tree.put("half a pair", "x");
        tree.put("number", 12L);
        tree.put("truth", true);
        tree.put("list", List.of("a", List.of(), Map.of()));

        assertThat(new ObjectMapper().readValue(JsonText.of(tree), new TypeReference<Map<String, Object>>() {}))
                .isEqualTo(withInt(tree));
    }

    @Test
    void keepsTheOrderOfKeys() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("b", 1);
        tree.put("a", 2);

        assertThat(JsonText.of(tree)).isEqualTo("{\"b\":1,\"a\":2}");
    }

    /** The reader gives small numbers as integers. */
    private static Map<String, Object> withInt(Map<String, Object> tree) {
        Map<String, Object> copy = new LinkedHashMap<>(tree);
        copy.put("number", 12);
        return copy;
    }
}
