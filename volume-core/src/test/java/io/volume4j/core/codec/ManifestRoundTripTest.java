package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.volume4j.spi.model.ApiObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read and not changed is written as it was, as seen by another reader than ours. */
class ManifestRoundTripTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    static Stream<String> files() {
        return ManifestFiles.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void keepsEveryFieldOfEveryDocument(String file) throws IOException {
        List<JsonNode> written = new ArrayList<>();
        for (ApiObject object : Manifests.read(file, ManifestFiles.text(file))) {
            written.add(normal(JSON.valueToTree(Manifests.toTree(object))));
        }

        assertThat(written).isNotEmpty().isEqualTo(documents(file));
    }

    @ParameterizedTest
    @MethodSource("files")
    void readsWhatItWroteAsTheSameObject(String file) {
        for (ApiObject object : Manifests.read(file, ManifestFiles.text(file))) {
            String yaml = Manifests.toYaml(object);
            String json = Manifests.toJson(object);

            assertThat(Manifests.read("again.yaml", yaml)).as(yaml).containsExactly(object);
            assertThat(Manifests.read("again.json", json)).as(json).containsExactly(object);
            assertThat(json).doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void losesNothingOfTheModelWhenTheDocumentIsForgotten(String file) {
        for (ApiObject object : Manifests.read(file, ManifestFiles.text(file))) {
            ApiObject rebuilt = Manifests.fromTree(Overlay.lay(Map.of(), Written.part(), ObjectShape.write(object)));

            assertThat(ObjectShape.write(rebuilt)).isEqualTo(ObjectShape.write(object));
        }
    }

    private static List<JsonNode> documents(String file) throws IOException {
        List<JsonNode> documents = new ArrayList<>();
        try (MappingIterator<JsonNode> nodes = YAML.readerFor(JsonNode.class).readValues(ManifestFiles.text(file))) {
            while (nodes.hasNext()) {
                addFlattened(documents, nodes.next());
            }
        }
        return documents;
    }

    private static void addFlattened(List<JsonNode> documents, JsonNode node) throws JsonProcessingException {
        if (node.has("items") && node.path("kind").asText().endsWith("List")) {
            for (JsonNode item : node.get("items")) {
                addFlattened(documents, item);
            }
        } else if (!node.isNull() && !node.isMissingNode()) {
            documents.add(normal(node));
        }
    }

    /** Numbers of equal value are equal, whatever type a reader gave them. */
    private static JsonNode normal(JsonNode node) throws JsonProcessingException {
        return JSON.readTree(JSON.writeValueAsString(node));
    }
}
