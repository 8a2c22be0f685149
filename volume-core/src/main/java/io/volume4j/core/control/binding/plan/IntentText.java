package io.volume4j.core.control.binding.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.core.codec.PlacesText;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.plugin.Places;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@link ProvisioningIntent} as the JSON text of an annotation, with the version of its format in front. */
final class IntentText {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int VERSION = 1;

    private IntentText() {}

    static String write(ProvisioningIntent intent) {
        ObjectNode root = JSON.createObjectNode();
        root.put("v", VERSION);
        root.put("epoch", intent.epoch());
        root.put("by", intent.by());
        root.put("inherited", intent.inherited());
        root.put("plugin", intent.plugin());
        root.put("volume", intent.volumeName());
        root.put("bytes", intent.bytes());
        root.put("node", intent.nodeName());
        ProvisioningIntent.ClassContent content = intent.storageClass();
        ObjectNode storageClass = root.putObject("class");
        storageClass.put("name", content.name());
        storageClass.put("uid", content.uid());
        ObjectNode parameters = storageClass.putObject("parameters");
        content.parameters().forEach(parameters::put);
        ArrayNode options = storageClass.putArray("mountOptions");
        content.mountOptions().forEach(options::add);
        storageClass.put("reclaimPolicy", content.reclaimPolicy().name());
        @Nullable NodeSelector topologies = content.allowedTopologies();
        if (topologies != null) {
            ArrayNode terms = storageClass.putArray("allowedTopologies");
            topologies.terms().forEach(term -> {
                ObjectNode node = terms.addObject();
                write(node.putArray("expressions"), term.matchExpressions());
                write(node.putArray("fields"), term.matchFields());
            });
        }
        @Nullable ContentSource from = intent.content();
        if (from != null) {
            ObjectNode written = root.putObject("from");
            written.put("kind", from.kind().name()).put("handle", from.handle());
            if (!from.places().isEverywhere()) {
                written.put("places", PlacesText.write(from.places()));
            }
        }
        ProvisioningIntent.Attributes attributes = intent.attributes();
        if (!attributes.className().isEmpty()) {
            ObjectNode written = root.putObject("attributes");
            written.put("class", attributes.className());
            ObjectNode mutable = written.putObject("parameters");
            attributes.parameters().forEach(mutable::put);
        }
        return root.toString();
    }

    /**
     * Parses the text of {@link #write}.
     *
     * @throws IllegalArgumentException if the text is not an intent, or has an unknown version
     */
    static ProvisioningIntent read(String text) {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("not JSON: " + notJson.getOriginalMessage(), notJson);
        }
        int version = root.path("v").asInt(0);
        if (version != VERSION) {
            throw new IllegalArgumentException("format version " + version + ", known is " + VERSION);
        }
        JsonNode storageClass = root.path("class");
        JsonNode attributes = root.path("attributes");
        List<String> options = new ArrayList<>();
        storageClass.path("mountOptions").forEach(option -> options.add(option.asText()));
        String volumeName = root.path("volume").asText();
        if (volumeName.isEmpty() || root.path("plugin").asText().isEmpty()) {
            throw new IllegalArgumentException("no volume or no plugin in it");
        }
        return new ProvisioningIntent(
                root.path("epoch").asLong(),
                root.path("by").asText(),
                root.path("inherited").asBoolean(),
                root.path("plugin").asText(),
                volumeName,
                root.path("bytes").asLong(),
                root.path("node").asText(),
                new ProvisioningIntent.ClassContent(
                        storageClass.path("name").asText(),
                        storageClass.path("uid").asText(),
                        parameters(storageClass),
                        options,
                        ReclaimPolicy.valueOf(storageClass.path("reclaimPolicy").asText()),
                        topologies(storageClass.path("allowedTopologies"))),
                content(root.path("from")),
                new ProvisioningIntent.Attributes(attributes.path("class").asText(), parameters(attributes)));
    }

    private static @Nullable ContentSource content(JsonNode from) {
        return from.isObject()
                ? new ContentSource(
                        ContentSource.Kind.valueOf(from.path("kind").asText()),
                        from.path("handle").asText(),
                        from.has("places") ? PlacesText.read(from.path("places").asText()) : Places.everywhere())
                : null;
    }

    private static Map<String, String> parameters(JsonNode of) {
        Map<String, String> parameters = new LinkedHashMap<>();
        of.path("parameters")
                .properties()
                .forEach(
                        entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
        return parameters;
    }

    private static @Nullable NodeSelector topologies(JsonNode terms) {
        if (!terms.isArray()) {
            return null;
        }
        List<NodeSelector.Term> read = new ArrayList<>();
        terms.forEach(term -> read.add(
                new NodeSelector.Term(requirements(term.path("expressions")), requirements(term.path("fields")))));
        return new NodeSelector(read);
    }

    private static List<SelectorRequirement> requirements(JsonNode nodes) {
        List<SelectorRequirement> read = new ArrayList<>();
        nodes.forEach(node -> {
            List<String> values = new ArrayList<>();
            node.path("values").forEach(value -> values.add(value.asText()));
            read.add(new SelectorRequirement(
                    node.path("key").asText(), node.path("operator").asText(), values));
        });
        return read;
    }

    private static void write(ArrayNode into, List<SelectorRequirement> requirements) {
        requirements.forEach(requirement -> {
            ObjectNode node = into.addObject();
            node.put("key", requirement.key());
            node.put("operator", requirement.operator());
            ArrayNode values = node.putArray("values");
            requirement.values().forEach(values::add);
        });
    }
}
